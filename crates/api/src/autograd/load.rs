//! Turns the entries of derivatives.yaml into each operator's derivatives.
//!
//! Invariant: every entry that is returned belongs to one operator, and no operator has two. All
//! errors of all entries are reported. [`matching`](super::matching) decides which operators use
//! the derivatives of another. Rule: torchgen/packaged/autograd/load_derivatives.py,
//! `load_derivatives` and `add_view_copy_derivatives`.

use std::collections::hash_map::Entry;
use std::sync::Arc;

use indexmap::IndexMap;
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use rustc_hash::FxHashMap;

use super::cpp_names::InCpp;
use super::info::OperatorId;
use super::title::title;
use super::{DEFAULT_KEY, DifferentiabilityInfos, InfoByKey, Operators, entry, reserved, syntax};
use crate::cpp;
use torchgen_base::diag::{Diagnostic, Diagnostics, Help, Span, did_you_mean};
use torchgen_base::lang::is_word;
use torchgen_base::yaml::Text;
use torchgen_model::codes;
use torchgen_model::model::{DispatchKey, Language, NativeFunction, Target};
use torchgen_model::parse::schema;
use torchgen_model::records::{DerivativeRecord, KeyedFormulas};

/// Processes the entries. Those with errors are reported and left out.
pub fn load<'a>(
    records: &[DerivativeRecord],
    operators: Operators<'a>,
    diagnostics: &mut Diagnostics,
) -> DifferentiabilityInfos<'a> {
    let mut loader = Loader::new(operators);
    let mut infos = DifferentiabilityInfos::default();
    let mut places: FxHashMap<OperatorId<'_>, Span> = FxHashMap::default();
    let read = |record: &DerivativeRecord| {
        let mut found = Diagnostics::new();
        (loader.whole_entry(record, &mut found), found)
    };
    let read: Vec<_> = records.par_iter().map(read).collect();
    for (record, (entry, found)) in records.iter().zip(read) {
        diagnostics.extend(found);
        let Some((canonical, mut by_key)) = entry else { continue };
        for (key, info) in by_key.iter_mut().filter(|(_, info)| info.has_derivatives()) {
            info.op = Some(loader.class(canonical, &info.name, *key));
        }
        let id = OperatorId::new(canonical, operators.target);
        if let Some(first) = places.insert(id, record.name.span()) {
            diagnostics.push(
                Diagnostic::new(&codes::DUPLICATE_DERIVATIVE, format!("`{}` has two derivatives", canonical.func.name))
                    .at_with(record.name.span(), "second one")
                    .also(first, "first one")
                    .help("variants of an operator share one derivative, so keep one of the entries"),
            );
            continue;
        }
        infos.used_dispatch_keys.extend(by_key.keys().copied());
        infos.by_operator.insert(id, Arc::new(by_key));
    }
    add_view_copies(&mut infos, operators);
    infos
}

/// Processes one entry, and leaves the classes of nodes open. Returns `None` after an error.
pub fn load_entry<'a>(
    record: &DerivativeRecord,
    operators: Operators<'a>,
    diagnostics: &mut Diagnostics,
) -> Option<(&'a NativeFunction, InfoByKey<'a>)> {
    Loader::new(operators).whole_entry(record, diagnostics)
}

/// The class of the node for a key, before the number that distinguishes it from others.
pub fn node_class_prefix(name: &str, key: DispatchKey) -> String {
    let mut prefix = op_prefix(name);
    if key != DEFAULT_KEY {
        prefix.push_str(key.as_str());
    }
    prefix
}

/// Gives the copy variants of views the derivatives of the views, unless they have their own.
fn add_view_copies<'a>(infos: &mut DifferentiabilityInfos<'a>, operators: Operators<'a>) {
    let views: FxHashMap<_, _> =
        operators.view_groups.iter().map(|&g| ((operators.target.identity(g.view), &g.view.func.name), g)).collect();
    let mut copies = IndexMap::new();
    for by_key in infos.by_operator.values() {
        let Some(first) = by_key.values().next() else { continue };
        let view = (operators.target.identity(first.func), &first.func.func.name);
        let Some((g, copy)) = views.get(&view).and_then(|g| Some((g, g.view_copy?))) else { continue };
        let id = OperatorId::new(copy, operators.target);
        if infos.by_operator.contains_key(&id) {
            continue;
        }
        let copied: InfoByKey<'a> = by_key
            .iter()
            .filter_map(|(key, info)| Some((*key, info.create_view_copy_from_view_derivative(g)?)))
            .collect();
        copies.insert(id, Arc::new(copied));
    }
    infos.by_operator.extend(copies);
}

