//! `diff --for PATH`: the changes that touch a library, a backend or kernel wrappers.
//!
//! Data flows `path -> uses -> changes -> diagnostics`, each at the place of the user's file, with
//! the declarations beside it.
//!
//! Invariant: an operator is touched by its name. A function of a formula may be any overload.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use torchgen_base::diag::{Diagnostic, Span, plural};
use torchgen_base::yaml::{Node, NodeKind, Options, Text};
use torchgen_kit::changes::report::{Shown, described};
use torchgen_kit::changes::{Change, Thing, kinds};
use torchgen_kit::driver::{JobError, Session};
use torchgen_library::run::{self as library, How, Use};
use torchgen_model::codes;
use torchgen_model::model::ATEN;
use torchgen_model::records::read_backend;

/// A backend's kernels.
#[derive(Debug, Clone)]
pub(super) struct Kernels {
    /// The class or namespace that declares them.
    pub(super) scope: String,
    /// The operators; whether a kernel takes symbolic integers.
    pub(super) operators: BTreeMap<String, bool>,
}

/// What a path uses of PyTorch's operators.
#[derive(Debug, Clone, Default)]
pub(super) struct TorchUses {
    uses: Vec<Use>,
    /// Those of a backend.
    pub(super) kernels: Option<Kernels>,
}

/// The files of a library that name it.
const LIBRARY: [&str; 3] = ["native_functions.yaml", "derivatives.yaml", "library.yaml"];

impl TorchUses {
    /// Reads a path.
    ///
    /// # Errors
    /// It cannot be read, or is none of the three.
    pub(super) fn read_path(path: &Path, session: &mut Session) -> Result<TorchUses, JobError> {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if session.seen.is_dir(path) || LIBRARY.contains(&name) {
            let uses = library::uses(&[path.to_owned()], session)?;
            session.check_errors()?;
            return Ok(TorchUses { uses, kernels: None });
        }
        let root = session.read_yaml(path, Options::OPERATORS)?;
        session.check_errors()?;
        if has(&root, "backend") && has(&root, "supported") {
            return TorchUses::backend(path, root, session);
        }
        if value(&root, "family").is_some_and(|family| family.as_str() == "wrappers") {
            let mut uses = Vec::new();
            operators_below(&root, &mut uses);
            return Ok(TorchUses { uses, kernels: None });
        }
        let message = format!("`{}` is neither a library, nor the YAML of a backend or of wrappers", path.display());
        let help =
            "name the directory of a library, a file with `backend:` and `supported:`, or one with `family: wrappers`";
        Err(Diagnostic::new(&codes::USAGE, message).help(help).into())
    }

    fn backend(path: &Path, root: Node, session: &mut Session) -> Result<TorchUses, JobError> {
        let record = read_backend(root, &mut session.diagnostics);
        session.check_errors()?;
        let record = record.ok_or(JobError::Input)?;
        let named: Vec<&Text> = record.supported.iter().chain(&record.autograd).chain(&record.full_codegen).collect();
        let mut uses: Vec<Use> = named
            .iter()
            .map(|name| Use { name: name.as_str().to_owned(), place: name.span(), how: How::Kernel })
            .collect();
        if let Some(file) = &record.derivatives {
            let file = path.parent().unwrap_or(Path::new("")).join(file.as_str());
            uses.extend(library::of_formulas(&file, session)?);
        }
        let is_symbolic = |name: &str| record.symint.iter().any(|own| own.as_str() == name);
        let operators = named.iter().map(|name| (name.as_str().to_owned(), is_symbolic(name.as_str()))).collect();
        let class = record.class_name.as_ref().map(|name| name.as_str().to_owned());
        let class = class.unwrap_or_else(|| format!("{}NativeFunctions", record.backend.as_str()));
        let scope = format!("{}::{class}", record.cpp_namespace.as_str());
        Ok(TorchUses { uses, kernels: Some(Kernels { scope, operators }) })
    }

    /// How many names there are.
    pub(super) fn count(&self) -> usize {
        let mut names: Vec<&str> = self.uses.iter().map(|used| used.name.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        names.len()
    }

    /// The uses of an operator.
    fn uses_of<'t>(&'t self, operator: &'t str) -> impl Iterator<Item = &'t Use> {
        let own = operator.strip_prefix(ATEN).and_then(|rest| rest.strip_prefix("::"));
        let is_own = move |used: &&Use| {
            own.is_some_and(|own| {
                let base = own.split('.').next().unwrap_or(own);
                let any = used.how == How::Formula || used.how == How::TorchOps;
                used.name == own || any && (used.name == base || is_function(&used.name, own))
            })
        };
        self.uses.iter().filter(is_own)
    }

    /// Lists the changes of what is used as if each operator had an entry of its own.
    pub(super) fn prepare(&self, things: &mut [Thing]) {
        for thing in things.iter_mut().filter(|thing| thing.generated && self.uses_of(&thing.name).next().is_some()) {
            thing.generated = false;
        }
    }

    /// How many changes concern the user.
    pub(super) fn concerning(&self, changes: &[Change], old: &[Thing]) -> usize {
        let names = old_names(old);
        changes.iter().filter(|change| !self.concerned(change, &names).is_empty()).count()
    }

    /// The uses that a change concerns.
    fn concerned<'t>(&'t self, change: &'t Change, names: &HashMap<Span, &'t str>) -> Vec<&'t Use> {
        let was = change.old.filter(|_| std::ptr::eq(change.kind, &raw const kinds::RENAMED));
        let name = was.and_then(|place| names.get(&place).copied()).unwrap_or(&change.thing.1);
        self.uses_of(name).filter(|used| concerns(used.how, change, self.kernels.as_ref())).collect()
    }

    /// What changes mean for the user, each at the first place that it touches.
    pub(super) fn diagnostics(
        &self,
        changes: &[Change],
        old: &[Thing],
        new: &[Thing],
        shown: &Shown,
        to: &str,
    ) -> Vec<Diagnostic> {
        let names = old_names(old);
        let declared: HashMap<&str, &Thing> = new.iter().map(|thing| (thing.name.as_str(), thing)).collect();
        let mut found = Vec::new();
        for change in changes {
            let uses = self.concerned(change, &names);
            let (Some(first), Some(shown)) = (uses.first(), shown.with_shown_effects(change.clone())) else { continue };
            let mut said = Diagnostic { labels: Vec::new(), ..described(&shown) }.at(first.place);
            if let Some(place) = change.new.or(change.old) {
                said = said.also(place, if change.new.is_some() { "in the new torch" } else { "in the old torch" });
            }
            if uses.len() > 1 {
                said = said.note(format!("it is used in {}", plural(uses.len(), "place")));
            }
            let declared = declared.get(change.thing.1.as_str()).map(|thing| thing.text.as_str());
            found.push(said.help(advice(first.how, change, declared, to)));
        }
        found
    }
}

