//! `<namespace>.cmake`: the generated files of a library, as lists for CMake.
//!
//! Invariant: paths are relative to the file itself, so it can be copied together with them; it
//! lists what the run that wrote it generates, which `--generate` may restrict.

use serde::Serialize;

use torchgen_base::render::RenderError;
use torchgen_base::write::OutputFile;
use torchgen_generators::Context;

#[derive(Serialize)]
struct Lists<'a> {
    /// The prefix of the variables.
    prefix: &'a str,
    lists: Vec<List<'a>>,
}

#[derive(Serialize)]
struct List<'a> {
    name: &'static str,
    paths: Vec<&'a str>,
}

/// The lists.
pub(crate) fn lists(ctx: &Context, files: &[OutputFile]) -> Result<OutputFile, RenderError> {
    let prefix = ctx.namespaces.api.replace("::", "_");
    let list = |name, directory: &str, suffix: &str| {
        let paths = files.iter().map(|file| file.path.as_str());
        let mut paths: Vec<&str> = paths.filter(|p| p.starts_with(directory) && p.ends_with(suffix)).collect();
        paths.sort_unstable();
        List { name, paths }
    };
    let mut lists = vec![list("HEADERS", "include/", ".h"), list("SOURCES", "src/", ".cpp")];
    // A package of several namespaces is not below this file.
    lists.extend((!ctx.flags.in_python_package).then(|| list("PYTHON", "python/", "")));
    let view = Lists { prefix: &prefix, lists };
    let text = ctx.renderer.fragment("torch/library/library.cmake.j2", &view)?;
    Ok(OutputFile::new(super::MANAGER, format!("{prefix}.cmake"), text))
}
