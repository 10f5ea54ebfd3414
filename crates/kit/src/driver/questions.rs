//! What the commands that serve all families ask one of them.
//!
//! Invariant: plain data of a command line.

use std::path::Path;

/// What `explain` is asked.
pub struct Question<'a> {
    /// The name of a declaration.
    pub what: &'a str,
    /// The source that declares it, if given.
    pub source: Option<&'a Path>,
    /// What to print.
    pub format: Format,
}

/// What `explain` prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// Text for people
    Text,
    /// One object for each operator or diagnostic
    Json,
    /// A picture of operators: kernels, variants and formulas
    Svg,
    /// The same graph for Graphviz
    Dot,
}

/// What `model` is asked for.
pub struct ModelQuestion<'a> {
    /// The source, if given.
    pub source: Option<&'a Path>,
    /// The names of what to print; all if empty.
    pub only: &'a [String],
    /// Whether to print where the generated files are about each operator.
    pub outputs: bool,
}

/// What `docs` is asked for.
pub struct DocsQuestion<'a> {
    /// The source, if given.
    pub source: Option<&'a Path>,
    /// An older state that pages show what changed since, if given.
    pub from: Option<&'a str>,
    /// The directory to write to.
    pub dir: &'a Path,
    /// What to write.
    pub format: DocsFormat,
    /// Whether to list the generated files about each operator.
    pub outputs: bool,
}

/// What `docs` writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum DocsFormat {
    /// A site that a browser shows, without a server
    Html,
    /// Pages for MkDocs or mdBook
    Markdown,
}

/// What `new` is asked for.
pub struct NewProject<'a> {
    /// The directory.
    pub dir: &'a Path,
    /// The name, unless it is that of the directory.
    pub name: Option<&'a str>,
}
