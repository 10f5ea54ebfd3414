//! What the author's templates know of operators: things with their facts, and the keys under `own`
//! of the backend's YAML.
//!
//! Invariant: they are made only for a run with `--template-dir`, since embedded templates use none
//! of it.

use std::path::Path;
use std::sync::Arc;

use torchgen_base::render::{Operators, Renderer};
use torchgen_base::yaml::Text;
use torchgen_generators::args::BackendArgs;
use torchgen_kit::driver::{JobError, Session};
use torchgen_model::model::version::Version;
use torchgen_model::records::BackendRecord;
use torchgen_model::torch::Torch;

/// What is wanted of operators.
pub struct Wanted<'a> {
    /// Where PyTorch's files are.
    pub torch: &'a Torch,
    /// The version that the command line names.
    pub version: Option<Version>,
    /// The YAML of the backend.
    pub yaml: &'a Path,
    /// The operators that it lists, each with the author's own keys.
    pub own: &'a [(&'a Text, &'a [(Text, Text)])],
}

/// Makes them: facts of operators are the program's.
pub type Make = fn(&Wanted<'_>, &mut Session) -> Result<Arc<dyn Operators>, JobError>;

/// Gives them to the templates of a run.
pub(crate) fn serve(
    make: Make,
    torch: &Torch,
    record: &BackendRecord,
    args: &BackendArgs,
    renderer: &mut Renderer,
    session: &mut Session,
) -> Result<(), JobError> {
    if args.common.template_dir.is_empty() {
        return Ok(());
    }
    let of = |name: &Text| record.kernels.iter().find(|kernel| kernel.name == *name);
    let listed = record.supported.iter().chain(&record.full_codegen).chain(&record.ir_gen).chain(&record.autograd);
    let own: Vec<_> = listed.map(|name| (name, of(name).map_or(&[][..], |kernel| &kernel.own))).collect();
    let wanted = Wanted { torch, version: args.release.torch, yaml: &args.source_yaml, own: &own };
    renderer.set_operators(make(&wanted, session)?);
    Ok(())
}