fn address(f: &NativeFunction) -> usize {
    std::ptr::from_ref(f) as usize
}

struct Loader<'a> {
    operators: Operators<'a>,
    /// By name and overload, without the namespace.
    by_name: FxHashMap<String, Vec<&'a NativeFunction>>,
    by_base: FxHashMap<&'a str, Vec<&'a NativeFunction>>,
    /// The rank of an operator among those of its signature: views, then inplace views, then all
    /// others.
    ranks: FxHashMap<usize, u8>,
    /// How many nodes have a class of that name, by namespace.
    classes: FxHashMap<(Option<&'a str>, String), usize>,
}

impl<'a> Loader<'a> {
    fn new(operators: Operators<'a>) -> Self {
        let mut by_name: FxHashMap<String, Vec<&NativeFunction>> = FxHashMap::default();
        let mut by_base: FxHashMap<&str, Vec<&NativeFunction>> = FxHashMap::default();
        for &f in operators.functions {
            by_name.entry(f.func.name.to_string()).or_default().push(f);
            by_base.entry(f.root_name()).or_default().push(f);
        }
        let mut ranks = FxHashMap::default();
        for g in operators.view_groups {
            ranks.insert(address(g.view), 0);
            ranks.extend(g.view_inplace.map(|f| (address(f), 1)));
        }
        Loader { operators, by_name, by_base, ranks, classes: FxHashMap::default() }
    }

    /// The formulas are for a key of autograd for which the operator has a kernel.
    fn beside_kernel(&self, f: &NativeFunction, keyed: &KeyedFormulas) -> Option<Diagnostic> {
        let name = keyed.key.as_ref().filter(|_| self.operators.target.refuses_what_has_no_effect)?;
        let (key, kernel) = f.spans.kernels.iter().find(|(key, _)| key.as_str() == name.as_str())?;
        // Other builds of a library that registers itself lack the kernel.
        let in_some_builds = f.conditions.kernels.iter().any(|(of, _)| of == key);
        if f.manual_kernel_registration && in_some_builds {
            return None;
        }
        let message = format!("`{}` has a kernel for {key}, so these formulas are not used", f.func.name);
        Some(
            Diagnostic::new(&codes::DERIVATIVE_AND_KERNEL, message)
                .at(name.span())
                .also(*kernel, "the kernel")
                .help(format!("delete the formulas for {key}, or the kernel: those under `Default` serve other keys")),
        )
    }

    /// An operator whose kernels are registered by hand, also that for autograd, in a library on
    /// the C++ API: on the stable ABI, the package looks for one before it registers its own.
    fn of_manual(&self, f: &NativeFunction, record: &DerivativeRecord) -> Option<Diagnostic> {
        let Target { known_by_name, sees_exports_only, .. } = self.operators.target;
        if !f.manual_kernel_registration || known_by_name || !sees_exports_only {
            return None;
        }
        let name = &f.func.name;
        let message =
            format!("the kernels of `{name}` are registered by hand, so nothing is generated for its derivative");
        let kernels = "delete `manual_kernel_registration:`, and name the kernels of the backends under `dispatch:`";
        let stable = "or write `abi: stable` in library.yaml: then the package in Python registers the derivative";
        let error = Diagnostic::new(&codes::MANUAL_DERIVATIVE, message).at(record.name.span());
        let error = error.also(f.spans.func, "the operator").help(kernels);
        Some(error.help(stable).help("or delete the entry, and register a kernel for `Autograd` by hand too"))
    }

    /// An entry that may not have been read. The classes of nodes are left open.
    fn whole_entry(
        &self,
        record: &DerivativeRecord,
        diagnostics: &mut Diagnostics,
    ) -> Option<(&'a NativeFunction, InfoByKey<'a>)> {
        diagnostics.extend(syntax::unread(record, self.operators.target));
        self.entry(record, diagnostics)
    }

