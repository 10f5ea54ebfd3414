//! Creates projects, and writes the CMake module that they use.
//!
//! Invariant: a directory that is not empty is left alone. The text of projects is in `templates/`.

use std::path::Path;

use serde::Serialize;

use super::args::CommonArgs;
use super::output;
use super::report::Summary;
use super::{JobError, Session};
use torchgen_base::diag::{Diagnostic, codes};
use torchgen_base::lang::is_identifier;
use torchgen_base::render::RenderError;
use torchgen_base::write::{Manager, OutputFile};

/// The manager of the files. No list names them.
pub const MANAGER: Manager = Manager::new("kit", None);

/// A project to create.
pub struct Project<'a> {
    /// Its family.
    pub family: &'a str,
    /// Its directory.
    pub dir: &'a Path,
    /// Its name, unless it is that of the directory.
    pub name: Option<&'a str>,
    /// Its files: path and template of each.
    pub files: &'a [(&'a str, &'a str)],
    /// The template of what to do next.
    pub next: &'a str,
}

/// The data of a project's templates.
#[derive(Serialize)]
struct ProjectView<'a> {
    family: &'a str,
    /// An identifier: the CMake target and the namespace.
    name: String,
    /// The project's directory, for a shell.
    dir: String,
}

/// A path as a word of a shell.
pub fn shell_word(path: &Path) -> String {
    let text = path.display().to_string();
    let plain = shlex::try_quote(&text).map(Into::into);
    plain.unwrap_or(text)
}

/// Creates a project of a family.
///
/// # Errors
/// The family has no project, the directory is not empty, or a file cannot be written.
pub fn new_project(project: &Project<'_>, common: &CommonArgs, session: &mut Session) -> Result<Summary, JobError> {
    let usage = |message: String| Diagnostic::new(&codes::USAGE, message);
    let Some((folder, _)) = project.files.first().and_then(|(_, template)| template.split_once('/')) else {
        return Err(usage(format!("`new` does not support the family `{}`", project.family)).into());
    };
    let name = project.name.map_or_else(|| called_after(project.dir), str::to_owned);
    if !is_identifier(&name) || name.starts_with('_') {
        let diagnostic = usage(format!("`{name}` cannot be the name of a CMake target and a C++ namespace"));
        return Err(diagnostic.help("choose another name with --namespace, for instance my_ir").into());
    }
    refuse_what_is_there(project.dir, session)?;
    let view = ProjectView { family: project.family, name, dir: shell_word(project.dir) };
    let renderer = session.renderer(folder, &common.template_dir)?;
    let render = |(path, template): &(&str, &str)| -> Result<OutputFile, RenderError> {
        Ok(OutputFile::new(MANAGER, *path, renderer.fragment(template, &view)?))
    };
    let files = project.files.iter().map(render).collect::<Result<_, _>>()?;
    let next = renderer.fragment(project.next, &view)?;
    let summary = output::write_below(common, MANAGER, project.dir, files, renderer, session)?;
    Ok(Summary { said: Some(next.trim_end().to_owned()), ..summary })
}

/// Writes the files of the CMake module: the name and the text of each.
pub fn cmake_module(
    dir: &Path,
    module: [(&str, String); 2],
    common: &CommonArgs,
    session: &mut Session,
) -> Result<Summary, JobError> {
    let renderer = session.renderer("", &common.template_dir)?;
    let files = module.into_iter().map(|(name, text)| OutputFile::new(MANAGER, name, text)).collect();
    output::write_below(common, MANAGER, dir, files, renderer, session)
}

/// The directory's name as a C++ name. `.` resolves to the name of the current directory.
pub fn called_after(dir: &Path) -> String {
    let dir = std::path::absolute(dir).unwrap_or_else(|_| dir.to_owned());
    dir.file_name().map(|name| name.to_string_lossy().replace(['-', ' '], "_")).unwrap_or_default()
}

/// Refuses a directory that is not empty.
///
/// # Errors
/// The directory is not empty or cannot be read.
pub fn refuse_what_is_there(dir: &Path, session: &mut Session) -> Result<(), JobError> {
    let help = "name an empty directory, or one that does not exist yet";
    let entries = match session.seen.entries(dir) {
        Ok(entries) => entries.len(),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        Err(error) => {
            let message = format!("`{}` cannot be used: {error}", dir.display());
            return Err(Diagnostic::new(&codes::USAGE, message).help(help).into());
        }
    };
    if entries == 0 {
        return Ok(());
    }
    Err(Diagnostic::new(&codes::USAGE, format!("`{}` is not empty", dir.display())).help(help).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_words_of_a_shell() {
        assert_eq!(shell_word(Path::new("a/my-ops_2.x")), "a/my-ops_2.x");
        assert_eq!(shell_word(Path::new("my ops")), "'my ops'");
        assert_eq!(shell_word(Path::new("it's")), "\"it's\"");
    }

    #[test]
    fn directories_give_their_names() {
        assert_eq!(called_after(Path::new("a/my-ops")), "my_ops");
        assert_eq!(called_after(Path::new("my ops/")), "my_ops");
        assert_eq!(called_after(Path::new("/")), "");
    }
}
