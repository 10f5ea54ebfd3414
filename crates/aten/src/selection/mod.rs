//! The lists of a selective build: which operators, kernels and classes models use.
//!
//! Invariant: lists that the reference writes in the arbitrary order of a set are sorted.
//! Rule: PyTorch's tools/code_analyzer and tools/setup_helpers/gen_version_header.py.

mod closure;
mod json;
mod operators_yaml;
pub mod oplist;
mod version_header;
mod yaml_text;

use std::collections::BTreeSet;

use self::closure::{BuildUse, Dependencies, canonical_name};
pub use self::operators_yaml::generate as operators_yaml;
pub use self::oplist::generate as oplist;
pub use self::version_header::generate as version_header;
use torchgen_base::write::Manager;
use torchgen_base::yaml;
use torchgen_generators::args::AllowlistArgs;
use torchgen_kit::driver::report::{Summary, print_data};
use torchgen_kit::driver::{JobError, Session};
use torchgen_model::records;

/// Where the files go. In no list of outputs.
const MANAGER: Manager = Manager::new("selection", None);

/// Prints the operators that a build with some root operators needs, with blanks between them.
pub fn allowlist(args: &AllowlistArgs, session: &mut Session) -> Result<Summary, JobError> {
    let dependencies = match &args.op_dependency {
        Some(path) => Dependencies::read_graph(path, session)?,
        None => Dependencies::default(),
    };
    let root = session.read_yaml(&args.root_ops, yaml::Options::SAFE_LOAD)?;
    let roots = records::read_roots(root, &mut session.diagnostics);
    session.fail_on_errors(args.common.strict)?;
    let names: BTreeSet<String> =
        dependencies.closure(roots.iter().map(|name| canonical_name(name)), BuildUse::Inference);
    let names = names.into_iter().collect::<Vec<_>>().join(" ");
    print_data(&format!("{names}\n"), session)
}
