//! The entries of the YAML, from the operators of sources.
//!
//! Invariant: each operator is an entry that `check` accepts, or is left with the reason; each of
//! its kernels is a key of `dispatch:` or a comment.

use std::collections::BTreeSet;

use serde::Serialize;

use super::operators::{Kernel, Left, LeftCall, Operator, Operators};
use torchgen_base::diag::{Sources, Span, plural};
use torchgen_model::model::DispatchKey;
use torchgen_model::parse;
use torchgen_registrations::{Condition, Conditions, words};

/// An entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Entry {
    /// The schema with its namespace, as YAML.
    func: String,
    tags: Vec<String>,
    /// Kernels by dispatch key, in the order of the sources.
    pub(super) dispatch: Vec<RegisteredKernel>,
    /// The builds that have it, if `when:` can say so.
    when: Option<String>,
    /// Some kernels are in fewer builds.
    kernels_differ: bool,
    /// The author registers its kernels.
    is_manual: bool,
    /// What the YAML cannot say.
    comments: Vec<String>,
}

/// A kernel.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct RegisteredKernel {
    key: String,
    name: String,
    /// The builds that have it, among those with the operator.
    when: Option<String>,
    /// Where the function is defined.
    #[serde(skip)]
    definition: Option<Span>,
}

/// What is not an entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Comment {
    /// Its place, as `FILE:LINE`.
    pub(crate) place: String,
    /// Why it is not an entry.
    pub(crate) reason: String,
}

impl Comment {
    /// The comment on what is left.
    pub(crate) fn new(left: &Left, sources: &Sources) -> Comment {
        let other = left.other.map(|other| format!(" than at {}", place(other, sources))).unwrap_or_default();
        Comment { place: place(left.place, sources), reason: format!("{}{other}", left.reason) }
    }
}

/// Numbers that add up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Account {
    operators: String,
    written: usize,
    left: usize,
    kernels: String,
    in_dispatch: String,
    in_comments: usize,
    undeclared: usize,
    /// What is neither an operator nor a kernel.
    others: usize,
}

/// The places of a run as text.
pub(crate) fn place(span: Span, sources: &Sources) -> String {
    format!("{}:{}", sources.path(span.file), sources.line_col(span).0)
}

/// The comments on what is no entry, in the order of the sources.
pub(super) fn comments(found: &Operators, further: &[Left], sources: &Sources) -> Vec<Comment> {
    let left = found.left.iter().chain(further).map(|left| Comment::new(left, sources));
    let undeclared = found.undeclared.iter().map(|(name, kernel)| Comment {
        place: place(kernel.place, sources),
        reason: format!("a kernel for {} of `{name}`, which no `def` here declares", kernel.key),
    });
    left.chain(undeclared).collect()
}

/// The account of entries.
pub(super) fn account(found: &Operators, entries: &[Entry], further: &[Left]) -> Account {
    // A key of an operator is one kernel, whatever the builds call.
    let keys =
        |operator: &Operator| operator.kernels.iter().map(|kernel| kernel.key.as_str()).collect::<BTreeSet<_>>().len();
    let undeclared: BTreeSet<(&str, &str)> =
        found.undeclared.iter().map(|(name, kernel)| (name.as_str(), kernel.key.as_str())).collect();
    let of_operators: usize = found.operators.iter().map(keys).sum();
    let in_dispatch: usize = entries.iter().map(|entry| entry.dispatch.len()).sum();
    let is_operator = |left: &&Left| left.what == LeftCall::Operator;
    let left = found.left.iter().filter(is_operator).count() + further.len();
    Account {
        operators: plural(entries.len() + left, "operator"),
        written: entries.len(),
        left,
        kernels: plural(of_operators + undeclared.len(), "kernel"),
        in_dispatch: plural(in_dispatch, "key"),
        in_comments: of_operators.saturating_sub(in_dispatch),
        undeclared: undeclared.len(),
        others: found.left.iter().filter(|left| left.what != LeftCall::Operator).count(),
    }
}

