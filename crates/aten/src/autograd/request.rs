//! What to generate, in one form for both subcommands.
//!
//! Invariant: paths are as given, or joined from given ones. Rule:
//! tools/setup_helpers/generate_code.py.

use std::path::{Path, PathBuf};

use torchgen_base::diag::Diagnostic;
use torchgen_generators::OutputKind;
use torchgen_generators::args::{AutogradArgs, AutogradSubset, GenerateArgs, GenerateCodeArgs, GenerateCodeSubset};
use torchgen_kit::driver::args::CommonArgs;
use torchgen_model::codes;
use torchgen_model::model::version::Version;

/// What to generate.
pub struct Request {
    pub(crate) native_functions: PathBuf,
    pub(crate) tags: PathBuf,
    /// The directory with derivatives.yaml, deprecated.yaml and templates/.
    pub(crate) autograd_dir: PathBuf,
    /// The templates of ATen, if files are made from them in the same run.
    pub(crate) beside: Option<PathBuf>,
    /// The directory for C++ files.
    pub(crate) cpp_dir: PathBuf,
    /// Bindings of view metas, which have a directory of their own.
    pub(crate) view_metas: Option<ViewMetas>,
    /// The directory for annotated_fn_args.py.
    pub(crate) python_dir: PathBuf,
    /// Whether to make Python bindings.
    pub(crate) python_bindings: bool,
    /// Whether to make the files of libtorch.
    pub(crate) libtorch: bool,
    /// Whether to make annotated_fn_args.py.
    pub(crate) annotated: bool,
    pub(crate) disable_autograd: bool,
    pub(crate) selected_op_list: Option<PathBuf>,
    pub(crate) operators_yaml: Option<PathBuf>,
    /// The directory that contains `torchgen/`, if it is not to be searched for.
    pub(crate) torchgen_root: Option<PathBuf>,
    /// The program that "@generated" comments name; by default one in the autograd directory.
    pub(crate) generator: Option<&'static str>,
    /// Whether files are compared and not written.
    pub dry_run: bool,
    /// The version of torch that the user gave.
    pub(crate) torch: Option<Version>,
    /// The flags of every command.
    pub common: CommonArgs,
}

/// The templates and the directory of the bindings of view metas.
pub(crate) struct ViewMetas {
    /// ATen's templates.
    pub(crate) templates: PathBuf,
    /// The directory for them.
    pub dir: PathBuf,
}

impl From<&AutogradArgs> for Request {
    fn from(args: &AutogradArgs) -> Self {
        let wants = |subset| args.subset.is_none_or(|wanted| wanted == subset);
        Request {
            native_functions: args.native_functions_path.clone(),
            tags: args.tags_path.clone(),
            autograd_dir: args.autograd_dir.clone(),
            beside: None,
            cpp_dir: args.install_dir.clone(),
            view_metas: None,
            python_dir: args.install_dir.clone(),
            python_bindings: wants(AutogradSubset::Pybindings),
            libtorch: wants(AutogradSubset::Libtorch),
            annotated: wants(AutogradSubset::Annotated),
            disable_autograd: args.disable_autograd,
            selected_op_list: args.selected_op_list_path.clone(),
            operators_yaml: args.operators_yaml_path.clone(),
            torchgen_root: args.torchgen_root.clone(),
            generator: None,
            dry_run: args.dry_run,
            torch: args.release.torch,
            common: args.common.clone(),
        }
    }
}

impl Request {
    /// The directory with `native/` and ATen's templates.
    pub(crate) fn source_path(&self) -> &Path {
        self.native_functions.parent().and_then(Path::parent).unwrap_or(Path::new(""))
    }

    /// What `generate` makes besides ATen's own files; `None` if nothing.
    ///
    /// # Errors
    /// `--generate` requests autograd without its directories.
    pub fn beside_aten(args: &GenerateArgs) -> Result<Option<Self>, Diagnostic> {
        let wants = |kind| args.generate.as_ref().is_some_and(|kinds| kinds.contains(&kind));
        let (libtorch, python) = (wants(OutputKind::Autograd), wants(OutputKind::Python));
        if !libtorch && !python {
            return Ok(None);
        }
        let (Some(autograd_dir), Some(install_dir)) = (&args.autograd_dir, &args.autograd_install_dir) else {
            let message = "--generate autograd and python need --autograd-dir and --autograd-install-dir";
            return Err(Diagnostic::new(&codes::USAGE, message));
        };
        Ok(Some(Request {
            native_functions: args.source_path().join("native").join("native_functions.yaml"),
            tags: args.source_path().join("native").join("tags.yaml"),
            autograd_dir: autograd_dir.clone(),
            beside: Some(args.source_path().join("templates")),
            cpp_dir: install_dir.clone(),
            view_metas: None,
            python_dir: install_dir.clone(),
            python_bindings: python,
            libtorch,
            annotated: python,
            disable_autograd: false,
            selected_op_list: None,
            operators_yaml: args.op_selection_yaml_path.clone(),
            torchgen_root: args.torchgen_root.clone(),
            generator: None,
            dry_run: args.dry_run,
            torch: args.release.torch,
            common: args.common.clone(),
        }))
    }
}

impl From<&GenerateCodeArgs> for Request {
    fn from(args: &GenerateCodeArgs) -> Self {
        let wants = |subset| args.subset.is_none_or(|wanted| wanted == subset);
        let cpp_root = args.install_dir.clone().unwrap_or_else(|| args.gen_dir.join("torch/csrc"));
        let python_dir =
            args.install_dir.clone().unwrap_or_else(|| args.gen_dir.join("torch/testing/_internal/generated"));
        let source = args.native_functions_path.parent().and_then(Path::parent).unwrap_or(Path::new(""));
        let view_metas =
            ViewMetas { templates: source.join("templates"), dir: cpp_root.join("functionalization/generated") };
        Request {
            native_functions: args.native_functions_path.clone(),
            tags: args.tags_path.clone(),
            autograd_dir: args.autograd_dir.clone(),
            beside: args.gen_lazy_ts_backend.then(|| source.join("templates")),
            cpp_dir: cpp_root.join("autograd/generated"),
            view_metas: Some(view_metas),
            python_dir,
            python_bindings: wants(GenerateCodeSubset::Pybindings),
            libtorch: wants(GenerateCodeSubset::Libtorch),
            annotated: wants(GenerateCodeSubset::Python),
            disable_autograd: args.disable_autograd,
            selected_op_list: args.selected_op_list_path.clone(),
            operators_yaml: args.operators_yaml_path.clone(),
            torchgen_root: args.torchgen_root.clone(),
            generator: Some("tools/setup_helpers/generate_code.py"),
            dry_run: false,
            torch: args.release.torch,
            common: args.common.clone(),
        }
    }
}
