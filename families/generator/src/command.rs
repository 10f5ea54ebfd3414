//! The command `generator`.
//!
//! Invariant: nothing is written after an error.

use std::marker::PhantomData;

use torchgen_base::diag::CodeInfo;
use torchgen_kit::changes::family::Compared;
use torchgen_kit::driver::context::PlannedFile;
use torchgen_kit::driver::family::{GeneratingCommand, default_flags};
use torchgen_kit::driver::job::{Example, example};
use torchgen_kit::driver::output::GeneratedFiles;
use torchgen_kit::driver::request::Request;
use torchgen_kit::driver::{JobError, Session};
use torchgen_kit::facts::Facts;

use super::provider::Provider;
use super::run::{Flags, files, read};
use super::{codes, compare, compared, docs, explain, facts, own_tests, schema};

/// The command, over what a provider knows.
pub(crate) struct Generate<P>(PhantomData<P>);

impl<P: Provider> GeneratingCommand for Generate<P> {
    type Flags = Flags<P::Flags>;
    const NAME: &'static str = "generator";
    const ABOUT: &'static str = "Run a generator of your own: a manifest and templates over PyTorch's model";
    const CODES: &'static [&'static CodeInfo] = codes::ALL;
    const EXAMPLES: &'static [Example] = &[
        example("Generate what these entries ask their generator for", "generator -s ops.yaml -d generated"),
        example("Run a generator on YAML that does not name it", "generator -g routes -s ops.yaml -d generated"),
        example(
            "Compare with what another generator wrote",
            "generator -s ops.yaml -d generated --against vendor/generated",
        ),
        example("Run a generator's own tests", "generator -g routes --test"),
        example("Run a generator that needs no entries", "generator -s pyi -d generated --torch 2.13"),
    ];
    const EMIT: &'static [&'static str] = &["docs", "schema"];
    const SCAFFOLD: &'static [(&'static str, &'static str)] = &[
        ("routes/generator.yaml", "generator/new/generator.yaml.j2"),
        ("routes/wrapper.j2", "generator/new/wrapper.j2.j2"),
        ("routes/routes.cpp.j2", "generator/new/routes.cpp.j2.j2"),
        ("ops.yaml", "generator/new/ops.yaml.j2"),
        ("README.md", "generator/new/README.md.j2"),
        (".gitignore", "generator/new/gitignore.j2"),
    ];
    const NEXT: &'static str = "generator/new/next.j2";
    const COMPARED: &'static Compared = &compared::COMPARED;

    fn make(request: &Request, flags: &Self::Flags, session: &mut Session) -> Result<GeneratedFiles, JobError> {
        let renderer = request.renderer("generator", session)?;
        if flags.test || flags.bless {
            session.is_apart();
            let (dir, made) = own_tests::expected::<P>(request, flags, session)?;
            if flags.test {
                own_tests::compare(&dir, &made, session)?;
                return Ok(request.made(Vec::new(), renderer));
            }
            let request = Request { install_dir: dir, ..request.clone() };
            let files = made.into_iter().map(|(path, text)| PlannedFile::data(path, text)).collect();
            return Ok(request.made(request.files(&renderer).make(files)?, renderer));
        }
        let read = read::<P>(request, flags, session)?;
        let made = files(&read, &renderer, session)?;
        if let Some(dir) = &flags.against {
            compare::against(&read, &made, dir, request, session)?;
            session.check_errors()?;
        }
        let mut files: Vec<_> = made.into_iter().map(|(path, text)| PlannedFile::data(path, text)).collect();
        let view = docs::view(&read.manifest);
        if request.emits("docs") {
            files.push(PlannedFile::new(format!("{}.md", read.manifest.name), "generator/keys.md.j2", &view));
        }
        if request.emits("schema") {
            let text = schema::text(&read.manifest, &read.model);
            files.push(PlannedFile::data(format!("{}.schema.json", read.manifest.name), text));
        }
        let files = request.files(&renderer).make(files)?;
        session.timings.count_rendered(&renderer);
        Ok(request.made(files, renderer))
    }

    fn facts(request: &Request, session: &mut Session) -> Result<Facts, JobError> {
        let read = read::<P>(request, &default_flags()?, session)?;
        session.check_errors()?;
        Ok(facts::facts(&read, &session.sources))
    }

    fn explain(what: &str, request: &Request, session: &mut Session) -> Result<String, JobError> {
        let read = read::<P>(request, &default_flags()?, session)?;
        session.check_errors()?;
        explain::entry(what, &read, request, session)
    }
}
