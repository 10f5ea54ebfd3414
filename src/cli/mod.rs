//! The command line: what people and build systems type, as plain structs.
//!
//! Invariant: parsing has no effect besides printing help or a usage error; nothing is read or written. Deliberately absent: what the
//! flags mean for output (`generate`). Rule for the flags shared with the reference: torchgen/gen.py, `main`.

mod autograd;
mod backend;
mod check;
mod common;
mod generate;
mod json_schema;
mod kernels;
mod kit;

pub use autograd::{AutogradArgs, AutogradSubset, GenerateCodeArgs, GenerateCodeSubset};
pub use backend::{BackendArgs, BackendStubsArgs, LazyNames, LazyTensorArgs};
pub use check::{CheckArgs, ExplainArgs, everything_of};
pub use common::{ColorChoice, CommonArgs, MessageFormat};
pub use generate::{GenerateArgs, LayoutChoice, OutputKind};
pub use json_schema::JsonSchemaArgs;
pub use kernels::KernelsArgs;
pub use kit::{CmakeModuleArgs, NewArgs};

use std::ffi::OsString;

use clap::{Parser, Subcommand};

/// Everything the binary can be told.
#[derive(Debug, Parser)]
#[command(
    name = "torchgen-rs",
    version,
    about = "Turns operator schemas in YAML into C++ and Python, byte for byte as PyTorch's torchgen does",
    after_help = "Without a subcommand, `generate` is meant: torchgen-rs -s aten/src/ATen -d build/aten/src/ATen",
    infer_long_args = true,
    args_override_self = true,
    max_term_width = 100,
    override_usage = "torchgen-rs [COMMAND] [OPTIONS]"
)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Generate C++ from native_functions.yaml (the job of `python -m torchgen.gen`)
    #[command(infer_long_args = true, args_override_self = true)]
    Generate(Box<GenerateArgs>),
    /// Generate autograd and the Python bindings from derivatives.yaml (the job of tools/autograd)
    #[command(infer_long_args = true, args_override_self = true)]
    Autograd(Box<AutogradArgs>),
    /// Generate autograd where PyTorch's build expects it (the job of tools/setup_helpers/generate_code.py)
    #[command(infer_long_args = true, args_override_self = true)]
    GenerateCode(Box<GenerateCodeArgs>),
    /// Generate the registration of an external backend's kernels (the job of `python -m torchgen.gen_backend_stubs`)
    #[command(infer_long_args = true, args_override_self = true)]
    BackendStubs(Box<BackendStubsArgs>),
    /// Generate a lazy backend: its nodes, its kernels and their registration (the job of torchgen.gen_lazy_tensor)
    #[command(infer_long_args = true, args_override_self = true)]
    LazyTensor(Box<LazyTensorArgs>),
    /// Compare an operator library's kernels with what its YAML names, and write skeletons of those that are missing
    #[command(infer_long_args = true, args_override_self = true)]
    Kernels(Box<KernelsArgs>),
    /// Look for faults in all YAML files of a source path, and write nothing
    #[command(infer_long_args = true, args_override_self = true)]
    Check(Box<CheckArgs>),
    /// Tell what is known of an operator and where it comes out, or what a diagnostic means
    Explain(ExplainArgs),
    /// Make an operator library to start from: YAML, kernels, CMake, pyproject, tests
    #[command(infer_long_args = true, args_override_self = true)]
    New(Box<NewArgs>),
    /// Write the CMake module, for find_package(TorchgenRs)
    #[command(infer_long_args = true, args_override_self = true)]
    CmakeModule(Box<CmakeModuleArgs>),
    /// Print the JSON Schema of a kind of YAML file, for editors
    JsonSchema(JsonSchemaArgs),
}

/// The names of the subcommands, and what clap answers by itself.
const FIRST_WORDS: [&str; 16] = [
    "generate",
    "autograd",
    "generate-code",
    "backend-stubs",
    "lazy-tensor",
    "kernels",
    "check",
    "explain",
    "new",
    "cmake-module",
    "json-schema",
    "help",
    "-h",
    "--help",
    "-V",
    "--version",
];

impl Cli {
    /// Reads the command line.
    ///
    /// # Errors
    /// A usage error or a request for help, for the caller to print.
    pub fn read(arguments: impl IntoIterator<Item = OsString>) -> Result<Cli, clap::Error> {
        Cli::try_parse_from(normalise(arguments))
    }
}

/// Brings the reference's habits into clap's form: `generate` is the default subcommand, underscores in long flags are dashes.
///
/// A subcommand is looked for in the first place only, so that a flag with many values cannot swallow it.
fn normalise(arguments: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut arguments = arguments.into_iter();
    let mut words: Vec<OsString> = arguments.next().into_iter().collect();
    let mut rest = arguments.peekable();
    match rest.peek().map(|word| word.to_string_lossy().into_owned()) {
        Some(first) if FIRST_WORDS.contains(&first.as_str()) => {}
        _ => words.push("generate".into()),
    }
    let mut flags_end = false;
    words.extend(rest.map(|word| {
        flags_end |= word == "--";
        match word.to_str() {
            Some(text) if !flags_end && text.starts_with("--") => dashes(text).into(),
            _ => word,
        }
    }));
    words
}

/// `--install_dir=a_b` becomes `--install-dir=a_b`.
fn dashes(flag: &str) -> String {
    match flag.split_once('=') {
        Some((name, value)) => format!("{}={value}", name.replace('_', "-")),
        None => flag.replace('_', "-"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Cli, clap::Error> {
        let words = std::iter::once("torchgen-rs").chain(line.split_whitespace());
        Cli::read(words.map(OsString::from))
    }

    fn generate(line: &str) -> GenerateArgs {
        match parse(line).expect("a valid line").command {
            Command::Generate(args) => *args,
            other => panic!("expected generate, got {other:?}"),
        }
    }

    #[test]
    fn generate_is_the_default() {
        assert_eq!(generate("-s a -d b").source_path.to_str(), Some("a"));
        assert_eq!(generate("generate -s a").source_path.to_str(), Some("a"));
        assert_eq!(generate("").source_path.to_str(), Some("aten/src/ATen"));
    }

    #[test]
    fn lists_add_up_and_scalars_override() {
        let args = generate("--backend_whitelist CPU CUDA --backend-whitelist=Meta -d a -d b");
        assert_eq!(args.backend_whitelist.as_deref(), Some(&["CPU".to_owned(), "CUDA".into(), "Meta".into()][..]));
        assert_eq!(args.install_dir.to_str(), Some("b"));
        let args = generate("--generate headers --generate sources");
        assert_eq!(args.generate, Some(vec![OutputKind::Headers, OutputKind::Sources]));
    }

    #[test]
    fn bare_lists_are_empty() {
        assert_eq!(generate("--static-dispatch-backend --rocm").static_dispatch_backend, Some(Vec::new()));
        assert_eq!(generate("--generate").generate, Some(Vec::new()));
        assert_eq!(generate("--rocm").static_dispatch_backend, None);
    }

    #[test]
    fn abbreviations_work_when_unambiguous() {
        assert_eq!(generate("--inst out").install_dir.to_str(), Some("out"));
        assert!(parse("--s a").is_err());
    }

    #[test]
    fn whitelists_exclude_each_other() {
        assert!(parse("--op-registration-whitelist aten::add --op-selection-yaml-path f").is_err());
    }

    #[test]
    fn the_definition_is_sound() {
        use clap::CommandFactory;
        Cli::command().debug_assert();
    }
}
