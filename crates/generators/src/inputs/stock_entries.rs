//! A library's entries for PyTorch's own operators, compared with PyTorch's entries.
//!
//! Invariant: an entry gets from PyTorch's what it does not say itself: the class that a structured
//! kernel derives from, what its meta function computes for it, and whether devices are checked and
//! made current. Entries of the library's own operators are not changed.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use serde::Deserialize;

use super::stock::{Stock, StockFamily, StockOperators, base_name};
use torchgen_base::diag::{Diagnostic, Diagnostics, Help, Span, did_you_mean, plural};
use torchgen_base::yaml::Text;
use torchgen_base::yaml::fields::Spanned;
use torchgen_kit::driver::data::{Table, Tables};
use torchgen_kit::driver::{JobError, Session};
use torchgen_model::codes;
use torchgen_model::model::composites::{Composites, Gradient};
use torchgen_model::model::native_function::DeviceCheckType;
use torchgen_model::model::{
    ATEN, Argument, DispatchKey, FunctionSchema, Language, NativeFunction, Return, records_gradients,
};
use torchgen_model::parse::schema::located;
use torchgen_model::parse::written_name;
use torchgen_model::records::{DefaultsRecord, NativeFunctionRecord};
use torchgen_model::versions;

/// Facts that PyTorch's entries do not have.
#[derive(Deserialize)]
struct Facts {
    /// Operators whose tensors are on different devices on purpose.
    across_devices: Vec<String>,
}

impl Table for Facts {
    const PATH: &'static str = "torch/stock.yaml";
}

/// Gives the records of a library's own operators the library's defaults; those of PyTorch's stay
/// as they are.
pub(super) fn with_defaults(records: &mut [NativeFunctionRecord], defaults: &DefaultsRecord) {
    if *defaults != DefaultsRecord::default() {
        records.iter_mut().filter(|record| own_name(record).is_none()).for_each(|record| defaults.fill(record));
    }
}

/// Adds what PyTorch's entries say to the records of its operators. Differences from PyTorch's
/// entries are diagnostics.
///
/// # Errors
/// There is no PyTorch at the given path, or its file cannot be read.
pub(super) fn with_stock(
    records: &mut [NativeFunctionRecord],
    stock: &mut Stock,
    session: &mut Session,
) -> Result<(), JobError> {
    let entries: Vec<(usize, String)> =
        records.iter().enumerate().filter_map(|(i, record)| Some((i, own_name(record)?))).collect();
    if entries.is_empty() {
        return Ok(());
    }
    let bases: BTreeSet<String> = entries.iter().filter_map(|(_, name)| base_name(name)).collect();
    let mut found = Diagnostics::new();
    let namespace = only_namespace(records);
    let namespace = namespace.as_deref();
    let tables = session.tables.clone();
    match stock.operators(&bases, session)? {
        Some(stock) => {
            for (i, name) in &entries {
                let meant = meant(name, namespace);
                compare(&mut records[*i], name, stock, meant, &tables, &mut found);
            }
        }
        None => {
            // Without a PyTorch, the operators of all versions are known by name.
            let (own, theirs): (Vec<_>, Vec<_>) = entries.iter().partition(|(i, name)| {
                let is_qualified = written_name(records[*i].func.as_str()).contains("::");
                !is_qualified && (meant(name, namespace).is_some() || name.contains('.')) && !was_ever_stock(name)
            });
            for (i, name) in own {
                let meant = meant(name, namespace).or_else(|| meant(name, name.split('.').next()));
                found.push(not_stock(&records[*i], name).maybe_help(meant));
            }
            if let Some((first, name)) = theirs.first() {
                let own = (!was_ever_stock(name)).then(|| {
                    let help = "give an operator of your own a namespace:";
                    format!("no version of PyTorch that is known has `{name}`; {help} `my_ops::{name}`")
                });
                found.push(unchecked(name_span(&records[*first])).maybe_help(own));
            }
        }
    }
    session.diagnostics.extend(found);
    Ok(())
}

/// The name of the operator with its overload, if it is PyTorch's.
fn own_name(record: &NativeFunctionRecord) -> Option<String> {
    let name = written_name(record.func.as_str());
    let name = match name.split_once("::") {
        Some((namespace, name)) if namespace.trim() == ATEN => name,
        Some(_) => return None,
        // A schema that is invalid: `ns:name`, `ns/name`.
        None if name.contains([':', '/']) => return None,
        None => name,
    };
    Some(name.trim().to_owned())
}

