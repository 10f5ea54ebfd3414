//! Turns one record of `native_functions.yaml` into one operator and its kernels.
//!
//! Invariant: a returned operator follows every rule that concerns it alone, or a diagnostic shows
//! which it breaks; rules between operators are in `group`. Rule: torchgen/model.py,
//! `NativeFunction.from_yaml` and `__post_init__`.

mod batching;
pub mod c_functions;
mod compiles;
mod conditions;
mod defaults;
mod dims;
mod dispatch;
mod fake_sizes;
pub mod names;
mod onnx;
mod outputs;
mod python;
mod python_kernels;
mod registration;
mod rules;
mod sizes;
#[cfg(any(test, feature = "testing"))]
pub mod testing;

use std::collections::BTreeSet;

use indexmap::IndexMap;

pub use self::defaults::checked as checked_defaults;
use self::dispatch::Kernels;
use super::schema::Located;
use crate::codes;
use crate::model::condition::Condition;
use crate::model::native_function::{DeviceCheckType, EntrySpans, UfuncInnerLoop, UfuncKey, Variants};
use crate::model::python_function::PythonFunction;
use crate::model::registration::Registration;
use crate::model::rules::Rules;
use crate::model::{
    ATEN, BackendMetadata, DispatchKey, FunctionSchema, Language, NativeFunction, OperatorName, Target,
};
use crate::parse::c10::{DeclaredArgument, DeclaredReturn};
use crate::records::{NativeFunctionRecord, UFUNC_KEYS, UfuncRecord};
use torchgen_base::diag::{Diagnostic, Diagnostics, Help, Span, TextError, did_you_mean};
use torchgen_base::yaml::Text;
use torchgen_base::yaml::fields::Spanned;

/// The context of an entry.
#[derive(Debug, Clone, Copy)]
pub struct EntryOptions<'a> {
    /// What the operators are generated for.
    pub target: Target<'a>,
    /// The tags that tags.yaml declares.
    pub valid_tags: &'a BTreeSet<String>,
    /// Keys whose kernels are ignored.
    pub ignore_keys: &'a BTreeSet<DispatchKey>,
}

/// An operator and its kernels, in the order of its dispatch table.
#[derive(Debug, Clone)]
pub struct Entry {
    /// The operator.
    pub function: NativeFunction,
    /// Its kernel for each key.
    pub kernels: Vec<(DispatchKey, BackendMetadata)>,
}

/// An operator that is registered by its schema alone: its types have no C++ form here, and its
/// author registers a boxed kernel.
#[derive(Debug, Clone)]
pub struct SchemaOnly {
    /// Its namespace.
    pub namespace: String,
    /// Its name with the overload.
    pub name: String,
    /// Its name and its overload, apart.
    pub parts: (String, String),
    /// The schema without the namespace.
    pub schema: String,
    /// The arguments in order.
    pub arguments: Vec<DeclaredArgument>,
    /// The results in order.
    pub returns: Vec<DeclaredReturn>,
    /// The docstring.
    pub doc: Option<String>,
    /// Its tags.
    pub tags: BTreeSet<String>,
    /// Python has no function for it.
    pub is_helper: bool,
    /// What makes its outputs without data.
    pub fake: Option<PythonFunction>,
    /// Who registers it.
    pub registration: Registration,
    /// The builds that have it.
    pub when: Option<Condition>,
    /// The place of its name.
    pub span: Span,
}

/// Processes a library's record whose author registers the kernels (`manual_kernel_registration:
/// True`, `registration: own`), if its schema alone can be used.
pub fn schema_only(
    record: &NativeFunctionRecord,
    options: EntryOptions,
    diagnostics: &mut Diagnostics,
) -> Option<SchemaOnly> {
    if !registration::is_by_hand(record, options.target) {
        return None;
    }
    let registration = registration::registration(record.registration.as_ref(), diagnostics);
    let declared = super::c10::declared(record.func.as_str()).ok()?;
    declared.generated(options.target.tables).err()?;
    if let Some(dispatch) = record.dispatch.as_ref().filter(|_| registration == Registration::Generated) {
        let message = "`dispatch:` has no effect when kernels are registered by hand";
        diagnostics.push(Diagnostic::new(&codes::MANUAL_WITH_DISPATCH, message).at(dispatch.span));
    }
    let end = record.func.as_str().find('(').unwrap_or_default();
    let name = declared.name();
    check_keys_of_schema(record, &name, diagnostics);
    Some(SchemaOnly {
        namespace: declared.namespace.clone().unwrap_or_else(|| ATEN.to_owned()),
        fake: record.fake.as_ref().and_then(|text| python::fake_of_schema(text, &name, diagnostics)),
        name,
        parts: (declared.base_name().to_owned(), declared.overload_name().to_owned()),
        arguments: declared.python_arguments(),
        returns: declared.python_returns(),
        doc: doc(record),
        schema: declared.text,
        tags: written_tags(record.tags.as_ref(), options, diagnostics),
        is_helper: is_helper(record),
        registration,
        when: conditions::of_operator(record, diagnostics),
        span: record.func.sub_span(0..end),
    })
}