impl Entry {
    /// The entry of an operator. `by_hand` says why its kernels cannot be keys.
    pub(super) fn new(
        operator: &Operator,
        by_hand: Option<&str>,
        conditions: &mut Conditions,
        sources: &Sources,
    ) -> Entry {
        let own = when(conditions, operator.condition);
        let mut entry = Entry {
            func: quoted(&operator.schema),
            tags: operator.tags.clone(),
            dispatch: Vec::new(),
            when: own.clone().and_then(Result::ok),
            kernels_differ: false,
            is_manual: false,
            comments: Vec::new(),
        };
        if let Some(reason) = operator.schema_only.as_deref() {
            entry.comments.push(format!("registered by its schema alone: {reason}"));
        } else if let Some(reason) = by_hand {
            entry.comments.push(format!("its kernels are left to you: {reason}"));
        }
        entry.comments.extend(operator.notes.iter().cloned());
        if let Some(Err(text)) = own {
            entry.comments.push(format!("declared only if {text}"));
        }
        let is_manual = operator.schema_only.is_some() || by_hand.is_some();
        for kernel in &operator.kernels {
            let relative = conditions.given(kernel.condition, operator.condition);
            entry.add(kernel, is_manual, relative, conditions, sources);
        }
        if operator.kernels.is_empty() && !is_manual {
            entry.comments.push("these files have no kernel of it".to_owned());
        }
        entry.is_manual = entry.dispatch.is_empty();
        entry
    }

    /// Adds a kernel, as a key of `dispatch:` if it can be one.
    fn add(&mut self, kernel: &Kernel, is_manual: bool, own: Condition, conditions: &Conditions, sources: &Sources) {
        let key = kernel.key.as_str();
        let when = when(conditions, own);
        let condition = match &when {
            None => String::new(),
            Some(Ok(text) | Err(text)) => format!(", only if {text}"),
        };
        let Some(name) = &kernel.name else {
            let at = place(kernel.place, sources);
            self.comments.push(match is_short(&kernel.function) {
                true => format!("{key}: {}, at {at}{condition}", kernel.function),
                false => format!("{key}: an expression at {at}{condition}"),
            });
            return;
        };
        let above_stable = ABOVE_STABLE.iter().filter(|_| kernel.is_stable);
        let is_above =
            ABOVE.iter().chain(above_stable).any(|prefix| key.starts_with(prefix)) || DispatchKey::parse(key).is_none();
        let is_second = self.dispatch.iter().any(|own| own.key == key);
        if is_above || is_second || is_manual {
            let how = if is_above { " (register it in C++)" } else { "" };
            self.comments.push(format!("{key}: {name}{how}{condition}"));
            return;
        }
        let is_other = |own: &&RegisteredKernel| own.name == *name && own.definition != kernel.definition;
        if let Some(other) = self.dispatch.iter().find(is_other) {
            self.comments.push(format!("{name} is one function for {}, and another for {key}: rename one", other.key));
        }
        if kernel.is_hidden {
            self.comments.push(format!("{name} is in an unnamed namespace or static: make it visible"));
        }
        let when = match when {
            Some(Ok(text)) => Some(text),
            Some(Err(_)) => {
                self.comments.push(format!("{key}: {name}{condition}"));
                None
            }
            None => None,
        };
        self.kernels_differ |= when.is_some();
        // Without a namespace, the YAML would take it to be in that of the kernels.
        let name = if name.contains("::") { name.clone() } else { format!("::{name}") };
        let (key, definition) = (key.to_owned(), kernel.definition);
        self.dispatch.push(RegisteredKernel { key, name, when, definition });
    }
}

/// A condition as one of `when:`; `Err` with its text if `when:` cannot say it, and `None` if each
/// build has it.
pub(crate) fn when(conditions: &Conditions, one: Condition) -> Option<Result<String, String>> {
    if one == Condition::ALWAYS {
        return None;
    }
    let Some(text) = words(conditions, one) else {
        return Some(Err("the build is one of many".to_owned()));
    };
    Some(if parse::when(&text).is_ok() { Ok(text) } else { Err(text) })
}

/// Whether a comment can have an expression.
fn is_short(text: &str) -> bool {
    text.len() <= 100 && !text.contains(['\n', '{']) && !text.is_empty()
}

/// Keys above the backends, which a library's YAML does not have.
const ABOVE: &[&str] = &["ADInplaceOrView", "BackendSelect", "Functionalize", "Batched", "Python", "Tracer"];

/// More of them, which the YAML of a library on the stable ABI does not have.
const ABOVE_STABLE: &[&str] = &["Autograd", "Autocast", "FuncTorch"];

/// A scalar of YAML.
pub(crate) fn quoted(text: &str) -> String {
    match text.contains(": ") || text.contains(" #") || text.contains('\n') {
        true => format!("'{}'", text.replace('\'', "''")),
        false => text.to_owned(),
    }
}