    /// The formulas of an entry. The classes of nodes are left open.
    fn entry(
        &self,
        record: &DerivativeRecord,
        diagnostics: &mut Diagnostics,
    ) -> Option<(&'a NativeFunction, InfoByKey<'a>)> {
        let found = self.operator(&record.name).and_then(|f| self.canonical(f, &record.name));
        let f = match found {
            Ok(f) => f,
            Err(error) => {
                diagnostics.push(*error);
                return None;
            }
        };
        if self.operators.target.is_stock(f) {
            diagnostics.push(
                Diagnostic::new(
                    &codes::IGNORED_DERIVATIVE,
                    format!("`aten::{}` already has a derivative in PyTorch", f.func.name),
                )
                .at(record.name.span())
                .also(f.spans.func, "the operator")
                .help("delete the entry: your kernel for another key runs below PyTorch's derivative"),
            );
            return None;
        }
        if f.has_autograd_kernel && self.operators.target.refuses_what_has_no_effect {
            let message = format!("`{}` has a kernel for Autograd, so this derivative is not used", f.func.name);
            diagnostics.push(
                Diagnostic::new(&codes::DERIVATIVE_AND_KERNEL, message)
                    .at(record.name.span())
                    .also(f.spans.dispatch.unwrap_or(f.spans.func), "the kernels of the operator")
                    .help("delete the entry, or the kernel"),
            );
            return None;
        }
        if let Some(error) = self.of_manual(f, record) {
            diagnostics.push(error);
            return None;
        }
        if let Some(error) = reserved::input(f, record).or_else(|| reserved::output(f, record, self.operators.target)) {
            diagnostics.push(error);
            return None;
        }
        diagnostics.extend(record.formulas.iter().flat_map(several_formulas));
        let in_cpp = InCpp::of_operator(f);
        let record = &*in_cpp.entry(record, f);
        let setup = entry::Setup::new(f, &in_cpp, record, self.operators, diagnostics)?;
        let mut by_key = InfoByKey::new();
        let mut whole = true;
        for keyed in &record.formulas {
            let key = match key(keyed) {
                Ok(key) => key,
                Err(error) => {
                    diagnostics.push(error);
                    whole = false;
                    continue;
                }
            };
            if let Some(error) = self.beside_kernel(f, keyed) {
                diagnostics.push(error);
                whole = false;
                continue;
            }
            match setup.info(&keyed.formulas) {
                Ok(info) => {
                    by_key.insert(key, info);
                }
                Err(errors) => {
                    diagnostics.extend(errors);
                    whole = false;
                }
            }
        }
        whole.then_some((f, by_key))
    }

