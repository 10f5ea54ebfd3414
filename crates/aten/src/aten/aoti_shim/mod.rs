//! c_shim_*.{h,cpp}: C functions through which AOTInductor-compiled code calls operators, with a
//! stable ABI.
//!
//! Invariant: an existing header is part of that ABI; it is written only on request, and otherwise
//! must equal the generated one. The list of operators is data. Rule: torchgen/gen_aoti_c_shim.py,
//! `gen_aoti_c_shim_files`.

pub mod external;
mod table;
mod view;

use std::path::Path;

use self::view::Library;
use torchgen_base::diag::{Diagnostic, gather_lists, unified_diff};
use torchgen_base::render::RenderError;
use torchgen_base::write::OutputFile;
use torchgen_generators::managers;
use torchgen_generators::names::file_named;
use torchgen_generators::{Context, Errors, Outcome};
use torchgen_model::codes;
use torchgen_model::model::DispatchKey;

pub use self::table::Entry;
pub use self::view::{functions, python_name, texts};

/// How many lines of a difference are shown.
const SHOWN: usize = 24;

/// Generates the sources, and the headers if they are to be updated.
pub(crate) fn run(ctx: &Context) -> Outcome {
    let mut files = Vec::new();
    for library in libraries(ctx)? {
        if ctx.flags.update_aoti_c_shim {
            files.push(OutputFile::new(managers::AOTI, header_name(&library.device), header(ctx, &library)?));
        }
        let source = ctx.renderer.fragment("torch/aoti_shim/source.cpp.j2", &library)?;
        files.push(OutputFile::new(managers::AOTI, format!("c_shim_{}.cpp", library.device), source));
    }
    Ok(files)
}

/// The names of [`run`].
pub(crate) fn names(ctx: &Context) -> Outcome {
    let mut files = Vec::new();
    for device in ctx.aoti_backends.iter().map(|key| view::device(*key)) {
        if ctx.flags.update_aoti_c_shim {
            files.push(file_named(managers::AOTI, header_name(&device)));
        }
        files.push(file_named(managers::AOTI, format!("c_shim_{device}.cpp")));
    }
    Ok(files)
}

/// Compares the existing headers with the generated ones, unless they are to be updated. All
/// differences are reported.
///
/// Operators without a shim are shown with `--verbose`. Shims are made only if there is something
/// to report about them.
pub fn check_existing_headers(ctx: &Context) -> Result<Vec<Diagnostic>, Errors> {
    let mut found = Vec::new();
    let mut missing = Vec::new();
    for &key in ctx.aoti_backends {
        let library = Library::new(ctx, key)?;
        if !ctx.flags.update_aoti_c_shim {
            let name = header_of(key);
            let path = ctx.flags.aoti_install_dir.join(&name);
            match read_file(&path) {
                Ok(old) => {
                    let changed = compare(&path, &old, &header(ctx, &library)?);
                    // The header that the shims extend, which `--update-aoti-c-shim` wrote.
                    let is_extended =
                        changed.is_some() && library.extends() && compare(&path, &old, &in_tree(ctx, key)?).is_none();
                    found.extend(changed.filter(|_| !is_extended));
                }
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => missing.push(name),
                Err(error) => found
                    .push(Diagnostic::new(&codes::READ_FAILED, format!("cannot read `{}`: {error}", path.display()))),
            }
        }
        found.extend(library.left_out);
    }
    if !missing.is_empty() {
        let dir = ctx.flags.aoti_install_dir.display();
        let message = format!("`{dir}` has no {} to compare the AOTInductor shims with", missing.join(", "));
        found.push(Diagnostic::new(&codes::SHIM_HEADER_MISSING, message));
    }
    Ok(found)
}

/// The bytes of a file; reading a pipe would wait for its other end.
fn read_file(path: &Path) -> std::io::Result<Vec<u8>> {
    match std::fs::metadata(path)?.is_file() {
        true => std::fs::read(path),
        false => Err(std::io::Error::other("it is not a file")),
    }
}

fn libraries(ctx: &Context) -> Result<Vec<Library>, Errors> {
    Ok(gather_lists(ctx.aoti_backends.iter().map(|&key| Library::new(ctx, key)))?)
}

fn header_name(device: &str) -> String {
    format!("c_shim_{device}.h")
}

/// The header of a key's shims, which [`check_existing_headers`] reads; `None` is the aten shim.
pub(crate) fn header_of(key: Option<DispatchKey>) -> String {
    header_name(&view::device(key))
}

fn header(ctx: &Context, library: &Library) -> Result<String, RenderError> {
    ctx.renderer.fragment("torch/aoti_shim/header.h.j2", library)
}

/// The header of a key's shims in PyTorch's own tree, where those of composite kernels are too.
fn in_tree(ctx: &Context, key: Option<DispatchKey>) -> Result<String, Errors> {
    Ok(header(ctx, &Library::in_tree(ctx, key)?)?)
}

/// An error if the existing header differs from the generated one. Line ends are ignored.
fn compare(path: &Path, old: &[u8], new: &str) -> Option<Diagnostic> {
    let old = String::from_utf8_lossy(old);
    let diff = unified_diff(&old, new, SHOWN)?;
    let message =
        format!("the AOTInductor shims have changed: `{}` differs from what would be generated", path.display());
    Some(
        Diagnostic::new(&codes::SHIM_CHANGED, message)
            .note(diff)
            .note("removing a shim or changing its arguments breaks models that were compiled against it")
            .help("if shims were only added, accept them with `--update-aoti-c-shim`")
            .help("to give an operator a new argument, add a version of its shim to the table of fallback operators"),
    )
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use torchgen_base::diag::{Color, Sources, human};

    fn check(old: &str, expected: &str) {
        let new = "#pragma once\n\nvoid abs(int);\nvoid add(int);\n";
        let found = super::compare(Path::new("generated/c_shim_cpu.h"), old.as_bytes(), new);
        let shown = found.map(|d| human(&d, &Sources::new(), Color::Never)).unwrap_or_default();
        assert_eq!(shown, expected);
    }

    #[test]
    fn headers_that_are_there() {
        check("#pragma once\n\nvoid abs(int);\nvoid add(int);\n", "");
        check("#pragma once\r\n\r\nvoid abs(int);\r\nvoid add(int);\r\n", "");
        check(
            "#pragma once\n\nvoid abs(int);\nvoid add(char);\n",
            "\
error[TG0531]: the AOTInductor shims have changed: `generated/c_shim_cpu.h` differs from what would be generated
 |
 = note: --- existing
         +++ generated
         @@ -3,2 +3,2 @@
          void abs(int);
         -void add(char);
         +void add(int);
 = note: removing a shim or changing its arguments breaks models that were compiled against it
 = help: if shims were only added, accept them with `--update-aoti-c-shim`
 = help: to give an operator a new argument, add a version of its shim to the table of fallback operators
",
        );
    }
}