fn name_span(record: &NativeFunctionRecord) -> Span {
    let text = record.func.as_str();
    record.func.sub_span(0..text.find('(').unwrap_or(text.len()))
}

/// The namespace of all entries that have one, without that of PyTorch's operators.
fn only_namespace(records: &[NativeFunctionRecord]) -> Option<String> {
    let mut namespaces = BTreeSet::new();
    for record in records {
        let written = written_name(record.func.as_str());
        let namespace = written.split_once("::").map(|(namespace, _)| namespace.trim().to_owned());
        namespaces.extend(namespace.filter(|namespace| namespace != ATEN));
    }
    namespaces.pop_first().filter(|_| namespaces.is_empty())
}

/// The operator of the library that the author probably means by a name without a namespace.
fn meant(name: &str, namespace: Option<&str>) -> Option<Help> {
    let namespace = namespace?;
    // A dot in place of the colons.
    let dotted = name.strip_prefix(namespace).and_then(|rest| rest.strip_prefix('.'));
    let meant = format!("{namespace}::{}", dotted.unwrap_or(name));
    Some(Help::new(format!("did you mean `{meant}`?")).word(name, meant).certainly())
}

/// Whether some version of PyTorch that is known has operators with the base name.
fn was_ever_stock(name: &str) -> bool {
    static NAMES: LazyLock<BTreeSet<String>> =
        LazyLock::new(|| versions::overloads().iter().filter_map(|overload| base_name(&overload.schema)).collect());
    base_name(name).is_some_and(|base| NAMES.contains(&base))
}

fn unchecked(place: Span) -> Diagnostic {
    let message = "the entries for PyTorch's operators are not checked, because no PyTorch is found";
    Diagnostic::new(&codes::STOCK_UNCHECKED, message)
        .at_with(place, "the first one")
        .note("the classes of structured kernels, device checks and guards are PyTorch's only if the entries say so")
        .help("set `--torch-path` to the `site-packages` directory with the torch that the library is built for")
}

/// Compares an entry with PyTorch's, and completes it.
fn compare(
    record: &mut NativeFunctionRecord,
    name: &str,
    stock: &StockOperators,
    meant: Option<Help>,
    tables: &Tables,
    diagnostics: &mut Diagnostics,
) {
    // An entry whose schema is invalid gets its own error.
    let Ok((_, own)) = located(record.func.as_str(), Language::C10, tables) else { return };
    let family = base_name(name).and_then(|base| stock.family(&base));
    let Some((family, theirs)) = family.and_then(|family| Some((family, family.find(name)?))) else {
        if !family.is_some_and(|family| family.generates(name)) {
            diagnostics.push(unknown(record, name, family, stock, meant));
        }
        return;
    };
    if let Some((part, message)) = difference(&own.schema, theirs) {
        let span = match part {
            Part::Argument(name) => own.spans(&record.func).argument(&name),
            Part::Name => name_span(record),
            Part::Returns => returns_span(&record.func),
        };
        diagnostics.push(
            Diagnostic::new(&codes::STOCK_SCHEMA, message).at(span).also(theirs.spans.func, "PyTorch's schema").help({
                let schema = format!("aten::{}", theirs.func);
                record.func.replaced(Help::new(format!("write `func: {schema}`")), &schema)
            }),
        );
        return;
    }
    structure(record, theirs, family.record(name), diagnostics);
    diagnostics.extend(lost_gradient(record, theirs, tables.get()));
    complete(record, theirs, family, tables.get());
}

fn unknown(
    record: &NativeFunctionRecord,
    name: &str,
    family: Option<&StockFamily>,
    stock: &StockOperators,
    meant: Option<Help>,
) -> Diagnostic {
    let error = not_stock(record, name);
    if let Some(family) = family {
        let names: Vec<String> = family.functions.iter().map(|f| f.func.name.to_string()).collect();
        let near = did_you_mean(name, names.iter().map(String::as_str));
        return error.help(near.unwrap_or_else(|| format!("it has `{}`", names.join("`, `")).into()));
    }
    let is_qualified = written_name(record.func.as_str()).contains("::");
    if let Some(meant) = meant.filter(|_| !is_qualified) {
        return error.help(meant);
    }
    let base = name.split('.').next().unwrap_or(name);
    let near = did_you_mean(base.trim_end_matches('_'), stock.base_names());
    error.help(near.unwrap_or_else(|| {
        "give an operator of your own a namespace of your own: only PyTorch can define operators in `aten`".into()
    }))
}