    /// The operator with that schema.
    fn operator(&self, name: &Text) -> Result<&'a NativeFunction, Box<Diagnostic>> {
        let text = name.as_str();
        let Target { language, tables, .. } = self.operators.target;
        let parsed = match language {
            Language::Torchgen => None,
            Language::C10 => {
                Some(schema::namespaced(text, language, tables).map_err(|error| Box::new(error.at_text(name)))?)
            }
        };
        let (space, wanted) = match &parsed {
            Some((space, func)) => (space.as_deref(), func.name.to_string()),
            None => (None, text[..text.find('(').unwrap_or(text.len())].to_owned()),
        };
        let end = text.find('(').unwrap_or(text.len());
        let candidates: Vec<_> = self
            .by_name
            .get(&wanted)
            .into_iter()
            .flatten()
            .copied()
            .filter(|f| space.is_none_or(|space| f.namespace == space))
            .collect();
        let fits = |f: &NativeFunction| match &parsed {
            // The text of a generated variant does not name it.
            Some((_, func)) => {
                f.func.to_string() == func.to_string() && f.func.schema_order_arguments().all(|a| a.by_c10)
            }
            None => f.func.to_string() == text,
        };
        match candidates.as_slice() {
            [] => Err(Box::new(self.no_such_operator(name, space, &wanted, end))),
            [only] if fits(only) => Ok(only),
            [only] => Err(Box::new(wrong_schema(name, only))),
            several => {
                let fitting: Vec<_> = several.iter().filter(|f| fits(f)).collect();
                match fitting.as_slice() {
                    [only] => Ok(only),
                    [] => Err(Box::new(wrong_schema(name, several[0]))),
                    [first, ..] => Err(Box::new(
                        Diagnostic::new(
                            &codes::NO_SUCH_OPERATOR,
                            format!("several namespaces have an operator `{wanted}`"),
                        )
                        .at(name.sub_span(0..end))
                        .help(
                            Help::new(format!("qualify the name: `{}::{wanted}`", first.namespace))
                                .instead(format!("{}::{wanted}", first.namespace)),
                        ),
                    )),
                }
            }
        }
    }

    fn no_such_operator(&self, name: &Text, space: Option<&str>, wanted: &str, end: usize) -> Diagnostic {
        let written = self.operators.functions.iter().filter(|f| !f.is_generated());
        let known: Vec<String> = written.map(|f| self.full_name(f)).collect();
        let base = |name: &str| name.rsplit("::").next().and_then(|name| name.split('.').next()).map(str::to_owned);
        let overloads: Vec<String> =
            known.iter().filter(|other| base(other) == base(wanted)).map(|name| format!("`{name}`")).collect();
        let full = space.map_or(wanted.to_owned(), |space| format!("{space}::{wanted}"));
        let help = match overloads.as_slice() {
            [] => did_you_mean(&full, known.iter().map(String::as_str)),
            [only] if space.is_some() => {
                let other = only.trim_matches('`');
                Some(Help::new(format!("the overloads are {only}")).instead(other))
            }
            some => Some(format!("the overloads are {}", some.join(", ")).into()),
        };
        Diagnostic::new(&codes::NO_SUCH_OPERATOR, format!("there is no operator `{full}`"))
            .at(name.sub_span(0..end))
            .maybe_help(help)
    }

    /// The name of an operator, with its namespace where that counts.
    fn full_name(&self, f: &NativeFunction) -> String {
        match self.operators.target.identity(f) {
            Some(space) => format!("{space}::{}", f.func.name),
            None => f.func.name.to_string(),
        }
    }

    /// The variant that carries the derivatives: the one that has the entry's name and is neither
    /// an out variant nor the functional counterpart of a mutable operator; or else the inplace
    /// one, which may be the only one.
    fn canonical(&self, f: &'a NativeFunction, name: &Text) -> Result<&'a NativeFunction, Box<Diagnostic>> {
        let target = self.operators.target;
        let signature = f.func.signature();
        let base_name = f.func.name.name.to_string();
        let mut variants: Vec<&NativeFunction> = self
            .by_base
            .get(f.root_name())
            .into_iter()
            .flatten()
            .copied()
            .filter(|other| target.identity(other) == target.identity(f) && other.func.signature() == signature)
            .collect();
        variants.sort_by_key(|f| self.ranks.get(&address(f)).copied().unwrap_or(2));
        let carries = |f: &NativeFunction| {
            !f.func.is_functional_fn() && !f.func.is_out_fn() && f.func.name.name.to_string() == base_name
        };
        if let Some(found) = variants.iter().find(|f| carries(f)) {
            return Ok(found);
        }
        let first = variants.first().copied().unwrap_or(f);
        if cpp::name(&first.func) == format!("{base_name}_") {
            return Ok(first);
        }
        let end = name.find('(').unwrap_or(name.len());
        Err(Box::new(
            Diagnostic::new(&codes::NO_CANONICAL_OPERATOR, format!("`{}` cannot have derivatives", f.func.name))
                .at(name.sub_span(0..end))
                .also(f.spans.func, "the operator")
                .help("out= variants and functional counterparts share the derivative of their operator: write the entry for that operator"),
        ))
    }

    /// The class of a node, with a number that distinguishes it from others of that name.
    fn class(&mut self, f: &'a NativeFunction, name: &str, key: DispatchKey) -> String {
        let prefix = node_class_prefix(name, key);
        let count = self.classes.entry((self.operators.target.identity(f), prefix.clone())).or_default();
        let class = format!("{prefix}{count}");
        *count += 1;
        class
    }
}

