//! The flags of `torchgen-rs generate`. Rule: torchgen/gen.py, `main`.

use std::path::{Path, PathBuf};

use clap::builder::PossibleValue;
use clap::builder::{OsStringValueParser, TypedValueParser as _};
use clap::{Args, ValueEnum};

use super::SOURCES;
use super::stable::Abi;
use crate::OutputKind;
use torchgen_kit::driver::args::CommonArgs;
use torchgen_kit::driver::job::{JobArgs, Remembered};
use torchgen_model::model::version::{Version, torch_min};

impl ValueEnum for OutputKind {
    fn value_variants<'a>() -> &'a [Self] {
        OutputKind::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let value = PossibleValue::new(self.name()).help(self.about());
        Some(match self {
            // The spelling used in CMake files.
            OutputKind::DeclarationsYaml => value.alias("declarations-yaml"),
            _ => value,
        })
    }
}

/// The layout of the source path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LayoutChoice {
    /// Like PyTorch's aten/src/ATen: native/native_functions.yaml, native/tags.yaml, templates/
    Aten,
    /// An operator library: native_functions.yaml, derivatives.yaml
    Library,
}

impl GenerateArgs {
    /// The source path in PyTorch's layout.
    pub fn source_path(&self) -> &Path {
        super::last_source_path(&self.source_paths)
    }
}