/// Reports keys without effect on an operator of which only the schema is registered.
fn check_keys_of_schema(record: &NativeFunctionRecord, name: &str, diagnostics: &mut Diagnostics) {
    let span = |text: &Option<Text>| text.as_ref().map(Text::span);
    let keys = [
        ("vmap", span(&record.vmap)),
        ("dims", record.dims.as_ref().map(|texts| texts.span)),
        ("flops", span(&record.flops)),
        ("autogen", span(&record.autogen)),
        ("view_inverse", span(&record.view_inverse)),
        ("aoti", c_functions::asked_for(record)),
        ("onnx", span(&record.onnx)),
    ];
    for (key, span) in keys.into_iter().filter_map(|(key, span)| Some((key, span?))) {
        let message = format!("`{key}:` has no effect on `{name}`: C++ does not know its types, only its schema");
        let error = Diagnostic::new(&codes::NOT_GENERATED, message).at(span);
        diagnostics.push(error.help(format!("delete `{key}:`")));
    }
}

fn is_helper(record: &NativeFunctionRecord) -> bool {
    record.helper.as_ref().is_some_and(|flag| flag.value)
}

fn doc(record: &NativeFunctionRecord) -> Option<String> {
    record.doc.as_ref().map(|text| text.as_str().trim().to_owned()).filter(|text| !text.is_empty())
}