/// `special_i0e` -> `SpecialI0EBackward`. Rule: load_derivatives.py, `_create_op_prefix`.
fn op_prefix(name: &str) -> String {
    format!("{}Backward", title(name)).replace("ForwardBackward", "Backward")
}

/// Warnings about names that have several formulas for one key.
fn several_formulas(keyed: &KeyedFormulas) -> Vec<Diagnostic> {
    let mut first: FxHashMap<&str, Span> = FxHashMap::default();
    let mut doubts = Vec::new();
    for name in keyed.formulas.iter().flat_map(|record| &record.names) {
        match first.entry(name.as_str()) {
            Entry::Vacant(place) => {
                place.insert(name.span());
            }
            Entry::Occupied(first) => doubts.push(
                Diagnostic::new(&codes::SEVERAL_FORMULAS, format!("`{name}` has several formulas"))
                    .at_with(name.span(), "second one")
                    .also(*first.get(), "first one")
                    .help("formulas are computed in the order of their names, and the last one takes effect"),
            ),
        }
    }
    doubts
}

/// The key of a set of formulas.
fn key(keyed: &KeyedFormulas) -> Result<DispatchKey, Diagnostic> {
    let Some(text) = &keyed.key else { return Ok(DEFAULT_KEY) };
    if text == "Default" {
        return Ok(DEFAULT_KEY);
    }
    DispatchKey::parse(text).filter(|key| DispatchKey::AUTOGRAD.contains(key)).ok_or_else(|| {
        let known = std::iter::once("Default").chain(DispatchKey::AUTOGRAD.iter().map(|key| key.as_str()));
        let help = did_you_mean(text, known.clone());
        let help = help.unwrap_or_else(|| format!("known values: {}", known.collect::<Vec<_>>().join(", ")).into());
        Diagnostic::new(&codes::UNKNOWN_AUTOGRAD_KEY, format!("derivatives cannot differ for dispatch key `{text}`"))
            .at(text.span())
            .help(help)
    })
}

/// The diagnostic for a schema that differs from the operator's. The caret goes under the first
/// word that differs.
fn wrong_schema(name: &Text, f: &NativeFunction) -> Diagnostic {
    let whole = name.as_str();
    let native = f.func.to_string();
    let namespace = whole.split('(').next().and_then(|name| name.rfind("::")).map_or("", |at| &whole[..at + 2]);
    let text = &whole[namespace.len()..];
    if text == native && f.is_generated() {
        let message = format!("`{}` is generated, and cannot have a derivative", f.func.name);
        return Diagnostic::new(&codes::WRONG_SCHEMA, message)
            .at(name.span())
            .also(f.spans.func, "from this operator")
            .help("write the derivative of the operator that it is generated from");
    }
    let same = text.char_indices().zip(native.chars()).find(|((_, a), b)| a != b).map(|((at, _), _)| at);
    let same = same.unwrap_or(text.len().min(native.len()));
    // The word that contains the difference, or the single different character.
    let in_word = [&text[same..], &native[same..]].iter().any(|rest| rest.starts_with(is_word));
    let start = if in_word { text[..same].trim_end_matches(is_word).len() } else { same };
    let end = same + text[same..].find(|c| !is_word(c)).unwrap_or(text.len() - same);
    let end = if start == end { end + text[end..].chars().next().map_or(0, char::len_utf8) } else { end };
    let span = name.sub_span(namespace.len() + start..namespace.len() + end);
    Diagnostic::new(&codes::WRONG_SCHEMA, format!("this is not the schema of `{}`", f.func.name))
        .at_with(span, "differs here")
        .also(f.spans.func, "the operator")
        .help({
            let schema = format!("{namespace}{native}");
            name.replaced(Help::new(format!("write `name: {schema}`")), &schema)
        })
}

#[cfg(test)]
mod tests {
    use super::op_prefix;

    #[test]
    fn classes() {
        for (name, expected) in [
            ("add", "AddBackward"),
            ("add_", "AddBackward"),
            ("special_i0e", "SpecialI0EBackward"),
            ("conv2d", "Conv2DBackward"),
            ("_foo_forward", "FooBackward"),
            ("__and__", "AndBackward"),
            ("linalg_LU", "LinalgLuBackward"),
        ] {
            assert_eq!(op_prefix(name), expected);
        }
    }
}
