//! The flags of the scripts around a selective build, and of the one that writes the header with
//! the version.
//!
//! Rule: PyTorch's tools/code_analyzer and tools/setup_helpers/gen_version_header.py.

use std::path::PathBuf;

use clap::Args;

use torchgen_kit::driver::args::{Common, DEPFILE, DIAGNOSTICS, INPUT, LONG, OUTPUT, STRICT, TEMPLATES, VERIFY};

/// The flags of `gen-oplist`.
#[derive(Debug, Clone, Args)]
pub struct OplistArgs {
    /// Directory to write to
    #[arg(long, visible_alias = "out-dir", short = 'd', value_name = "DIR", help_heading = OUTPUT)]
    pub output_dir: PathBuf,
    /// Selective-build YAML of a model, or `@FILE` with the paths of several
    #[arg(long, value_name = "FILE", help_heading = INPUT)]
    pub model_file_list_path: String,
    /// Accept selections that include all overloads of an operator
    #[arg(long, help_heading = INPUT)]
    pub allow_include_all_overloads: bool,
    /// The flags beyond.
    #[command(flatten)]
    pub common: Common<{ TEMPLATES | STRICT | DEPFILE | VERIFY | LONG }>,
}

/// The flags of `gen-operators-yaml`.
#[derive(Debug, Clone, Args)]
pub struct OperatorsYamlArgs {
    /// Operators that models call, separated by commas
    #[arg(long, value_name = "NAMES", value_delimiter = ',', help_heading = INPUT)]
    pub root_ops: Vec<String>,
    /// Operators that training calls, separated by commas
    #[arg(long, value_name = "NAMES", value_delimiter = ',', help_heading = INPUT)]
    pub training_root_ops: Vec<String>,
    /// File to write
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    pub output_path: PathBuf,
    /// YAML with the operators that each operator calls
    #[arg(long, value_name = "FILE", help_heading = INPUT)]
    pub dep_graph_yaml_path: PathBuf,
    /// Name of the model
    #[arg(long, value_name = "NAME", help_heading = INPUT)]
    pub model_name: String,
    /// Versions of the model, separated by commas
    #[arg(long, value_name = "VERSIONS", value_delimiter = ',', help_heading = INPUT)]
    pub model_versions: Option<Vec<String>>,
    /// Assets of the model, separated by commas [default: all]
    #[arg(long, value_name = "NAMES", value_delimiter = ',', help_heading = INPUT)]
    pub model_assets: Option<Vec<String>>,
    /// Backends of the model; has no effect, as in the reference
    #[arg(long, value_name = "NAMES", help_heading = INPUT)]
    pub(crate) model_backends: Option<String>,
    /// YAML files with the operators and features that models use
    #[arg(long, value_name = "FILE", num_args = 0.., help_heading = INPUT)]
    pub models_yaml_path: Vec<PathBuf>,
    /// Include all operators
    #[arg(long, help_heading = INPUT)]
    pub include_all_operators: bool,
    /// Name of the build rule that runs this command, for messages
    #[arg(long, value_name = "NAME", help_heading = DIAGNOSTICS)]
    pub rule_name: String,
    /// Do not include all overloads of the operators that models call
    #[arg(long, help_heading = INPUT)]
    pub not_include_all_overloads_static_root_ops: bool,
    /// Do not include all overloads of the operators that other operators call
    #[arg(long, help_heading = INPUT)]
    pub not_include_all_overloads_closure_ops: bool,
    /// The flags beyond.
    #[command(flatten)]
    pub common: Common<{ TEMPLATES | STRICT | DEPFILE | VERIFY | LONG }>,
}

/// The flags of `gen-op-registration-allowlist`.
#[derive(Debug, Clone, Args)]
pub struct AllowlistArgs {
    /// YAML with the operators that each operator calls
    ///
    /// Without it, only the operators of --root-ops are printed.
    #[arg(long, value_name = "FILE", help_heading = INPUT)]
    pub op_dependency: Option<PathBuf>,
    /// YAML list of the operators that models call
    #[arg(long, value_name = "FILE", help_heading = INPUT)]
    pub root_ops: PathBuf,
    /// The flags beyond.
    #[command(flatten)]
    pub common: Common<STRICT>,
}

/// The flags of `gen-version-header`.
#[derive(Debug, Clone, Args)]
pub struct VersionHeaderArgs {
    /// Template, such as version.h.in
    #[arg(long, value_name = "FILE", help_heading = INPUT)]
    pub template_path: PathBuf,
    /// File with the version, such as version.txt
    #[arg(long, value_name = "FILE", help_heading = INPUT)]
    pub version_path: PathBuf,
    /// File to write
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    pub output_path: PathBuf,
    /// The flags beyond.
    #[command(flatten)]
    pub common: Common<{ STRICT | DEPFILE | VERIFY | LONG }>,
}
