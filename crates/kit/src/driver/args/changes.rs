//! The flags of commands that compare two states: which changes they show.
//!
//! Invariant: all such commands show the same changes for the same flags.

use clap::Args;

use super::OUTPUT;
use crate::changes::Category;
use crate::changes::comment::Comment;
use crate::changes::report::{Least, Shown};
use crate::driver::{JobError, Session};

/// The flags.
#[derive(Debug, Clone, Args)]
pub struct ShownChanges {
    /// Whom it breaks
    ///
    /// Only changes that concern them count. The default is everybody.
    #[arg(long, value_enum, value_name = "WHOM", value_delimiter = ',', action = clap::ArgAction::Append, help_heading = OUTPUT)]
    category: Vec<Category>,
    /// Least to show
    ///
    /// Changes that break somebody fail the run, and with `risky` those that break some uses.
    #[arg(long, value_enum, value_name = "LEVEL", default_value = "breaking", help_heading = OUTPUT)]
    level: Least,
    /// Print Markdown to standard output
    ///
    /// A table of the changes, for a comment on a pull request. The messages are printed as well.
    #[arg(long, help_heading = OUTPUT)]
    markdown: bool,
}

impl ShownChanges {
    /// The changes that they mean.
    pub fn shown(&self) -> Shown {
        Shown { categories: self.category.clone(), least: self.level }
    }

    /// Prints the changes that were found as Markdown, if it is asked for. `compared` says what was
    /// compared.
    ///
    /// # Errors
    /// Standard output cannot be written.
    pub fn print(&self, compared: &str, session: &mut Session) -> Result<(), JobError> {
        match self.markdown {
            true => Comment::new(compared, session.diagnostics.iter()).print(session),
            false => Ok(()),
        }
    }
}