fn not_stock(record: &NativeFunctionRecord, name: &str) -> Diagnostic {
    let message = format!("PyTorch does not have an operator `{name}`");
    Diagnostic::new(&codes::NO_STOCK_OPERATOR, message).at(name_span(record))
}

/// The part of a schema that differs.
enum Part {
    /// The argument of that name.
    Argument(String),
    /// The whole.
    Name,
    /// The returns.
    Returns,
}

/// The first difference between a schema and PyTorch's.
fn difference(own: &FunctionSchema, theirs: &NativeFunction) -> Option<(Part, String)> {
    let name = &theirs.func.name;
    let keyword_only = |schema: &FunctionSchema| schema.arguments.flat_positional().count();
    let (ours, stock): (Vec<&Argument>, Vec<&Argument>) =
        (own.schema_order_arguments().collect(), theirs.func.schema_order_arguments().collect());
    for (i, (a, b)) in ours.iter().zip(&stock).enumerate() {
        if !same_argument(a, b) {
            let message = format!("argument {} of PyTorch's `{name}` is `{b}`, not `{a}`", i + 1);
            return Some((Part::Argument(a.name.clone()), message));
        }
    }
    if ours.len() != stock.len() {
        let takes = plural(stock.len(), "argument");
        let message = format!("PyTorch's `{name}` takes {takes}, not {}", ours.len());
        let part = ours.get(stock.len()).map_or(Part::Name, |extra| Part::Argument(extra.name.clone()));
        return Some((part, message));
    }
    if keyword_only(own) != keyword_only(&theirs.func) {
        let message =
            format!("the `*` of PyTorch's `{name}` follows {}", plural(keyword_only(&theirs.func), "argument"));
        return Some((Part::Name, message));
    }
    let same = own.returns.len() == theirs.func.returns.len()
        && own.returns.iter().zip(&theirs.func.returns).all(|(a, b)| same_return(a, b));
    (!same).then(|| {
        let returns = theirs.func.to_string();
        let returns = returns.rsplit_once("-> ").map_or("()", |(_, returns)| returns);
        (Part::Returns, format!("PyTorch's `{name}` returns `{returns}`"))
    })
}

fn same_argument(a: &Argument, b: &Argument) -> bool {
    a.schema_name() == b.schema_name()
        && a.ty == b.ty
        && a.is_write() == b.is_write()
        && a.annotation.is_some() == b.annotation.is_some()
        && same_default(a.default.as_deref(), b.default.as_deref())
}

fn same_default(a: Option<&str>, b: Option<&str>) -> bool {
    let (Some(a), Some(b)) = (a, b) else { return a == b };
    let plain = |text: &str| text.replace([' ', '"', '\''], "");
    let (a, b) = (plain(a), plain(b));
    a == b || matches!((a.parse::<f64>(), b.parse::<f64>()), (Ok(a), Ok(b)) if a == b)
}

/// Names of returns have no meaning for a kernel.
fn same_return(a: &Return, b: &Return) -> bool {
    a.ty == b.ty && a.is_write() == b.is_write() && a.annotation.is_some() == b.annotation.is_some()
}

fn returns_span(func: &Text) -> Span {
    let text = func.as_str();
    match text.rfind("->") {
        Some(arrow) => {
            let start = text[arrow + 2..].find(|c: char| !c.is_whitespace()).map_or(arrow, |skip| arrow + 2 + skip);
            func.sub_span(start..text.len())
        }
        None => func.span(),
    }
}

