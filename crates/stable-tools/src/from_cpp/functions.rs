//! The functions of sources, and the arguments of calls that are functions.
//!
//! Rule: a name is looked up from the innermost namespace outwards, as C++ does; what these sources
//! do not define is taken to be where most kernels are. Invariant: only its own source finds a
//! function of an unnamed namespace.

use std::collections::HashMap;
use std::path::PathBuf;

use torchgen_base::diag::{Diagnostic, FileId, Span};
use torchgen_base::lang::is_qualified_identifier;
use torchgen_kit::driver::{JobError, Session};
use torchgen_library::library::kernels::{LocatedDeclaration, LocatedDefinition, Registrable, read_sources};
use torchgen_model::codes;
use torchgen_registrations::{Argument, Call};

/// The functions that sources define, and those that they only declare, by name.
#[derive(Default)]
pub(crate) struct Functions {
    defined: HashMap<String, Vec<LocatedDefinition>>,
    declared: HashMap<String, Vec<LocatedDeclaration>>,
    /// Where those that are defined are, and their names by the last part.
    places: HashMap<Span, (String, usize)>,
    by_last: HashMap<String, Vec<String>>,
    /// How those that are defined can be registered, by their places; empty unless it was asked.
    registrable: HashMap<Span, Registrable>,
}

impl std::fmt::Debug for Functions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Functions").field("defined", &self.defined.len()).finish_non_exhaustive()
    }
}

