//! The engine for templates of users' generators, which the family `generator` renders.
//!
//! Invariant: strict, as all templates are, and with limits: on the steps of a text, and on the
//! bytes of a run. Unlike a family's templates, they have all of the engine's functions.

use std::borrow::Cow;

use minijinja::Environment;

use super::imports::nameless_import;
use super::length::too_long;
use super::limits::Counts;
use super::lines::newlines;
use super::renderer::strict_environment;
use super::sums;

/// The steps of one text: a quarter of those of other templates, since lists of a user's template
/// are in memory beside its text.
pub const USER_STEPS: u64 = 2_000_000;

/// The environment, without templates.
///
/// # Errors
/// The syntax cannot be set, which a test rules out.
pub fn user_environment() -> Result<Environment<'static>, minijinja::Error> {
    let mut environment = strict_environment()?;
    environment.set_fuel(Some(USER_STEPS));
    sums::add_filters(&mut environment);
    Ok(environment)
}

/// The text of a template, with the line ends of the engine. It gets [`super::marked_template`].
///
/// # Errors
/// The engine cannot read it: the line, from 1, and the reason.
pub fn user_template(text: &str) -> Result<Cow<'_, str>, (usize, String)> {
    let text = newlines(text);
    if let Some(line) = nameless_import(&text) {
        return Err((line, "`import` needs a name after `as`".to_owned()));
    }
    match too_long(&text) {
        Some(error) => Err(error),
        None => Ok(text),
    }
}

/// The bytes that the texts of a run may have.
#[derive(Default)]
pub struct Budget(Counts);

impl Budget {
    /// Counts a text, and returns whether the run may have it.
    #[must_use]
    pub fn takes(&self, text: &str) -> bool {
        self.0.add(text.len())
    }
}
