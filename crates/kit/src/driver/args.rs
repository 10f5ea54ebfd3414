//! The flags that commands share, as clap reads them. Their meaning is in `request` and `output`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// The format of diagnostics.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum MessageFormat {
    /// Text with the source line and carets
    #[default]
    Human,
    /// One JSON object per line
    Json,
    /// Workflow commands, which GitHub shows beside the source lines
    Github,
}

/// When to color diagnostics.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum ColorChoice {
    /// Only if standard error is a terminal
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// The default maximum of errors to show.
pub const MAX_ERRORS: usize = 100;

/// This tool's flags beyond the reference's.
#[derive(Debug, Clone, Default, Args)]
pub struct CommonArgs {
    /// Replace templates with those of the same name in this directory; can be repeated
    #[arg(long, value_name = "DIR", action = clap::ArgAction::Append)]
    pub template_dir: Vec<PathBuf>,
    /// Extend the tool's tables of facts with those of the same name in this directory; can be
    /// repeated
    #[arg(long, value_name = "DIR", action = clap::ArgAction::Append)]
    pub data_dir: Vec<PathBuf>,
    /// List the files that changed
    #[arg(long, short = 'v')]
    pub verbose: bool,
    /// Treat warnings as errors
    #[arg(long)]
    pub strict: bool,
    /// Maximum number of errors to show; 0 means no limit
    #[arg(long, value_name = "N", default_value_t = MAX_ERRORS)]
    pub max_errors: usize,
    /// How to print diagnostics
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub message_format: MessageFormat,
    /// When to color diagnostics
    #[arg(long, value_enum, default_value_t, value_name = "WHEN")]
    pub color: ColorChoice,
    /// Number of threads [default: one per core]
    #[arg(long, short = 'j', visible_alias = "jobs", value_name = "N", value_parser = threads)]
    pub threads: Option<usize>,
    /// Write a Makefile fragment that lists all inputs and outputs
    #[arg(long, value_name = "FILE")]
    pub depfile: Option<PathBuf>,
    /// Print the time that each stage and each generator took
    #[arg(long)]
    pub timings: bool,
    /// Generate even if nothing changed since the last run
    #[arg(long)]
    pub force: bool,
    /// Write nothing, and fail if an output would change
    #[arg(long)]
    pub verify: bool,
    /// Remove files that an earlier run of the same command wrote and this one does not
    #[arg(long)]
    pub prune: bool,
}

/// The ids of flags that do not change what is written: of those above, and of others that mean the
/// same wherever a command has them. Every other flag counts for the identity of a run.
pub(crate) const UNCOUNTED: [&str; 13] = [
    "verbose",
    "strict",
    "max_errors",
    "message_format",
    "color",
    "threads",
    "depfile",
    "timings",
    "force",
    "verify",
    "prune",
    "dry_run",
    "output_dependencies",
];

/// A number of threads. Limited, since each thread takes memory.
pub fn threads(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(count @ ..=1024) => Ok(count),
        Ok(_) => Err("the maximum is 1024".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

/// The arguments of every generating command of a family.
#[derive(Debug, Clone, Args)]
pub struct SharedArgs {
    /// YAML files or directories; can be repeated [default: this directory, or the nearest one
    /// above with sources]
    #[arg(long = "source-path", short = 's', value_name = "PATH", action = clap::ArgAction::Append, num_args = 1..)]
    pub sources: Vec<PathBuf>,
    /// Directory to write to
    #[arg(long, short = 'd', value_name = "DIR", default_value = "generated")]
    pub install_dir: PathBuf,
    /// Also write lists of the outputs for CMake, next to this file
    #[arg(long, short = 'o', value_name = "FILE")]
    pub output_dependencies: Option<PathBuf>,
    /// Write only the lists of --output-dependencies
    #[arg(long)]
    pub dry_run: bool,
    /// Additional outputs to write, separated by commas
    #[arg(long, value_name = "OUTPUT", value_delimiter = ',', action = clap::ArgAction::Append)]
    pub emit: Vec<String>,
    /// Flags of every subcommand.
    #[command(flatten, next_help_heading = "Tool")]
    pub common: CommonArgs,
}

/// No flags.
#[derive(Debug, Clone, Default, Args)]
pub struct NoFlags {}
