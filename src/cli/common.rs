//! Flags that every generating subcommand takes.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// How diagnostics are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum MessageFormat {
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
pub enum ColorChoice {
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
pub struct CommonArgs {
    /// Replace templates by those of the same name in this directory; may be given more than once
    #[arg(long, value_name = "DIR", action = clap::ArgAction::Append)]
    pub template_dir: Vec<PathBuf>,
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
    /// Remove files that an earlier run of the same command made and this one does not
    #[arg(long)]
    pub prune: bool,
}

/// A number of threads. Each takes memory before it does anything.
pub(super) fn threads(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(count @ ..=1024) => Ok(count),
        Ok(_) => Err("1024 are the most".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}
