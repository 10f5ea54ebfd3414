//! The lists of a selective build: which operators, kernels and classes models use.
//!
//! Invariant: lists that the reference writes in the arbitrary order of a set are sorted.
//! Rule: PyTorch's tools/code_analyzer and tools/setup_helpers/gen_version_header.py.

mod closure;
mod json;
mod operators_yaml;
pub(crate) mod oplist;
mod version_header;
mod yaml_text;

use std::collections::BTreeSet;

use self::closure::{BuildUse, Dependencies, canonical_name};
pub(crate) use self::operators_yaml::generate as operators_yaml;
pub(crate) use self::oplist::generate as oplist;
pub(crate) use self::version_header::generate as version_header;
use crate::driver::report::{Summary, write_data};
use crate::driver::{JobError, Session};
use crate::families::torch::args::AllowlistArgs;
use crate::families::torch::records;
use crate::write::Manager;
use crate::yaml;

/// Where the files go. In no list of outputs.
const MANAGER: Manager = Manager::new("selection", None);

/// Prints the operators that a build with some root operators needs, with blanks between them.
///
/// # Errors
/// A file cannot be read, or has errors.
pub(crate) fn allowlist(args: &AllowlistArgs, session: &mut Session) -> Result<Summary, JobError> {
    let dependencies = match &args.op_dependency {
        Some(path) => Dependencies::read(path, session)?,
        None => Dependencies::default(),
    };
    let root = session.read_yaml(&args.root_ops, yaml::Options::SAFE_LOAD)?;
    let roots = records::read_roots(root, &mut session.diagnostics);
    session.check(args.common.strict)?;
    let names: BTreeSet<String> =
        dependencies.closure(roots.iter().map(|name| canonical_name(name)), BuildUse::Inference);
    let names = names.into_iter().collect::<Vec<_>>().join(" ");
    write_data(&format!("{names}\n"))?;
    Ok(Summary { silent: true, ..Summary::default() })
}