/// An entry can be structured only as PyTorch's is: its kernels derive from PyTorch's classes.
fn structure(
    record: &NativeFunctionRecord,
    theirs: &NativeFunction,
    written: Option<&NativeFunctionRecord>,
    diagnostics: &mut Diagnostics,
) {
    let name = &theirs.func.name;
    let mut report = |span: Span, message: String, help: String| {
        let error = Diagnostic::new(&codes::STOCK_STRUCTURE, message).at(span);
        diagnostics.push(error.also(theirs.spans.func, "PyTorch's entry").help(help));
    };
    let plain = "delete the key, and name a kernel for each variant under `dispatch:`";
    if let Some(structured) = record.structured.as_ref().filter(|structured| structured.value && !theirs.structured) {
        report(structured.span, format!("PyTorch's `{name}` is not structured"), plain.to_owned());
        return;
    }
    if let Some(delegate) = &record.structured_delegate {
        match &theirs.structured_delegate {
            None => report(delegate.span(), format!("PyTorch's `{name}` has no structured kernel"), plain.to_owned()),
            Some(target) if target.to_string() != delegate.as_str() => report(
                delegate.span(),
                format!("PyTorch's `{name}` delegates to `{target}`"),
                format!("write `structured_delegate: {target}`"),
            ),
            Some(_) => {}
        }
    }
    let written = written.filter(|_| theirs.structured);
    if let (Some(own), Some(stock)) = (&record.structured_inherits, written)
        && stock.structured_inherits.as_ref().map(Text::as_str) != Some(own.as_str())
    {
        let class = stock.structured_inherits.as_ref().map_or("no class", Text::as_str);
        let message = format!("the kernel of PyTorch's `{name}` inherits {class}");
        report(own.span(), message, "delete the key: PyTorch's entry is used".to_owned());
    }
    if let (Some(own), Some(stock)) = (&record.precomputed, written) {
        let texts = |list: &[Text]| list.iter().map(|text| text.as_str().replace(' ', "")).collect::<Vec<_>>();
        if texts(&own.value) != stock.precomputed.as_ref().map_or_else(Vec::new, |list| texts(&list.value)) {
            let message = format!("the meta function of PyTorch's `{name}` does not precompute this");
            report(own.span, message, "delete the key: PyTorch's entry is used".to_owned());
        }
    }
}

/// A kernel for a backend of an operator that PyTorch composes of others hides their derivatives.
fn lost_gradient(
    record: &NativeFunctionRecord,
    theirs: &NativeFunction,
    composites: &Composites,
) -> Option<Diagnostic> {
    let written = record.dispatch.iter().flat_map(|table| &table.value).flat_map(|entry| &entry.keys);
    let keys: Vec<(&Text, DispatchKey)> =
        written.filter_map(|text| Some((text, DispatchKey::parse(text.as_str())?))).collect();
    let is_above = |key: DispatchKey| records_gradients(key.as_str());
    let is_below = |key: DispatchKey| key.is_of_backend() && key != DispatchKey::Meta && !is_above(key);
    let (place, key) = keys.iter().copied().find(|(_, key)| is_below(*key))?;
    if composites.gradient(theirs) != Gradient::OfParts || keys.iter().any(|(_, key)| is_above(*key)) {
        return None;
    }
    let name = &theirs.func.name;
    let message = format!("`aten::{name}` has no derivative on {key}: its kernel there hides that of PyTorch");
    let note = format!("PyTorch composes `{name}` of other operators, and differentiates those");
    Some(
        Diagnostic::new(&codes::LOST_DERIVATIVE, message)
            .at(place.span())
            .also(theirs.spans.func, "PyTorch's entry")
            .note(note)
            .help(format!("name a kernel that is differentiable for `Autograd{key}` instead"))
            .help("or delete it, if the kernels of the other operators are good enough"),
    )
}

/// Adds what only PyTorch's entry says.
fn complete(record: &mut NativeFunctionRecord, theirs: &NativeFunction, family: &StockFamily, facts: &Facts) {
    let written = family.record(&theirs.func.name.to_string());
    let structured = record.structured.as_ref().is_some_and(|structured| structured.value);
    if structured && let Some(stock) = written {
        record.structured_inherits = record.structured_inherits.take().or_else(|| stock.structured_inherits.clone());
        record.precomputed = record.precomputed.take().or_else(|| stock.precomputed.clone());
    }
    let place = name_span(record);
    // A variant that PyTorch generates calls another one, whose entry counts here.
    let theirs = family.functions.iter().find(|f| f.autogen.contains(&theirs.func.name)).unwrap_or(theirs);
    let across = facts.across_devices.contains(&theirs.func.name.name.base);
    if record.device_check.is_none() && (theirs.device_check == DeviceCheckType::NoCheck || across) {
        record.device_check = Some(Text::made("NoCheck", place));
    }
    if theirs.use_const_ref_for_mutable_tensors {
        record.use_const_ref_for_mutable_tensors = Some(Spanned { value: true, span: place });
    }
    let guarded = record.structured.is_some() || record.structured_delegate.is_some();
    if record.device_guard.is_none() && !theirs.device_guard && !guarded {
        record.device_guard = Some(Spanned { value: false, span: place });
    }
}