/// The functions of a name.
pub(crate) enum Meant<'f> {
    /// The sources define them.
    Defined(Vec<&'f LocatedDefinition>),
    /// The sources only declare them.
    Declared(&'f [LocatedDeclaration]),
}

/// What a function in a call is.
#[derive(Default)]
pub(super) struct LocatedFunction {
    /// Its name from the outermost namespace, if it is a function with a name.
    pub(super) name: Option<String>,
    pub(super) definition: Option<Span>,
    /// Only its own source sees it.
    pub(super) is_hidden: bool,
}

impl Functions {
    /// Reads sources, and with `registers` how their functions can be registered.
    /// `files` are those with calls, which were read before: their functions have the same places.
    pub(super) fn read(
        sources: &[PathBuf],
        registers: bool,
        files: impl Iterator<Item = FileId>,
        session: &mut Session,
    ) -> Result<Functions, JobError> {
        let mut all = Functions::default();
        let mut read = read_sources(sources, session)?;
        let known: HashMap<&str, FileId> = files.map(|file| (session.sources.path(file), file)).collect();
        let first = |file: FileId| known.get(session.sources.path(file)).copied().unwrap_or(file);
        read.definitions.iter_mut().for_each(|one| one.file = first(one.file));
        read.declarations.iter_mut().for_each(|one| one.file = first(one.file));
        if registers {
            let found = read.registrable(&session.sources);
            all.registrable = read.definitions.iter().map(LocatedDefinition::span).zip(found).collect();
        }
        for one in read.definitions {
            let (name, place) = (one.definition.name.clone(), one.span());
            let same = all.defined.entry(name.clone()).or_default();
            if same.is_empty() {
                let last = name.rsplit("::").next().unwrap_or(&name).to_owned();
                all.by_last.entry(last).or_default().push(name.clone());
            }
            all.places.insert(place, (name, same.len()));
            same.push(one);
        }
        for one in read.declarations {
            all.declared.entry(one.definition.name.clone()).or_default().push(one);
        }
        Ok(all)
    }

    /// The functions that a name can mean in a call, and the name from the outermost namespace:
    /// those that the sources define, or else declare. A name that no namespace around the call has
    /// is that of the only function that ends with it, since a `using` can make it visible.
    pub(crate) fn meant(&self, name: &str, call: &Call) -> Option<(String, Meant<'_>)> {
        if let Some((full, found)) = self.candidates(name, call) {
            return Some((full, Meant::Defined(found)));
        }
        let scope = named(&call.scope);
        let bare = name.strip_prefix("::").unwrap_or(name);
        let depths = || (0..=scope.len()).rev().map(|depth| [&scope[..depth], &[bare]].concat().join("::"));
        // One that only another source sees explains more than none.
        let hidden = depths().find_map(|full| {
            let found = self.defined.get(&full)?.iter().collect();
            Some((full, Meant::Defined(found)))
        });
        let declared = depths().find_map(|full| {
            let found = self.declared.get(&full)?;
            Some((full, Meant::Declared(found)))
        });
        declared.or(hidden).or_else(|| {
            let suffix = format!("::{bare}");
            let mut fits = self.defined.keys().filter(|full| full.ends_with(&suffix));
            let only = fits.next().filter(|_| fits.next().is_none())?;
            Some((only.clone(), Meant::Defined(self.defined.get(only)?.iter().collect())))
        })
    }

    /// The functions that a name can mean in a call, and the name from the outermost namespace.
    fn candidates(&self, name: &str, call: &Call) -> Option<(String, Vec<&LocatedDefinition>)> {
        let scope = named(&call.scope);
        let (absolute, name) = match name.strip_prefix("::") {
            Some(name) => (true, name),
            None => (false, name),
        };
        let depths = if absolute { 0..=0 } else { 0..=scope.len() };
        depths.rev().find_map(|depth| {
            let full = [&scope[..depth], &[name]].concat().join("::");
            let is_seen = |one: &&LocatedDefinition| {
                let definition = &one.definition;
                !definition.is_private || definition.is_template || one.file == call.place.file || one.file == call.unit
            };
            let found: Vec<&LocatedDefinition> = self.defined.get(&full)?.iter().filter(is_seen).collect();
            (!found.is_empty()).then_some((full, found))
        })
    }

    /// The function that is defined at a place.
    pub(crate) fn at(&self, place: Span) -> Option<&LocatedDefinition> {
        self.places.get(&place).and_then(|(name, at)| self.defined.get(name)?.get(*at))
    }

    /// The functions that a name can mean if any namespace is visible.
    pub(crate) fn ending<'f>(&'f self, name: &'f str) -> impl Iterator<Item = &'f LocatedDefinition> {
        let last = name.rsplit("::").next().unwrap_or(name);
        let all = self.by_last.get(last).into_iter().flatten();
        let named =
            all.filter(move |full| *full == name || full.strip_suffix(name).is_some_and(|rest| rest.ends_with("::")));
        named.flat_map(|full| self.defined.get(full).into_iter().flatten())
    }

    /// How a function can be registered, if that was asked.
    pub(crate) fn registrable(&self, one: &LocatedDefinition) -> Option<&Registrable> {
        self.registrable.get(&one.span())
    }

    /// The parameters of the functions of a name that some sources declare.
    pub(crate) fn declared_in(&self, full_name: &str, files: &[FileId]) -> Vec<&Vec<String>> {
        let all = self.declared.get(full_name).into_iter().flatten();
        all.filter(|one| files.contains(&one.file)).map(|one| &one.signature.parameters).collect()
    }

    /// What an expression is as a function.
    pub(super) fn find(&self, function: &str, call: &Call) -> LocatedFunction {
        let bare = function.split('<').next().unwrap_or(function).trim();
        if !is_qualified_identifier(bare.strip_prefix("::").unwrap_or(bare)) {
            return LocatedFunction::default();
        }
        let found = self.candidates(bare, call);
        let first = found.as_ref().and_then(|(_, found)| found.first());
        let definition = first.map(|one| one.span());
        let is_hidden = first.is_some_and(|one| one.definition.is_private && !one.definition.is_template) || {
            // Nothing says otherwise in an unnamed namespace.
            found.is_none() && call.scope.iter().any(String::is_empty)
        };
        let full = found.map_or_else(|| qualified(bare, call), |(full, _)| full);
        LocatedFunction { name: (bare == function).then_some(full), definition, is_hidden }
    }

    /// The schema that torch infers from the function of a `def`, and notes on it.
    pub(super) fn schema(&self, name: &str, call: &Call) -> Result<(String, Vec<String>), Box<Diagnostic>> {
        let reported = |message: String, help: &str| {
            Box::new(Diagnostic::new(&codes::CPP_SCHEMA, message).at(call.place).help(help))
        };
        let help = "print it with `torch.ops.NAMESPACE.NAME.default._schema`, and write it into the `def`";
        let function = kernel_of(call).map(|argument| dispatched(argument).1).unwrap_or_default();
        let shown = function.strip_prefix("::").unwrap_or(&function);
        if !is_qualified_identifier(shown) {
            let message = format!("`{name}` has no schema: torch infers it from the C++ function");
            return Err(reported(message, help));
        }
        let found = self.candidates(&function, call).map(|(_, found)| found).unwrap_or_default();
        let signature = match found.as_slice() {
            [first, rest @ ..] if rest.iter().all(|other| other.signature == first.signature) => &first.signature,
            [] => {
                let message = format!("`{name}` has no schema, and these files do not define `{function}`");
                let help = format!("name the source that defines it too, or {help}");
                return Err(reported(message, &help));
            }
            _ => {
                let message = format!("`{name}` has no schema, and `{function}` has several signatures");
                return Err(reported(message, help));
            }
        };
        let schema = super::infer::schema(name, signature).map_err(|type_| {
            let message = format!("`{name}` has no schema, and torch infers none from the type `{type_}`");
            reported(message, "write the schema into the `def`")
        })?;
        let changed = super::infer::changed(signature);
        let note = (!changed.is_empty())
            .then(|| format!("{function} can change {}: declare what it changes", changed.join(", ")));
        Ok((schema, [Some(format!("inferred from {function}")), note].into_iter().flatten().collect()))
    }
}

/// A function's name from the outermost namespace. Most kernels are in the namespace of their
/// registration.
fn qualified(name: &str, call: &Call) -> String {
    if let Some(absolute) = name.strip_prefix("::") {
        return absolute.to_owned();
    }
    let scope = named(&call.scope);
    let first = name.split("::").next().unwrap_or(name);
    match name.contains("::") && scope.first() == Some(&first) {
        true => name.to_owned(),
        false => [&scope[..], &[name]].concat().join("::"),
    }
}

fn named(scope: &[String]) -> Vec<&str> {
    scope.iter().map(String::as_str).filter(|name| !name.is_empty()).collect()
}

/// The tags in `{at::Tag::a, at::Tag::b}` or `at::Tag::a`; none for anything else.
pub(super) fn tags(argument: &Argument) -> Vec<String> {
    let text = argument.text.trim_matches(['{', '}', ' ']);
    let parts = text.split(',').map(str::trim);
    let found: Option<Vec<String>> =
        parts.map(|part| part.contains("Tag::").then(|| last_word(part).trim_end_matches('}').to_owned())).collect();
    found.unwrap_or_default()
}

/// The argument of a `def` that is its kernel: the last one that is not tags.
pub(super) fn kernel_of(def: &Call) -> Option<&Argument> {
    let is_tags = |argument: &Argument| !tags(argument).is_empty() || argument.text.starts_with('{');
    def.arguments.iter().skip(1).rfind(|argument| !is_tags(argument))
}

/// The key and the kernel of an argument: `&f`, `TORCH_FN(f)`, `TORCH_BOX(&f)`,
/// `torch::dispatch(key, f)`.
pub(super) fn dispatched(argument: &Argument) -> (Option<String>, String) {
    let text = argument.text.trim();
    let call = text.split_once('(').and_then(|(name, rest)| Some((last_word(name), rest.strip_suffix(')')?)));
    match call {
        Some((name, inside)) if name == "dispatch" => match inside.split_once(',') {
            Some((key, kernel)) => (Some(last_word(key.trim().trim_matches('"'))), function(kernel)),
            None => (None, String::new()),
        },
        _ => (None, function(text)),
    }
}

/// The function that an expression is.
pub(crate) fn function(text: &str) -> String {
    let mut text = text.trim();
    let of_modules = ["torch::wrap_pybind_function_no_gil", "torch::wrap_pybind_function"];
    for name in ["TORCH_FN", "TORCH_BOX", "TORCH_SELECTIVE_FN"].into_iter().chain(of_modules) {
        if let Some(inside) = text.strip_prefix(name).and_then(|rest| rest.trim().strip_prefix('(')) {
            text = inside.strip_suffix(')').unwrap_or(inside);
        }
    }
    text.trim().trim_start_matches('&').trim().trim_start_matches('(').trim_end_matches(')').trim().to_owned()
}

/// The part of a name after the last `::`.
pub(super) fn last_word(text: &str) -> String {
    text.rsplit("::").next().unwrap_or(text).trim().trim_end_matches(')').trim().to_owned()
}