/// Processes one record. All errors go to `diagnostics`; returns `None` if the schema itself is
/// invalid.
pub fn entry(record: &NativeFunctionRecord, options: EntryOptions, diagnostics: &mut Diagnostics) -> Option<Entry> {
    let (namespace, located) = match schema(&record.func, options.target, diagnostics) {
        Ok(parsed) => parsed,
        Err(error) => {
            diagnostics.push(error.at_text(&record.func));
            check_without_schema(record, options, diagnostics);
            return None;
        }
    };
    let namespace = namespace.unwrap_or_else(|| ATEN.to_owned());
    let spans = spans(record, &located);
    let func = located.schema;
    let structured = record.structured.as_ref().is_some_and(|s| s.value);
    let structured_delegate = record.structured_delegate.as_ref().and_then(|text| delegate(text, diagnostics));
    let Kernels { cpp: kernels, python: python_kernels } =
        dispatch::kernels(record, &namespace, &func, options, diagnostics);
    let has = |key| kernels.iter().any(|(k, _)| *k == key);
    let only = |keys: &[DispatchKey]| kernels.len() == keys.len() && keys.iter().all(|k| has(*k));
    use DispatchKey::*;
    // Nobody knows the kernels of an operator whose author registers them.
    let is_abstract = structured_delegate.is_some()
        || registration::is_by_hand(record, options.target)
        || !(only(&[CompositeImplicitAutograd])
            || only(&[CompositeImplicitAutogradNestedTensor])
            || only(&[CompositeImplicitAutograd, CompositeImplicitAutogradNestedTensor]));
    let conditions = conditions::conditions(record, &kernels, &python_kernels, diagnostics);
    let manual_kernel_registration = registration::registers_kernels(record);
    let in_some_builds = |key| conditions.kernels.iter().any(|(of, _)| *of == key);
    let dims = record.dims.as_ref().and_then(|texts| super::dims::dims(texts, &func, diagnostics));
    let mut function = NativeFunction {
        use_const_ref_for_mutable_tensors: record.use_const_ref_for_mutable_tensors.as_ref().is_some_and(|s| s.value),
        device_guard: record.device_guard.as_ref().is_none_or(|s| s.value),
        device_check: device_check(record.device_check.as_ref(), diagnostics),
        python_module: record.python_module.as_ref().map(|t| t.as_str().to_owned()),
        category_override: record.category_override.as_ref().map(|t| t.as_str().to_owned()),
        variants: variants(record.variants.as_ref(), diagnostics),
        manual_kernel_registration,
        registration: registration::registration(record.registration.as_ref(), diagnostics),
        is_helper: is_helper(record),
        version_counter: record.version_counter.as_ref().is_none_or(|s| s.value),
        manual_cpp_binding: record.manual_cpp_binding.as_ref().is_some_and(|s| s.value),
        autogen: autogen(record.autogen.as_ref(), diagnostics),
        ufunc_inner_loop: ufunc_inner_loop(record.ufunc_inner_loop.as_ref(), diagnostics),
        structured,
        structured_delegate,
        structured_inherits: record.structured_inherits.as_ref().map(|t| t.as_str().to_owned()),
        precomputed: precomputed(record, diagnostics),
        view_inverse: record
            .view_inverse
            .as_ref()
            .map(|text| dispatch::named_function(text, &namespace, options.target)),
        cpp_no_default_args: record
            .cpp_no_default_args
            .iter()
            .flat_map(|list| list.value.iter().map(|t| t.as_str().to_owned()))
            .collect(),
        doc: doc(record),
        fake: record.fake.as_ref().and_then(|text| python::fake(text, &func, structured, diagnostics)),
        vmap: record.vmap.as_ref().and_then(|text| batching::rule(text, &func, diagnostics)),
        flops: dims::flops(record, dims.as_ref(), &func, diagnostics),
        dims,
        aoti: false,
        onnx: record.onnx.as_ref().and_then(|text| onnx::operator(text, diagnostics)),
        is_abstract,
        differentiable: record.differentiable.as_ref().is_none_or(|s| s.value),
        has_composite_implicit_autograd_kernel: has(CompositeImplicitAutograd),
        has_composite_implicit_autograd_nested_tensor_kernel: has(CompositeImplicitAutogradNestedTensor),
        has_composite_explicit_autograd_kernel: has(CompositeExplicitAutograd),
        has_composite_explicit_autograd_non_functional_kernel: has(CompositeExplicitAutogradNonFunctional),
        has_autograd_kernel: has(Autograd) && !registration::is_beside_formulas(record, in_some_builds(Autograd)),
        compares_gradients: registration::compares_gradients(record),
        tags: tags(record, &namespace, &func, options, diagnostics),
        conditions,
        python_kernels,
        namespace,
        func,
        spans,
    };
    registration::check(&function, record, diagnostics);
    rules::check_entry_rules(&function, record, &kernels, options, diagnostics);
    python::check_fake(&function, record, &kernels, options, diagnostics);
    python_kernels::check_python_kernels(&function, &kernels, options.target, diagnostics);
    dims::check_dims(&function, record, &kernels, options, diagnostics);
    batching::check_batching(&function, options.target.is_stock(&function), diagnostics);
    onnx::check_onnx(&function, options.target.is_stock(&function), diagnostics);
    function.aoti = c_functions::is_wanted(&function, record, options.target, diagnostics);
    sizes::warn_about_sizes(&function, record, options, diagnostics);
    names::check_operator_names(&function, record, options, diagnostics);
    compiles::warn_about_cpp_arguments(&function, record, options, diagnostics);
    Some(Entry { function, kernels })
}

/// The schema and its namespace. Doubtful parts get a lint.
fn schema(
    func: &Text,
    Target { language, of_any_torch, tables, .. }: Target,
    diagnostics: &mut Diagnostics,
) -> Result<(Option<String>, Located), TextError> {
    if of_any_torch {
        return super::schema::of_any_torch(func.as_str());
    }
    if language == Language::Torchgen {
        return super::schema::located(func.as_str(), language, tables);
    }
    let declared = super::c10::declared(func.as_str())?;
    let located = declared.generated(tables).map_err(|error| match error.help {
        None if *error.code == codes::NOT_GENERATED => error
            .help("`manual_kernel_registration: True` registers only the schema, for a boxed kernel that you write"),
        _ => error,
    })?;
    diagnostics.extend(located.lints.iter().map(|lint| lint.clone().at_text(func)));
    Ok((declared.namespace, located))
}

/// Errors that do not depend on the schema, so that they need no second run.
fn check_without_schema(record: &NativeFunctionRecord, options: EntryOptions, diagnostics: &mut Diagnostics) {
    let _ = record.structured_delegate.as_ref().and_then(|text| delegate(text, diagnostics));
    dispatch::check_keys(record, options, diagnostics);
    device_check(record.device_check.as_ref(), diagnostics);
    variants(record.variants.as_ref(), diagnostics);
    autogen(record.autogen.as_ref(), diagnostics);
    ufunc_inner_loop(record.ufunc_inner_loop.as_ref(), diagnostics);
    precomputed(record, diagnostics);
    written_tags(record.tags.as_ref(), options, diagnostics);
}

