//! What sources register, for tools that do not name kernels.
//!
//! Invariant: it is what `from-cpp` reads.

use std::path::PathBuf;

use super::command::sources_of;
use super::entries::{Comment, place, undeclared, when};
use super::operators::{Left, Operators, operators};
use torchgen_base::diag::Span;
use torchgen_kit::driver::{JobError, Session};
use torchgen_registrations::Condition;

/// What sources register.
pub(crate) struct Found {
    pub(crate) operators: Vec<FoundOperator>,
    /// `def`s that cannot be read.
    pub(crate) left: Vec<Comment>,
    /// Kernels that are not understood.
    pub(crate) unread: Vec<Comment>,
}

/// An operator that a source declares.
pub(crate) struct FoundOperator {
    /// The name with the namespace and the overload.
    pub(crate) name: String,
    /// The schema with the namespace.
    pub(crate) schema: String,
    /// Where it is declared, as `FILE:LINE`.
    pub(crate) place: String,
    pub(crate) span: Span,
    /// The keys that it has kernels for.
    pub(crate) keys: Vec<String>,
    /// Only some builds have it, and those if `when:` can say so.
    pub(crate) is_conditional: bool,
    pub(crate) when: Option<String>,
}

/// Reads what sources register.
///
/// # Errors
/// A source cannot be read.
pub(crate) fn found(given: &[PathBuf], namespace: Option<&str>, session: &mut Session) -> Result<Found, JobError> {
    let paths = sources_of(given, &[], session)?;
    let all = operators(&paths, (namespace, &[]), session)?;
    let sources = &session.sources;
    let comment = |left: &Left| Comment::new(left, sources);
    let (left, unread): (Vec<&Left>, Vec<&Left>) = all.left.iter().partition(|left| left.is_operator);
    let left = left.into_iter().map(comment).collect();
    let unread = unread.into_iter().map(comment).chain(undeclared(&all, sources)).collect();
    let Operators { operators, conditions, .. } = all;
    let operators = operators.into_iter().map(|operator| {
        let span = operator.place();
        FoundOperator {
            place: place(span, sources),
            span,
            keys: operator.kernels.iter().map(|kernel| kernel.key.clone()).collect(),
            is_conditional: operator.condition != Condition::ALWAYS,
            when: when(&conditions, operator.condition).and_then(Result::ok),
            name: operator.name,
            schema: operator.schema,
        }
    });
    Ok(Found { operators: operators.collect(), left, unread })
}
