//! The flags of `torchgen-rs generate`. Rule: torchgen/gen.py, `main`.

use std::path::{Path, PathBuf};

use clap::builder::PossibleValue;
use clap::builder::{OsStringValueParser, TypedValueParser as _};
use clap::{Args, ValueEnum};

use super::ReleaseArgs;
use super::SOURCES;
use super::stable::Abi;
use crate::OutputKind;
use torchgen_kit::driver::args::{CommonArgs, INPUT, OUTPUT};
use torchgen_kit::driver::job::{JobArgs, Remembered};
use torchgen_model::model::rules::torch_min;
use torchgen_model::model::version::Version;

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
    /// YAML files, or directories of them
    ///
    /// A directory with native/native_functions.yaml (ATen), or with native_functions.yaml
    /// (operator library). A library may have further directories, and files of operators; its
    /// settings are those of the first directory. In the directory of a library, the default is
    /// that directory.
    #[arg(
        long = "source-path", short = 's', value_name = "PATH", num_args = 1.., action = clap::ArgAction::Append,
        default_value = SOURCES, help_heading = INPUT
    )]
    pub source_paths: Vec<PathBuf>,
    /// Directory to write to
    ///
    /// In the directory of a library, the default is `generated`.
    #[arg(long, visible_alias = "out-dir", short = 'd', value_name = "DIR", default_value = "build/aten/src/ATen", help_heading = OUTPUT)]
    pub install_dir: PathBuf,
    /// Also write CMake lists of the outputs, next to this file
    #[arg(long, short = 'o', aliases = ["ou", "out"], value_name = "FILE", help_heading = OUTPUT, hide_short_help = true)]
    pub output_dependencies: Option<PathBuf>,
    /// List the files that a run would write, and write none of them
    ///
    /// The lists of --output-dependencies are written.
    #[arg(long, help_heading = OUTPUT)]
    pub dry_run: bool,
    /// What to generate
    ///
    /// The default is headers, sources and declarations_yaml, and everything in an operator
    /// library.
    #[arg(long, value_enum, num_args = 0.., action = clap::ArgAction::Append, value_name = "KIND", help_heading = OUTPUT)]
    pub generate: Option<Vec<OutputKind>>,
    /// Write one set of headers per operator, in ops/
    #[arg(long, help_heading = OUTPUT)]
    pub per_operator_headers: bool,
    /// Layout of the source path, if its files do not show it
    #[arg(long, value_enum, help_heading = INPUT, hide_short_help = true)]
    pub layout: Option<LayoutChoice>,

    /// Name of the Python package
    ///
    /// The default is the last part of the namespace. A name with dots, such as `my_package._ops`,
    /// is that of a package inside your own one.
    #[arg(long, help_heading = "Operator libraries", hide_short_help = true, value_name = "NAME")]
    pub python_package: Option<String>,
    /// Version of the Python package, its `__version__`
    ///
    /// Without it, the package has none. CMake passes the version of the project.
    #[arg(long, help_heading = "Operator libraries", hide_short_help = true, value_name = "VERSION", value_parser = package_version)]
    pub package_version: Option<String>,
    /// The sources of the library's kernels
    ///
    /// They are compared with the YAML first. Kernels that C++ can convert to, such as those that
    /// take `torch::Tensor&`, are declared as they are.
    // An empty path means none, whatever library.yaml has.
    #[arg(
        long, help_heading = "Operator libraries", hide_short_help = true, num_args = 1.., action = clap::ArgAction::Append, value_name = "PATH",
        value_parser = OsStringValueParser::new().map(PathBuf::from)
    )]
    pub kernels: Vec<PathBuf>,
    /// Of the kernels, only what they do is compared, not whether they are defined.
    #[arg(skip)]
    pub reads_effects_only: bool,
    /// The Python modules of the library's package
    ///
    /// Functions of `fake:` are looked for in them. The default is those in SOURCE_PATH/python and
    /// SOURCE_PATH.
    #[arg(long, help_heading = "Operator libraries", hide_short_help = true, num_args = 1.., action = clap::ArgAction::Append, value_name = "FILE")]
    pub python_modules: Vec<PathBuf>,
    /// Where torch is: a checkout, or a directory that it is installed in
    ///
    /// That is a checkout of PyTorch, site-packages, or the package torch or torchgen in it.
    /// Without it, the environment's torch is used.
    #[arg(long, help_heading = "Operator libraries", hide_short_help = true, value_name = "DIR")]
    pub torch_path: Option<PathBuf>,
    /// What the library needs of libtorch
    ///
    /// The default is that of library.yaml, or unstable.
    #[arg(long, help_heading = "Operator libraries", hide_short_help = true, value_enum, value_name = "ABI")]
    pub abi: Option<Abi>,
    /// The oldest torch to work with, on the stable ABI
    ///
    /// The default is that of library.yaml, or 2.10.
    #[arg(long, help_heading = "Operator libraries", hide_short_help = true, value_name = "VERSION", value_parser = torch_min)]
    pub torch_min: Option<Version>,

    /// Directory of the AOTInductor C shims
    #[arg(
        long,
        help_heading = "ATen",
        hide_short_help = true,
        value_name = "DIR",
        default_value = "torch/csrc/inductor/aoti_torch/generated"
    )]
    pub aoti_install_dir: PathBuf,
    /// Directory of header-only files such as enum_tag.h
    ///
    /// The default is INSTALL_DIR/core.
    #[arg(long, help_heading = "ATen", hide_short_help = true, value_name = "DIR")]
    pub headeronly_install_dir: Option<PathBuf>,
    /// Directory of native-AOT declarations
    ///
    /// They are in <op>/aot.py. The default is SOURCE_PATH/../../../torch/_native/ops; an empty
    /// string disables them.
    #[arg(long, help_heading = "ATen", hide_short_help = true, value_name = "DIR", value_parser = OsStringValueParser::new().map(PathBuf::from))]
    #[allow(rustdoc::invalid_html_tags, reason = "the text is the flag's help")]
    pub native_aot_ops_dir: Option<PathBuf>,
    /// Use the headers of ROCm instead of those of CUDA
    #[arg(long, help_heading = "ATen", hide_short_help = true)]
    pub rocm: bool,
    /// Also register the MPS keys
    #[arg(long, help_heading = "ATen", hide_short_help = true)]
    pub mps: bool,
    /// Also register the XPU keys
    #[arg(long, help_heading = "ATen", hide_short_help = true)]
    pub xpu: bool,
    /// Also register the MTIA key
    #[arg(long, help_heading = "ATen", hide_short_help = true)]
    pub mtia: bool,
    /// Dispatch statically to these backends
    #[arg(long, help_heading = "ATen", hide_short_help = true, num_args = 0.., action = clap::ArgAction::Append, value_name = "KEY")]
    pub static_dispatch_backend: Option<Vec<String>>,
    /// Rewrite the headers of the AOTInductor C shims instead of checking them
    #[arg(long, help_heading = "ATen", hide_short_help = true)]
    pub update_aoti_c_shim: bool,
    /// Generate the AOTInductor C shims of out-of-tree operators
    #[arg(long, help_heading = "ATen", hide_short_help = true)]
    pub extend_aoti_c_shim: bool,

    /// Register only these operators: namespace::name, without overloads
    #[arg(
        long, help_heading = "Selection", hide_short_help = true, num_args = 0.., action = clap::ArgAction::Append, value_name = "OP",
        conflicts_with = "op_selection_yaml_path"
    )]
    pub(crate) op_registration_whitelist: Option<Vec<String>>,
    /// Register only the operators that this selective-build YAML selects
    #[arg(long, help_heading = "Selection", hide_short_help = true, value_name = "FILE")]
    pub op_selection_yaml_path: Option<PathBuf>,
    /// Generate only for these dispatch keys and the composite ones
    #[arg(long, help_heading = "Selection", hide_short_help = true, num_args = 0.., action = clap::ArgAction::Append, value_name = "KEY")]
    pub backend_whitelist: Option<Vec<String>>,
    /// Do not register operators
    #[arg(long, help_heading = "Selection", hide_short_help = true)]
    pub skip_dispatcher_op_registration: bool,
    /// Register the schemas of all operators, selected or not
    #[arg(long, help_heading = "Selection", hide_short_help = true)]
    pub force_schema_registration: bool,

    /// Directory with derivatives.yaml, deprecated.yaml and templates/
    ///
    /// For `--generate autograd python` in the ATen layout.
    #[arg(long, help_heading = "Autograd", hide_short_help = true, value_name = "DIR")]
    pub autograd_dir: Option<PathBuf>,
    /// Directory for autograd's outputs in the ATen layout
    #[arg(long, help_heading = "Autograd", hide_short_help = true, value_name = "DIR")]
    pub autograd_install_dir: Option<PathBuf>,
    /// Directory that contains torchgen/
    ///
    /// Comments with "@generated" name templates relative to it.
    #[arg(long, help_heading = "Autograd", hide_short_help = true, value_name = "DIR")]
    pub torchgen_root: Option<PathBuf>,

    /// YAML file with text to add to generated files
    ///
    /// It can also replace and remove includes.
    #[arg(long, value_name = "FILE", help_heading = INPUT)]
    pub hooks: Option<PathBuf>,
    /// The version of torch.
    #[command(flatten)]
    pub release: ReleaseArgs,
    /// The flags beyond.
    #[command(flatten)]
    pub common: CommonArgs,
}

impl JobArgs for GenerateArgs {
    const SETS: &'static [&'static str] = &["generate", "op_registration_whitelist", "backend_whitelist"];
    const SELECTION: &'static [&'static str] = &[
        "op_registration_whitelist",
        "op_selection_yaml_path",
        "backend_whitelist",
        "skip_dispatcher_op_registration",
        "force_schema_registration",
    ];

    fn common(&self) -> CommonArgs {
        self.common.clone()
    }

    fn remembered(&self) -> Option<Remembered> {
        let lists = self.output_dependencies.clone();
        Some(Remembered { dir: self.install_dir.clone(), dry_run: self.dry_run, lists })
    }
}

/// A version of a Python package: what PEP 440 makes versions of.
fn package_version(text: &str) -> Result<String, String> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || ".+-_!".contains(c);
    match text.starts_with(|c: char| c.is_ascii_alphanumeric()) && text.chars().all(is_part) {
        true => Ok(text.to_owned()),
        false => Err("it is a version such as `1.2` or `1.2.0.dev3+g1a2b3c`".to_owned()),
    }
}