fn spans(record: &NativeFunctionRecord, located: &Located) -> EntrySpans {
    let text = record.func.as_str();
    let end = text.find('(').unwrap_or(text.len());
    EntrySpans {
        entry: record.span,
        func: record.func.span(),
        schema: located.spans(&record.func),
        name: record.func.sub_span(0..end),
        dispatch: record.dispatch.as_ref().map(|d| d.span),
        kernels: record
            .dispatch
            .iter()
            .flat_map(|table| &table.value)
            .flat_map(|entry| entry.keys.iter().map(|key| (DispatchKey::parse(key.as_str()), entry.kernel.span())))
            .filter_map(|(key, span)| Some((key?, span)))
            .collect(),
        autogen: record.autogen.as_ref().map(Text::span),
        structured: structured_span(record),
        view_inverse: record.view_inverse.as_ref().map(Text::span),
        fake: record.fake.as_ref().map(Text::span),
        vmap: record.vmap.as_ref().map(Text::span),
        dims: record.dims.as_ref().map(|texts| texts.span),
        flops: record.flops.as_ref().map(Text::span),
        aoti: c_functions::asked_for(record),
        onnx: record.onnx.as_ref().map(Text::span),
    }
}

fn structured_span(record: &NativeFunctionRecord) -> Option<Span> {
    let delegate = record.structured_delegate.as_ref().map(Text::span);
    delegate.or(record.structured.as_ref().map(|s| s.span))
}

fn delegate(text: &Text, diagnostics: &mut Diagnostics) -> Option<OperatorName> {
    if text.as_str().contains("::") {
        diagnostics.push(
            Diagnostic::new(&codes::NAMESPACE_NOT_ALLOWED, "a structured delegate must be named without a namespace")
                .at(text.span())
                .help(Help::write(text.as_str().rsplit("::").next().unwrap_or_default()).certainly())
                .note("the delegate is looked up in the operator's own namespace"),
        );
        return None;
    }
    operator_name(text, diagnostics)
}

fn operator_name(text: &Text, diagnostics: &mut Diagnostics) -> Option<OperatorName> {
    super::name::operator_name(text.as_str()).map_err(|error| diagnostics.push(error.at_text(text))).ok()
}

fn autogen(text: Option<&Text>, diagnostics: &mut Diagnostics) -> Vec<OperatorName> {
    let Some(text) = text.filter(|t| !t.as_str().is_empty()) else { return Vec::new() };
    text.split(", ").iter().filter_map(|name| operator_name(name, diagnostics)).collect()
}

/// An unknown word among a fixed set of values.
fn illegal_value(what: &str, text: &Text, known: &[&str]) -> Diagnostic {
    let diagnostic =
        Diagnostic::new(&codes::ILLEGAL_VALUE, format!("`{}` is not a {what}", text.as_str())).at(text.span());
    let help = did_you_mean(text.as_str(), known.iter().copied());
    diagnostic.help(help.unwrap_or_else(|| format!("known values: {}", known.join(", ")).into()))
}

fn variants(text: Option<&Text>, diagnostics: &mut Diagnostics) -> Variants {
    let Some(text) = text else { return Variants { function: true, method: false } };
    let mut variants = Variants { function: false, method: false };
    for word in text.split(", ") {
        match word.as_str() {
            "function" => variants.function = true,
            "method" => variants.method = true,
            _ => diagnostics.push(illegal_value("variant", &word, &["function", "method"])),
        }
    }
    variants
}

fn device_check(text: Option<&Text>, diagnostics: &mut Diagnostics) -> DeviceCheckType {
    match text.map(|t| (t, t.as_str())) {
        None | Some((_, "ExactSame")) => DeviceCheckType::ExactSame,
        Some((_, "NoCheck")) => DeviceCheckType::NoCheck,
        Some((text, _)) => {
            diagnostics.push(illegal_value("device check", text, &["NoCheck", "ExactSame"]));
            DeviceCheckType::ExactSame
        }
    }
}