/// The names of declarations by their places.
fn old_names(old: &[Thing]) -> HashMap<Span, &str> {
    old.iter().filter_map(|thing| Some((thing.place?, thing.name.as_str()))).collect()
}

/// Whether a word is the name of an operator's C++ function: out variants have a suffix there.
fn is_function(word: &str, operator: &str) -> bool {
    let (base, overload) = operator.split_once('.').unwrap_or((operator, ""));
    overload.ends_with("out") && word.strip_suffix("_out").is_some_and(|word| word == base)
}

/// Whether a change of an operator concerns who uses it so.
fn concerns(how: How, change: &Change, kernels: Option<&Kernels>) -> bool {
    let kind = change.kind.code.name;
    let is_schema = ["declaration-", "argument", "required-argument-", "out-argument-", "default-", "result-"]
        .iter()
        .any(|start| kind.starts_with(start));
    match how {
        How::Kernel if std::ptr::eq(change.kind, &raw const kinds::KERNEL_DECLARATION_CHANGED) => {
            let own = kernels.map(|kernels| format!("{}::", kernels.scope));
            own.is_some_and(|own| change.key.as_deref().is_some_and(|key| key.starts_with(&own)))
        }
        How::Kernel => is_schema || std::ptr::eq(change.kind, &raw const kinds::STRUCTURED_CHANGED),
        // Formulas call neither functions of `at::redispatch` nor those of `at::_ops`.
        How::Formula if kind.starts_with("cpp-function-") => {
            let key = change.key.as_deref().unwrap_or_default();
            !["at::redispatch::", "at::_ops::"].iter().any(|scope| key.starts_with(scope))
        }
        How::Formula => is_schema,
        How::TorchOps | How::Wrapper => is_schema,
    }
}

/// What to write.
fn advice(how: How, change: &Change, declared: Option<&str>, to: &str) -> String {
    let Some(declared) = declared else {
        let rest = match how {
            How::Kernel => "remove it from the list",
            How::Formula => "call something else in the formula",
            How::TorchOps => "remove it from `torch_ops:`",
            How::Wrapper => "remove its entry",
        };
        return format!("{rest} for {to}, which does not have it");
    };
    match (how, change.after.as_deref()) {
        (How::Kernel, Some(after)) if std::ptr::eq(change.kind, &raw const kinds::KERNEL_DECLARATION_CHANGED) => {
            format!("for {to}, write `{after}`")
        }
        (_, Some(_)) if std::ptr::eq(change.kind, &raw const kinds::RENAMED) => {
            let name = change.thing.1.as_str();
            let name = if how == How::TorchOps { name } else { name.trim_start_matches("aten::") };
            format!("for {to}, write `{name}`")
        }
        _ => format!("{to} declares `{}`", declared.trim_start_matches("aten::")),
    }
}

fn value<'n>(root: &'n Node, key: &str) -> Option<&'n Text> {
    let NodeKind::Mapping(entries) = &root.kind else { return None };
    entries.iter().find_map(|(own, value)| match (&own.kind, &value.kind) {
        (NodeKind::Scalar(own), NodeKind::Scalar(value)) if own.as_str() == key => Some(value),
        _ => None,
    })
}

fn has(root: &Node, key: &str) -> bool {
    let NodeKind::Mapping(entries) = &root.kind else { return false };
    entries.iter().any(|(own, _)| matches!(&own.kind, NodeKind::Scalar(own) if own.as_str() == key))
}

/// The values of the keys `op` in a file of wrappers.
fn operators_below(node: &Node, uses: &mut Vec<Use>) {
    match &node.kind {
        NodeKind::Scalar(_) => {}
        NodeKind::Sequence(items) => items.iter().for_each(|item| operators_below(item, uses)),
        NodeKind::Mapping(entries) => {
            for (key, value) in entries {
                match (&key.kind, &value.kind) {
                    (NodeKind::Scalar(key), NodeKind::Scalar(name)) if key.as_str() == "op" => {
                        let text = name.as_str().strip_prefix("aten::").unwrap_or(name.as_str());
                        let text = text.strip_suffix(".default").unwrap_or(text);
                        uses.push(Use { name: text.to_owned(), place: name.span(), how: How::Wrapper });
                    }
                    _ => operators_below(value, uses),
                }
            }
        }
    }
}
