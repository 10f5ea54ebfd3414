//! PyTorch's family: its commands, and what of it serves ATen, libraries and backends alike.
//!
//! Invariant: nothing is generated here; the crates of PyTorch's operators do that.

mod check;
mod commands;
#[cfg(test)]
mod data_tests;
mod declarations;
mod defaults;
mod diff;
mod examples;
mod explain;
mod facts;
mod foreign;
mod generator_list;
mod listed;
mod model;
pub(crate) mod site;
mod state;
#[cfg(test)]
mod tests;
pub(crate) mod world;
mod yaml_kinds;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use torchgen_base::yaml::format::Style;
use torchgen_base::yaml::keys::KeyTable;
use torchgen_generators::args::{CheckFlags, ExplainFlags, ModelFlags, NewLibraryArgs, NewLibraryFlags, SOURCES};
use torchgen_generators::layout;
use torchgen_kit::changes::{Rules, Thing};
use torchgen_kit::driver::args::CommonArgs;
use torchgen_kit::driver::family::{DefaultFamily, DocsQuestion, Family, ModelQuestion, NewProject, Question};
use torchgen_kit::driver::head::Unnamed;
use torchgen_kit::driver::report::Summary;
use torchgen_kit::driver::{JobError, Session};
use torchgen_kit::facts::{Lines, schema_of};
use torchgen_library::run::new::new_library;
use torchgen_model::codes;
use torchgen_model::records::{self, RUN_KEYS};

/// PyTorch's operators.
pub(crate) const FAMILY: Family = Family {
    name: "torch",
    about: "PyTorch's operators: ATen, autograd, operator libraries",
    commands: commands::COMMANDS,
    generators: generator_list::all,
    yaml_kinds: yaml_kinds::YAML_KINDS,
    style: Style { schema_keys: &["func", "name"], list_keys: &["autogen", "variants"] },
    codes: codes::ALL,
    files: Vec::new,
};

/// How the program serves sources that name no family.
pub(crate) struct Torch;

impl DefaultFamily for Torch {
    type CheckFlags = CheckFlags;
    type ExplainFlags = ExplainFlags;
    type ModelFlags = ModelFlags;
    type NewFlags = NewLibraryFlags;
    const NAMES: &'static [&'static str] = &[FAMILY.name, Torch::PROJECT];
    const PROJECT: &'static str = "library";
    const COMMAND: &'static str = "generate";
    const EXAMPLE: &'static str = "-s aten/src/ATen -d build/aten/src/ATen";
    const SOURCES: Unnamed = layout::UNNAMED;
    const CHECKOUT: &'static str = SOURCES;
    const SETTINGS: (&'static str, &'static KeyTable) = ("library.yaml", &RUN_KEYS);
    const SEARCHING: &'static [&'static str] = &["generate", "declarations", "kernels", "audit"];

    fn defaults(command: &str, root: &Path) -> Vec<(&'static str, Vec<OsString>)> {
        defaults::defaults_of(command, root)
    }

    fn is_project(directory: &Path) -> bool {
        // PyTorch's own file is there too.
        let is_pytorchs = directory.ends_with("ATen/native");
        !is_pytorchs && [Torch::SOURCES.file, Torch::SETTINGS.0].iter().any(|name| directory.join(name).is_file())
    }

    fn kind_of(text: &str) -> Option<&'static str> {
        records::is_backend(text).then_some("backend")
    }

    fn check_sources(
        sources: &[PathBuf],
        flags: &CheckFlags,
        common: &CommonArgs,
        session: &mut Session,
    ) -> Result<(), JobError> {
        check::check_without_family(sources, flags, common, session)
    }

    fn checked(
        sources: &[PathBuf],
        flags: &CheckFlags,
        common: &CommonArgs,
        session: &mut Session,
    ) -> Result<Option<String>, JobError> {
        let python = flags.probe.as_ref();
        python.map(|python| torchgen_library::kernels::probed(sources, python, common, session)).transpose()
    }

    fn beside(sources: &[PathBuf], flags: &CheckFlags) -> Vec<PathBuf> {
        let own = flags.autograd_dir.iter().chain(&flags.op_selection_yaml_path).chain(&flags.backend_yaml).cloned();
        let of_checkouts = sources.iter().filter(|_| flags.autograd_dir.is_none()).map(|source| {
            let root = source.join("..").join("..").join("..");
            root.join("tools").join("autograd")
        });
        own.chain(of_checkouts).collect()
    }

    fn state(sources: &[PathBuf], session: &mut Session) -> Result<(Vec<Thing>, Rules), JobError> {
        state::state_of(sources, session)
    }

    fn own_flag(flags: &ModelFlags) -> Option<&'static str> {
        flags.given()
    }

    fn explain(
        question: &Question<'_>,
        flags: &ExplainFlags,
        common: &CommonArgs,
        session: &mut Session,
    ) -> Result<Summary, JobError> {
        explain::explain(question, flags, common, session)
    }

    fn listed(source: Option<&Path>, session: &mut Session) -> Result<String, JobError> {
        listed::list(source, session)
    }

    fn model_schema() -> String {
        schema_of::<facts::Line>()
    }

    fn model(
        question: &ModelQuestion<'_>,
        flags: &ModelFlags,
        common: &CommonArgs,
        session: &mut Session,
    ) -> Result<Lines, JobError> {
        model::model(question, flags, common, session)
    }

    fn docs(
        question: &DocsQuestion<'_>,
        flags: &ExplainFlags,
        common: &CommonArgs,
        session: &mut Session,
    ) -> Result<Summary, JobError> {
        site::write_docs(question, flags, common, session)
    }

    fn new_project(
        project: &NewProject<'_>,
        flags: &NewLibraryFlags,
        common: &CommonArgs,
        session: &mut Session,
    ) -> Result<Summary, JobError> {
        let NewLibraryFlags { cuda, abi, torch_min, ref inside } = *flags;
        let (dir, namespace) = (project.dir.to_owned(), project.name.map(str::to_owned));
        let (inside, common) = (inside.clone(), common.clone());
        new_library(&NewLibraryArgs { dir, namespace, cuda, abi, inside, torch_min, common }, session)
    }
}
