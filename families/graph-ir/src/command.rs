//! `torchgen-rs graph-ir`.
//!
//! Invariant: nothing is rendered while there is an error.

use clap::{Args, ValueEnum};

use torchgen_base::diag::{CodeInfo, Diagnostic, codes as shared};
use torchgen_kit::changes::family::Compared;
use torchgen_kit::changes::report::{Page, warnings};
use torchgen_kit::driver::args::{INPUT, OUTPUT};
use torchgen_kit::driver::family::GeneratingCommand;
use torchgen_kit::driver::job::{Example, example};
use torchgen_kit::driver::output::GeneratedFiles;
use torchgen_kit::driver::pages;
use torchgen_kit::driver::request::Request;
use torchgen_kit::driver::{JobError, Session};
use torchgen_kit::facts::Facts;
use torchgen_kit::site::Site;

use super::files::{self, Options};
use super::model::Family;
use super::prelude::{self, Uses};
use super::rewrite::RewriteSet;
use super::support::Support;
use super::{check, codes, compared, explain, facts, records, schema, site};

/// What `--support` says for the support library itself.
const EMIT: &str = "emit";

/// Where the base classes come from.
enum Base<'f> {
    /// From the support library, whatever `support:` says.
    Library,
    /// From what `support:` says, or else from the support library.
    Records,
    /// From this header.
    Header(&'f str),
}

/// The flags that only this command has.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct Flags {
    /// Write the support library (`emit`), or include it from here
    ///
    /// PATH is a header. Without the flag, the key `support:` of a file decides.
    #[arg(long, value_name = "emit|PATH", help_heading = OUTPUT, hide_short_help = true)]
    support: Option<String>,
    /// Write only a part of the files
    #[arg(long, value_enum, value_name = "KIND", help_heading = OUTPUT)]
    only: Option<Only>,
    /// Write the methods of nodes to this many sources, and those of instructions
    ///
    /// Without the flag, a source has the methods of 250 classes at most. Over base classes of
    /// yours, it has all of them, since a build may have the list of files.
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u16).range(1..=1000), help_heading = OUTPUT, hide_short_help = true)]
    shards: Option<u16>,
    /// Compare with an older state, and write `ir_changes.md`
    ///
    /// A path or a revision of the git repository, as for `torchgen-rs breaking`.
    #[arg(long, value_name = "STATE", help_heading = INPUT)]
    against: Option<String>,
}

/// Which files are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Only {
    /// The files for nodes
    Nodes,
    /// The files for instructions
    Instructions,
}

/// The command.
pub(crate) struct GraphIr;

