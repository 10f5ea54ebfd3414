//! `torchgen-rs new`: creates an operator library to start from.
//!
//! The text of the files is in `templates/torch/new`.

use indexmap::IndexMap;
use serde::Serialize;

use super::abi;
use crate::library::Scaffold;
use torchgen_base::diag::Diagnostic;
use torchgen_base::lang::is_ascii_word;
use torchgen_base::render::RenderError;
use torchgen_base::write::OutputFile;
use torchgen_generators::args::NewLibraryArgs;
use torchgen_kit::driver::output;
use torchgen_kit::driver::report::Summary;
use torchgen_kit::driver::scaffold::{MANAGER, called_after, refuse_what_is_there, shell_word};
use torchgen_kit::driver::{JobError, Session};
use torchgen_model::codes;
use torchgen_model::model::version::Version;

/// The values for `templates/torch/new`.
#[derive(Serialize)]
struct Library<'a> {
    /// The namespace of the operators, the CMake target and the directory of the headers.
    namespace: &'a str,
    /// The Python package that users import.
    package: &'a str,
    /// It is the author's own one, and the generated one is inside it.
    inside: bool,
    /// The distribution's name, for pip.
    distribution: String,
    /// It is on the stable ABI.
    stable: bool,
    /// The CMake file enables CUDA, and one operator has a kernel for it.
    cuda: bool,
    /// The directory of the library, for a shell.
    dir: String,
    /// The oldest torch, on the stable ABI.
    torch_min: Version,
}

/// Creates a library.
pub fn new_library(args: &NewLibraryArgs, session: &mut Session) -> Result<Summary, JobError> {
    let namespace = match &args.namespace {
        Some(namespace) => namespace.clone(),
        None => called_after(&args.dir),
    };
    check_namespace(&namespace)?;
    if let Some(package) = &args.inside {
        check_package(package)?;
    }
    refuse_what_is_there(&args.dir, session)?;
    let package = args.inside.as_ref().unwrap_or(&namespace);
    let abi = abi::abi_named(args.abi);
    let library = Library {
        namespace: &namespace,
        package,
        inside: args.inside.is_some(),
        distribution: package.replace('_', "-"),
        stable: abi.is_stable(),
        cuda: args.cuda,
        dir: shell_word(&args.dir),
        torch_min: args.torch_min.unwrap_or(Version::OLDEST),
    };
    if args.torch_min.is_some() && !abi.is_stable() {
        let error = Diagnostic::new(&codes::USAGE, "`--torch-min` is for libraries on the stable ABI");
        return Err(error.help("add `--abi stable`").into());
    }
    let Scaffold { files, cuda_file, next } = abi.scaffold();
    let renderer = session.renderer("torch", &args.common.template_dir)?;
    let render = |(path, template): &(&str, &str)| -> Result<OutputFile, RenderError> {
        Ok(OutputFile::new(MANAGER, *path, renderer.fragment(template, &library)?))
    };
    let cuda = args.cuda.then_some(cuda_file);
    let mut files: Vec<OutputFile> = files.iter().chain(cuda).map(render).collect::<Result<_, _>>()?;
    if let Some(package) = &args.inside {
        let own = |file: &str, template: &str| -> Result<OutputFile, RenderError> {
            let text = renderer.fragment(template, &library)?;
            Ok(OutputFile::new(MANAGER, format!("src/{package}/{file}"), text))
        };
        files.push(own("__init__.py", "torch/new/inside.py.j2")?);
        files.push(own("py.typed", "torch/new/py.typed.j2")?);
    }
    let next = renderer.fragment(next, &library)?;
    let summary = output::write_below(&args.common, MANAGER, &args.dir, files, renderer, session)?;
    Ok(Summary { said: Some(next.trim_end().to_owned()), ..summary })
}

/// A namespace must be a valid name in C++, in Python and, with dashes, for pip, and not be in use.
fn check_namespace(namespace: &str) -> Result<(), JobError> {
    let ends = |c: &char| c.is_ascii_alphanumeric();
    let is_name = namespace.starts_with(|c: char| c.is_ascii_alphabetic())
        && namespace.chars().last().as_ref().is_some_and(ends)
        && namespace.chars().all(is_ascii_word)
        && !namespace.contains("__");
    let error = if is_name {
        match owner(namespace) {
            Some(whose) => format!("`{namespace}` is {whose}, so it cannot be the name of a library"),
            None => return Ok(()),
        }
    } else {
        format!(
            "`{namespace}` cannot be a namespace of operators: it must start with a letter, followed by letters, digits and single underscores between them"
        )
    };
    Err(Diagnostic::new(&codes::USAGE, error).help("choose another name with --namespace, such as my_ops").into())
}

/// A package of the author must be a valid name in Python that nobody else has.
fn check_package(package: &str) -> Result<(), JobError> {
    let is_name = package.chars().all(is_ascii_word) && package.starts_with(|c: char| c.is_ascii_alphabetic());
    let error = match owner(package) {
        _ if !is_name => format!("`{package}` is not a valid name for a Python package"),
        Some(whose) => format!("`{package}` is {whose}, so it cannot be the name of a package"),
        None => return Ok(()),
    };
    Err(Diagnostic::new(&codes::USAGE, error).help("choose another name with --inside, such as my_package").into())
}

/// Whose a name is that projects cannot have.
fn owner(name: &str) -> Option<String> {
    // The names by their owner.
    let reserved: IndexMap<String, Vec<String>> = torchgen_data::text("torch/reserved_namespaces.yaml")
        .and_then(|text| serde_yaml::from_str(text).ok())
        .expect("a test reads the embedded table");
    reserved.into_iter().find(|(_, names)| names.iter().any(|own| own == name)).map(|(whose, _)| whose)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(namespace: &str, error: Option<&str>) {
        let found = check_namespace(namespace).err().map(|stop| match stop {
            JobError::Failed(reasons) => reasons[0].message.clone(),
            JobError::Input | JobError::Stopped => String::new(),
        });
        assert_eq!(found.as_deref(), error);
    }

    #[test]
    fn namespaces_are_names_that_nobody_has() {
        check("my_ops", None);
        check("Curves2", None);
        check("aten", Some("`aten` is PyTorch's own, or the language's, so it cannot be the name of a library"));
        check("while", Some("`while` is a word of C++, so it cannot be the name of a library"));
        check("lambda", Some("`lambda` is a word of Python, so it cannot be the name of a library"));
        check("None", Some("`None` is a word of Python, so it cannot be the name of a library"));
        check("signal", Some("`signal` is a module of Python, so it cannot be the name of a library"));
        check("linux", Some("`linux` is a macro of compilers, so it cannot be the name of a library"));
        for name in ["", "2d", "my ops", "a::b", "a__b", "_a", "a_", "größe", "a.b", "../a"] {
            check(
                name,
                Some(&format!(
                    "`{name}` cannot be a namespace of operators: it must start with a letter, followed by letters, digits and single underscores between them"
                )),
            );
        }
    }
}