/// The tags as written, and those that follow from the operator's properties.
fn tags(
    record: &NativeFunctionRecord,
    namespace: &str,
    func: &FunctionSchema,
    options: EntryOptions,
    diagnostics: &mut Diagnostics,
) -> BTreeSet<String> {
    let mut tags = written_tags(record.tags.as_ref(), options, diagnostics);
    let mut add = |tag: &str, applies: bool| {
        // Compilers use the tags of inplace and out= operators to decide whether they can
        // functionalize them.
        if applies && (options.valid_tags.contains(tag) || options.target.language == Language::C10) {
            tags.insert(tag.to_owned());
        }
    };
    add("pt2_compliant_tag", namespace == ATEN);
    let tagged_out = options.target.every_variant_is_tagged || func.arguments.survive_inductor_out_call();
    let names_are_tagged = Rules::of_tables(options.target.tables).variants_are_tagged;
    add("out", names_are_tagged && func.is_out_fn() && tagged_out);
    // PyTorch's compilers take the tag to mean that the first argument is a tensor, that it is
    // returned, and that no other argument is mutable.
    let writes_self = !func.returns.is_empty() && func.arguments.flat_all().filter(|a| a.is_write()).count() == 1;
    let tagged_inplace = options.target.every_variant_is_tagged || writes_self;
    add("inplace", names_are_tagged && func.name.name.inplace && tagged_inplace);
    tags
}

/// The tag that generated variants get.
const GENERATED: &str = "generated";

/// The tags as written, limited to those in tags.yaml.
fn written_tags(
    list: Option<&Spanned<Vec<Text>>>,
    options: EntryOptions,
    diagnostics: &mut Diagnostics,
) -> BTreeSet<String> {
    let mut tags = BTreeSet::new();
    for tag in list.into_iter().flat_map(|list| &list.value) {
        if tag.as_str() == GENERATED {
            diagnostics.push(
                Diagnostic::new(&codes::GENERATED_TAG, "the tag `generated` is reserved for generated operators")
                    .at(tag.span())
                    .help("delete it; to generate this variant, name it under `autogen:` of another one"),
            );
        } else if options.valid_tags.contains(tag.as_str()) {
            tags.insert(tag.as_str().to_owned());
        } else {
            let words: Vec<&str> = tag.as_str().split([' ', ',']).filter(|word| !word.is_empty()).collect();
            let several = words.len() > 1 && words.iter().all(|word| options.valid_tags.contains(*word));
            let help = several
                .then(|| format!("[{}]", words.join(", ")))
                .map(|list| Help::new(format!("write a list: `{list}`")).instead(list).certainly())
                .or_else(|| did_you_mean(tag.as_str(), options.valid_tags.iter().map(String::as_str)));
            diagnostics.push(
                Diagnostic::new(&codes::UNKNOWN_TAG, format!("`{}` is not a tag", tag.as_str()))
                    .at(tag.span())
                    .help(help.unwrap_or_else(|| "tags are declared in tags.yaml".into())),
            );
        }
    }
    tags
}

/// A help that says to make a kernel structured.
fn structured(text: &str, record: &NativeFunctionRecord) -> Help {
    match record.structured {
        Some(_) => text.into(),
        None => Help::new(text).key(record.span.at_start(), record.func.span(), "structured: True"),
    }
}

fn precomputed(
    record: &NativeFunctionRecord,
    diagnostics: &mut Diagnostics,
) -> Option<crate::model::native_function::Precompute> {
    let list = record.precomputed.as_ref()?;
    if !record.structured.as_ref().is_some_and(|s| s.value) {
        diagnostics.push(
            Diagnostic::new(&codes::NEEDS_STRUCTURED, "only a structured kernel can have `precomputed:`")
                .at(list.span)
                .help(structured("add `structured: True`, or delete `precomputed:`", record)),
        );
        return None;
    }
    if list.value.is_empty() {
        return None;
    }
    let items: Vec<&str> = list.value.iter().map(Text::as_str).collect();
    match super::precompute(&items) {
        Ok(precompute) => Some(precompute),
        Err((index, error)) => {
            diagnostics.push(error.at_text(&list.value[index.min(list.value.len() - 1)]));
            None
        }
    }
}

fn ufunc_inner_loop(record: Option<&UfuncRecord>, diagnostics: &mut Diagnostics) -> IndexMap<UfuncKey, UfuncInnerLoop> {
    let mut loops = IndexMap::new();
    let mut add =
        |key: UfuncKey, text: &Text, diagnostics: &mut Diagnostics| match super::ufunc_inner_loop(text.as_str(), key) {
            Ok(inner) => {
                loops.insert(key, inner);
            }
            Err(error) => diagnostics.push(error.at_text(text)),
        };
    match record {
        None => {}
        Some(UfuncRecord::Generic(text)) => add(UfuncKey::Generic, text, diagnostics),
        Some(UfuncRecord::PerKey(map)) => {
            for (name, text) in &map.value {
                match UfuncKey::parse(name.as_str()) {
                    Some(key) => add(key, text, diagnostics),
                    None => diagnostics.push(illegal_value("ufunc key", name, UFUNC_KEYS)),
                }
            }
        }
    }
    loops
}