impl GeneratingCommand for GraphIr {
    type Flags = Flags;
    const NAME: &'static str = "graph-ir";
    const ABOUT: &'static str = "Generate a graph IR: classes of nodes and instructions, builders, lowering";
    const CODES: &'static [&'static CodeInfo] = codes::ALL;
    const EXAMPLES: &'static [Example] = &[
        example("Generate the IR of this directory, with its documentation", "graph-ir -s . -d generated --emit docs"),
        example("Compare with an older version of the IR", "graph-ir -s ir.yaml -d generated --against old/ir.yaml"),
    ];
    const EMIT: &'static [&'static str] = &["docs", "model", "self-test", "dot"];
    const SCAFFOLD: &'static [(&'static str, &'static str)] = &[
        ("ir.yaml", "graph_ir/new/ir.yaml.j2"),
        ("main.cpp", "graph_ir/new/main.cpp.j2"),
        ("CMakeLists.txt", "graph_ir/new/CMakeLists.txt.j2"),
        ("README.md", "graph_ir/new/README.md.j2"),
        (".gitignore", "graph_ir/new/gitignore.j2"),
        (".github/workflows/breaking.yml", "kit/new/breaking.yml.j2"),
    ];
    const NEXT: &'static str = "graph_ir/new/next.j2";
    const COMPARED: &'static Compared = &compared::COMPARED;

    fn make(request: &Request, flags: &Flags, session: &mut Session) -> Result<GeneratedFiles, JobError> {
        let base = match flags.support.as_deref() {
            None => Base::Records,
            Some(EMIT) => Base::Library,
            Some(path) => Base::Header(path),
        };
        let Sources { mut family, rewrites, uses } = read_sources(request, &base, session)?;
        let mut options = options(request, flags, family.support.is_none())?;
        let mut changes = None;
        if let Some(old) = &flags.against {
            let new = facts::facts(&family, &session.sources);
            let old_request = request.against(old, session)?;
            let old = read_sources(&old_request, &base, session)?.family;
            let found = compared::COMPARED.changes(&facts::facts(&old, &session.sources), &new);
            session.diagnostics.extend(warnings(&found));
            changes = Some(Page::from_changes(&found));
        }
        session.fail_on_errors(request.common.strict)?;
        if flags.only == Some(Only::Nodes) {
            family.instructions.clear();
        }
        options.model =
            request.emits("model").then(|| facts::facts(&family, &session.sources).lines(GraphIr::NAME).text());
        let renderer = request.renderer("graph_ir", session)?;
        let context = request.files(&renderer);
        let mut files = files::files(&family, &rewrites, uses, &options, changes.as_ref(), context)?;
        if request.emits("docs") {
            files.extend(pages::emitted(&site::site(&family, &rewrites, &session.sources), context)?);
        }
        session.timings.count_rendered(&renderer);
        Ok(request.made(files, renderer))
    }

    fn facts(request: &Request, session: &mut Session) -> Result<Facts, JobError> {
        let family = read_sources(request, &Base::Records, session)?.family;
        Ok(facts::facts(&family, &session.sources))
    }

    fn explain(what: &str, request: &Request, session: &mut Session) -> Result<String, JobError> {
        let family = read_sources(request, &Base::Records, session)?.family;
        let renderer = request.renderer("graph_ir", session)?;
        explain::record(what, &family, &renderer)
    }

    fn site(request: &Request, session: &mut Session) -> Result<Site, JobError> {
        let Sources { family, rewrites, .. } = read_sources(request, &Base::Records, session)?;
        Ok(site::site(&family, &rewrites, &session.sources))
    }
}

/// What is generated.
fn options(request: &Request, flags: &Flags, has_own_library: bool) -> Result<Options, JobError> {
    if flags.only == Some(Only::Instructions) && has_own_library {
        let message = "`--only instructions` needs the classes of nodes from somewhere else";
        let error = Diagnostic::new(&shared::USAGE, message);
        return Err(error.help("name your header: `--support PATH`").into());
    }
    Ok(Options {
        nodes: flags.only != Some(Only::Instructions),
        instructions: flags.only != Some(Only::Nodes),
        model: None,
        self_test: request.emits("self-test"),
        dot: request.emits("dot"),
        shards: flags.shards.map(usize::from),
    })
}

/// What all sources say.
struct Sources {
    family: Family,
    rewrites: RewriteSet,
    uses: Uses,
}

/// Reads and checks all sources. With the support library come the records that it builds on.
fn read_sources(request: &Request, base: &Base, session: &mut Session) -> Result<Sources, JobError> {
    let mut files = Vec::new();
    for document in request.documents(GraphIr::NAME, session)? {
        files.push(records::read_records(document.root, &mut session.diagnostics));
    }
    if matches!(base, Base::Library) {
        files.iter_mut().for_each(|file| file.support = None);
    }
    let has_record = files.iter().any(|file| file.support.is_some());
    if !has_record && !matches!(base, Base::Header(_)) {
        files.push(prelude::missing(&files, &mut session.sources, &mut session.diagnostics));
    }
    let (mut family, rewrites) = schema::family(files, &mut session.diagnostics);
    if let Base::Header(path) = base {
        family.support = Some(match family.support.take() {
            Some(support) => support.in_header(path),
            None => Support::of_header(path),
        });
    }
    let uses = check::check_family(&family, &mut session.diagnostics);
    session.timings.lap("model");
    session.check_errors()?;
    Ok(Sources { family, rewrites, uses })
}
