//! What the flags of `generate` mean for a library.
//!
//! Invariant: a flag without effect on a library is an error, and so is one that would mix what is
//! generated with what is written.

use super::paths::directory_of;
use torchgen_base::diag::Diagnostic;
use torchgen_generators::args::GenerateArgs;
use torchgen_generators::{Flags, OutputKind};
use torchgen_kit::driver::{JobError, Session};
use torchgen_model::codes;
use torchgen_model::model::{BackendIndices, DispatchKey};

/// Those that generators get for all namespaces.
pub(super) fn flags_of(args: &GenerateArgs, python_package: Option<String>) -> Flags {
    Flags {
        per_operator_headers: args.per_operator_headers,
        skip_dispatcher_op_registration: args.skip_dispatcher_op_registration,
        force_schema_registration: args.force_schema_registration,
        python_package,
        package_version: args.package_version.clone(),
        ..Flags::default()
    }
}

/// Whether to make that kind of output; without a selection, all are made.
pub(super) fn wanted(args: &GenerateArgs, kind: OutputKind) -> bool {
    args.generate.as_ref().is_none_or(|kinds| kinds.contains(&kind))
}

/// The keys to register kernels for.
pub(super) fn dispatch_keys(indices: &BackendIndices, args: &GenerateArgs) -> Vec<DispatchKey> {
    let mut keys: Vec<DispatchKey> = indices.iter().map(|index| index.dispatch_key).collect();
    if let Some(listed) = args.backend_whitelist.as_ref().filter(|names| !names.is_empty()) {
        keys.retain(|key| key.is_generic() || listed.iter().any(|name| name == key.as_str()));
    }
    keys
}

/// Refuses flags that only ATen's own build uses.
///
/// # Errors
/// One is given.
pub(super) fn reject_aten_flags(args: &GenerateArgs) -> Result<(), JobError> {
    let wants = |kind| args.generate.as_ref().is_some_and(|kinds| kinds.contains(&kind));
    let given = [
        ("--mps", args.mps),
        ("--xpu", args.xpu),
        ("--rocm", args.rocm),
        ("--mtia", args.mtia),
        ("--update-aoti-c-shim", args.update_aoti_c_shim),
        ("--extend-aoti-c-shim", args.extend_aoti_c_shim),
        ("--generate declarations_yaml", wants(OutputKind::DeclarationsYaml)),
        ("--torch", args.release.torch.is_some()),
        ("--static-dispatch-backend", args.static_dispatch_backend.as_ref().is_some_and(|keys| !keys.is_empty())),
    ];
    let errors: Vec<Diagnostic> = given
        .iter()
        .filter(|(_, given)| *given)
        .map(|(flag, _)| {
            Diagnostic::new(&codes::USAGE, format!("{flag} is for ATen's own files"))
                .note(format!("`{}` is an operator library", args.source_path().display()))
        })
        .collect();
    if errors.is_empty() { Ok(()) } else { Err(JobError::Failed(errors)) }
}

/// Refuses an output directory that has sources.
///
/// # Errors
/// It is one of the source paths, or has one of the source files.
pub(super) fn keep_apart(args: &GenerateArgs, session: &mut Session) -> Result<(), JobError> {
    let out = session.seen.identity(&args.install_dir);
    for path in &args.source_paths {
        let source = if session.seen.is_file(path) { directory_of(path) } else { path };
        if session.seen.identity(source) == out {
            let message = format!("the output directory is that of the sources, `{}`", source.display());
            let error = Diagnostic::new(&codes::USAGE, message).note("what is generated would be among what you write");
            let apart = source.strip_prefix(".").unwrap_or(source).join("generated");
            return Err(error.help(format!("name another directory: `-d {}`", apart.display())).into());
        }
    }
    Ok(())
}