/// The flags of `generate`.
#[derive(Debug, Clone, Args)]
pub struct GenerateArgs {
    /// Directory with native/native_functions.yaml (ATen) or native_functions.yaml (operator
    /// library). A library may have further directories, and files of operators; its settings are
    /// those of the first directory
    #[arg(
        long = "source-path", short = 's', value_name = "PATH", num_args = 1.., action = clap::ArgAction::Append,
        default_value = SOURCES
    )]
    pub source_paths: Vec<PathBuf>,
    /// Directory to write to
    #[arg(long, short = 'd', value_name = "DIR", default_value = "build/aten/src/ATen")]
    pub install_dir: PathBuf,
    /// Also write CMake lists of the outputs, next to this file
    #[arg(long, short = 'o', value_name = "FILE")]
    pub output_dependencies: Option<PathBuf>,
    /// Write only the lists of --output-dependencies
    #[arg(long)]
    pub dry_run: bool,
    /// What to generate [default: headers, sources and declarations_yaml; everything in an operator
    /// library]
    #[arg(long, value_enum, num_args = 0.., action = clap::ArgAction::Append, value_name = "KIND")]
    pub generate: Option<Vec<OutputKind>>,
    /// Write one set of headers per operator, in ops/
    #[arg(long)]
    pub per_operator_headers: bool,
    /// Layout of the source path [default: detected from its files]
    #[arg(long, value_enum)]
    pub layout: Option<LayoutChoice>,

    /// Name of the Python package [default: the last part of the namespace]
    #[arg(long, help_heading = "Operator libraries", value_name = "NAME")]
    pub python_package: Option<String>,
    /// The sources of the library's kernels, which are compared with the YAML first; kernels that
    /// C++ can convert to, such as those that take `torch::Tensor&`, are declared as they are
    // An empty path means none, whatever library.yaml has.
    #[arg(
        long, help_heading = "Operator libraries", num_args = 1.., action = clap::ArgAction::Append, value_name = "PATH",
        value_parser = OsStringValueParser::new().map(PathBuf::from)
    )]
    pub kernels: Vec<PathBuf>,
    /// The Python modules of the library's package, in which functions of `fake:` are looked for
    /// [default: those in SOURCE_PATH/python and SOURCE_PATH]
    #[arg(long, help_heading = "Operator libraries", num_args = 1.., action = clap::ArgAction::Append, value_name = "FILE")]
    pub python_modules: Vec<PathBuf>,
    /// Directory of the torch that a library is built for: a checkout of PyTorch, site-packages, or
    /// the package torch or torchgen in it [default: found in the environment]
    #[arg(long, help_heading = "Operator libraries", value_name = "DIR")]
    pub torch_path: Option<PathBuf>,
    /// What the library needs of libtorch [default: that of library.yaml, or unstable]
    #[arg(long, help_heading = "Operator libraries", value_enum, value_name = "ABI")]
    pub abi: Option<Abi>,
    /// The oldest torch that a library on the stable ABI must work with [default: that of
    /// library.yaml, or 2.10]
    #[arg(long, help_heading = "Operator libraries", value_name = "VERSION", value_parser = torch_min)]
    pub torch_min: Option<Version>,

    /// Directory of the AOTInductor C shims
    #[arg(long, help_heading = "ATen", value_name = "DIR", default_value = "torch/csrc/inductor/aoti_torch/generated")]
    pub aoti_install_dir: PathBuf,
    /// Directory of header-only files such as enum_tag.h [default: INSTALL_DIR/core]
    #[arg(long, help_heading = "ATen", value_name = "DIR")]
    pub headeronly_install_dir: Option<PathBuf>,
    /// Directory of native-AOT declarations (<op>/aot.py); an empty string disables them [default:
    /// SOURCE_PATH/../../../torch/_native/ops]
    #[arg(long, help_heading = "ATen", value_name = "DIR", value_parser = OsStringValueParser::new().map(PathBuf::from))]
    #[allow(rustdoc::invalid_html_tags, reason = "the text is the flag's help")]
    pub(crate) native_aot_ops_dir: Option<PathBuf>,
    /// Use the headers of ROCm instead of those of CUDA
    #[arg(long, help_heading = "ATen")]
    pub rocm: bool,
    /// Also register the MPS keys
    #[arg(long, help_heading = "ATen")]
    pub mps: bool,
    /// Also register the XPU keys
    #[arg(long, help_heading = "ATen")]
    pub xpu: bool,
    /// Also register the MTIA key
    #[arg(long, help_heading = "ATen")]
    pub mtia: bool,
    /// Dispatch statically to these backends
    #[arg(long, help_heading = "ATen", num_args = 0.., action = clap::ArgAction::Append, value_name = "KEY")]
    pub static_dispatch_backend: Option<Vec<String>>,
    /// Rewrite the headers of the AOTInductor C shims instead of checking them
    #[arg(long, help_heading = "ATen")]
    pub update_aoti_c_shim: bool,
    /// Generate the AOTInductor C shims of out-of-tree operators
    #[arg(long, help_heading = "ATen")]
    pub extend_aoti_c_shim: bool,

    /// Register only these operators (namespace::name, without overloads)
    #[arg(
        long, help_heading = "Selection", num_args = 0.., action = clap::ArgAction::Append, value_name = "OP",
        conflicts_with = "op_selection_yaml_path"
    )]
    pub(crate) op_registration_whitelist: Option<Vec<String>>,
    /// Register only the operators that this selective-build YAML selects
    #[arg(long, help_heading = "Selection", value_name = "FILE")]
    pub op_selection_yaml_path: Option<PathBuf>,
    /// Generate only for these dispatch keys and the composite ones
    #[arg(long, help_heading = "Selection", num_args = 0.., action = clap::ArgAction::Append, value_name = "KEY")]
    pub backend_whitelist: Option<Vec<String>>,
    /// Do not register operators
    #[arg(long, help_heading = "Selection")]
    pub skip_dispatcher_op_registration: bool,
    /// Register the schemas of all operators, selected or not
    #[arg(long, help_heading = "Selection")]
    pub force_schema_registration: bool,

    /// Directory with derivatives.yaml, deprecated.yaml and templates/, for --generate autograd
    /// python in the ATen layout
    #[arg(long, help_heading = "Autograd", value_name = "DIR")]
    pub autograd_dir: Option<PathBuf>,
    /// Directory for autograd's outputs in the ATen layout
    #[arg(long, help_heading = "Autograd", value_name = "DIR")]
    pub autograd_install_dir: Option<PathBuf>,
    /// Directory that contains torchgen/; "@generated" comments name templates relative to it
    #[arg(long, help_heading = "Autograd", value_name = "DIR")]
    pub torchgen_root: Option<PathBuf>,

    /// YAML file with text to add to generated files, and with includes to replace or remove
    #[arg(long, value_name = "FILE")]
    pub hooks: Option<PathBuf>,
    /// Flags of every subcommand.
    #[command(flatten, next_help_heading = "Tool")]
    pub common: CommonArgs,
}

impl JobArgs for GenerateArgs {
    const SETS: &'static [&'static str] = &["generate", "op_registration_whitelist", "backend_whitelist"];

    fn common(&self) -> CommonArgs {
        self.common.clone()
    }

    fn remembered(&self) -> Option<Remembered> {
        let lists = self.output_dependencies.clone();
        Some(Remembered { dir: self.install_dir.clone(), dry_run: self.dry_run, lists })
    }
}
