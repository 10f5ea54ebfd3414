//! Flags that commands share, as clap reads them.
//!
//! Invariant: plain data. Deliberately absent: what the flags mean (`request`, `output`).

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// How diagnostics are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum MessageFormat {
    /// Text with the source line and carets
    #[default]
    Human,
    /// One JSON object per line
    Json,
    /// Workflow commands that GitHub shows beside the lines they are about
    Github,
}

/// When diagnostics are coloured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum ColorChoice {
    /// If standard error is a terminal
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// Flags of this tool that the reference does not have.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct CommonArgs {
    /// Replace templates by those of the same name in this directory; may be given more than once
    #[arg(long, value_name = "DIR", action = clap::ArgAction::Append)]
    pub template_dir: Vec<PathBuf>,
    /// Add to the tool's tables of facts those of the same name in this directory; may be given more than once
    #[arg(long, value_name = "DIR", action = clap::ArgAction::Append)]
    pub data_dir: Vec<PathBuf>,
    /// Say which files changed
    #[arg(long, short = 'v')]
    pub verbose: bool,
    /// Treat warnings as errors
    #[arg(long)]
    pub strict: bool,
    /// How to print diagnostics
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub message_format: MessageFormat,
    /// When to colour diagnostics
    #[arg(long, value_enum, default_value_t, value_name = "WHEN")]
    pub color: ColorChoice,
    /// Threads to use [default: one per core]
    #[arg(long, short = 'j', visible_alias = "jobs", value_name = "N", value_parser = threads)]
    pub threads: Option<usize>,
    /// Write a Makefile fragment that names all inputs and outputs
    #[arg(long, value_name = "FILE")]
    pub depfile: Option<PathBuf>,
    /// Say how long each stage and each generator took
    #[arg(long)]
    pub timings: bool,
    /// Generate even if nothing changed since the last run
    #[arg(long)]
    pub force: bool,
    /// Write nothing, and fail if an output would change
    #[arg(long)]
    pub verify: bool,
    /// Remove files that an earlier run of the same command made and this one does not
    #[arg(long)]
    pub prune: bool,
}

/// A number of threads. Each takes memory before it does anything.
pub(crate) fn threads(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(count @ ..=1024) => Ok(count),
        Ok(_) => Err("1024 are the most".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

/// What every generating command of a family takes.
#[derive(Debug, Clone, Args)]
pub(crate) struct SharedArgs {
    /// YAML files, or directories of them; may be given more than once
    #[arg(long = "source-path", short = 's', value_name = "PATH", action = clap::ArgAction::Append, num_args = 1.., required = true)]
    pub(crate) sources: Vec<PathBuf>,
    /// Directory to write to
    #[arg(long, short = 'd', value_name = "DIR", default_value = "generated")]
    pub(crate) install_dir: PathBuf,
    /// Also write lists of the outputs for CMake, beside this file
    #[arg(long, short = 'o', value_name = "FILE")]
    pub(crate) output_dependencies: Option<PathBuf>,
    /// Write nothing but the lists of --output-dependencies
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Further outputs to write, with commas between them
    #[arg(long, value_name = "OUTPUT", value_delimiter = ',', action = clap::ArgAction::Append)]
    pub(crate) emit: Vec<String>,
    /// Flags of every subcommand.
    #[command(flatten, next_help_heading = "Tool")]
    pub(crate) common: CommonArgs,
}

/// The flags of a family's command: the shared ones, and its own.
#[derive(Debug, Clone, Args)]
pub(crate) struct FamilyArgs<F: Args> {
    /// Its own.
    #[command(flatten)]
    pub(crate) own: F,
    /// Those that all have.
    #[command(flatten)]
    pub(crate) shared: SharedArgs,
}

/// No flags.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct NoFlags {}
