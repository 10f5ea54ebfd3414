//! The flags that commands share, as clap reads them. Their meaning is in `request` and `output`.
//!
//! Invariant: each is under one of four headings, or under one for a part of the command's job.

mod changes;
mod common;

use std::path::PathBuf;

use clap::{Args, ValueEnum};

pub use self::changes::ShownChanges;
pub use self::common::{Common, CommonArgs, DATA, DEPFILE, LONG, STRICT, TEMPLATES, VERIFY};

/// The heading of flags that name what is read.
pub const INPUT: &str = "Input";
/// The heading of flags about what is written, and where.
pub const OUTPUT: &str = "Output";
/// The heading of flags about messages.
pub const DIAGNOSTICS: &str = "Diagnostics";
/// The heading of flags about time.
pub const PERFORMANCE: &str = "Performance";

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

/// The ids of flags that do not change what is written: of those above, and of others that mean the
/// same wherever a command has them. Every other flag counts for the identity of a run.
pub(crate) const UNCOUNTED: [&str; 14] = [
    "quiet",
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
    /// YAML files, or directories of them
    ///
    /// The default is this directory, or the nearest one above with sources.
    #[arg(long = "source-path", short = 's', value_name = "PATH", action = clap::ArgAction::Append, num_args = 1.., help_heading = INPUT)]
    pub sources: Vec<PathBuf>,
    /// Directory to write to
    #[arg(long = "out-dir", aliases = ["install-dir", "output-dir", "output"], short = 'd', value_name = "DIR", default_value = "generated", help_heading = OUTPUT)]
    pub install_dir: PathBuf,
    /// Additional outputs to write, separated by commas
    #[arg(long, value_name = "OUTPUT", value_delimiter = ',', action = clap::ArgAction::Append, help_heading = OUTPUT, hide_short_help = true)]
    pub emit: Vec<String>,
    /// Also write CMake lists of the outputs, next to this file
    #[arg(long, value_name = "FILE", help_heading = OUTPUT, hide_short_help = true)]
    pub output_dependencies: Option<PathBuf>,
    /// List the files that a run would write, and write none of them
    ///
    /// The lists of --output-dependencies are written.
    #[arg(long, help_heading = OUTPUT)]
    pub dry_run: bool,
    /// The flags beyond.
    #[command(flatten)]
    pub common: CommonArgs,
}

/// No flags.
#[derive(Debug, Clone, Default, Args)]
pub struct NoFlags {}
