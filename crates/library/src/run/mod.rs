//! A run for an operator library: a `native_functions.yaml` outside PyTorch, in any namespace.
//!
//! Data flows `LibraryYaml, LibraryPaths -> LibrarySource -> CheckedLibrary -> derivatives ->
//! namespaces -> files`. Invariant: a stage takes what it needs as values, so that none can be run
//! before those that it depends on.

mod abi;
mod checked;
mod derivatives;
mod entries;
mod files;
mod flags;
mod namespace;
pub mod new;
mod package;
mod paths;
mod source;
mod spelled;
mod state;
mod uses;
mod yaml;

pub use files::make_from;
pub(crate) use files::renderer;
pub use paths::LibraryPaths;
pub use source::{LibrarySource, read_entries};
pub use state::things;
pub use uses::{How, Use, of_formulas, uses};
pub use yaml::LibraryYaml;

use torchgen_generators::args::GenerateArgs;
use torchgen_kit::driver::output::{self, GeneratedFiles, WriteOptions};
use torchgen_kit::driver::report::Summary;
use torchgen_kit::driver::templates::OverlayJob;
use torchgen_kit::driver::{JobError, Session};

/// What the files of a library are for.
#[derive(Clone, Copy)]
pub enum Purpose<'j> {
    /// A library of its own, on the ABI that its settings name.
    Library,
    /// A part of a backend, on libtorch's C++ API. The job is the library's part of the run.
    Backend(&'j OverlayJob),
}

impl<'j> Purpose<'j> {
    /// The library's part of a run that does more.
    fn overlays(self) -> Option<&'j OverlayJob> {
        match self {
            Purpose::Library => None,
            Purpose::Backend(job) => Some(job),
        }
    }
}

/// `torchgen-rs generate` for a library.
///
/// # Errors
/// A flag is not for libraries, there is an error in the library's files, or a file cannot be read
/// or written.
pub fn generate(args: &GenerateArgs, session: &mut Session) -> Result<Summary, JobError> {
    flags::reject_aten_flags(args)?;
    flags::keep_apart(args, session)?;
    let files = make(args, Purpose::Library, session)?;
    let options =
        WriteOptions { common: &args.common, dry_run: args.dry_run, lists: args.output_dependencies.as_deref() };
    output::write(&options, files, session)
}

/// Makes the files.
pub fn make(args: &GenerateArgs, purpose: Purpose, session: &mut Session) -> Result<GeneratedFiles, JobError> {
    let paths = LibraryPaths::new(&args.source_paths, session);
    let torch_path = args.torch_path.as_deref();
    let (source, settings) = match purpose {
        Purpose::Library => {
            let yaml = LibraryYaml::read_library_yaml(&paths.root, session)?;
            let settings = yaml.settings(args.abi, args.torch_min, session)?;
            let tags = source::read_tags(&paths, session)?;
            (LibrarySource::read_library(paths, &yaml, tags, torch_path, session)?, settings)
        }
        Purpose::Backend(_) => (LibrarySource::with_yaml(paths, torch_path, session)?.0, yaml::in_pytorch()),
    };
    make_from(source, settings, args, purpose, session)
}
