//! Reads `native_functions.yaml` into one record per operator, with every key as written.
//!
//! Invariant: a record has the types of its keys; combinations of keys are not checked here. The
//! keys are data: one table per layout. Rule: torchgen/model.py, `NativeFunction.from_yaml`;
//! torchgen/gen.py, `parse_native_yaml_struct`.

use serde::Serialize;

use super::vocabulary;
use crate::codes;
use torchgen_base::diag::{Diagnostic, Diagnostics, Span};
use torchgen_base::yaml::fields::{self, Fields, KeySpec, KeyTable, Others, Shape, Spanned, TextOrMap, items};
use torchgen_base::yaml::keys::KeySpec as Key;
use torchgen_base::yaml::keys::MapKeys;
use torchgen_base::yaml::{Node, NodeKind, Resolved, Text, resolve};

/// Dispatch keys.
const KERNELS: MapKeys = MapKeys { words: vocabulary::dispatch_keys, offered: vocabulary::kernel_keys };

/// Dispatch keys, and the operator.
const CONDITIONS: MapKeys = MapKeys { words: vocabulary::condition_keys, offered: vocabulary::condition_keys };

/// One operator as written. Field names are those of the YAML keys.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[allow(missing_docs)]
pub struct NativeFunctionRecord {
    /// The first key of the entry, where messages about the whole entry point.
    #[serde(skip)]
    pub span: Span,
    pub func: Text,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) variants: Option<Text>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dispatch: Option<Spanned<Vec<DispatchEntry>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub structured: Option<Spanned<bool>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub structured_delegate: Option<Text>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub structured_inherits: Option<Text>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub precomputed: Option<Spanned<Vec<Text>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) ufunc_inner_loop: Option<UfuncRecord>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) autogen: Option<Text>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tags: Option<Spanned<Vec<Text>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub device_guard: Option<Spanned<bool>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub device_check: Option<Text>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) manual_kernel_registration: Option<Spanned<bool>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) manual_cpp_binding: Option<Spanned<bool>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) cpp_no_default_args: Option<Spanned<Vec<Text>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) python_module: Option<Text>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) category_override: Option<Text>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub use_const_ref_for_mutable_tensors: Option<Spanned<bool>>,
    /// Library layout: what the operator does, for stubs and docs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) doc: Option<Text>,
    /// Library layout: the Python function that computes output shapes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fake: Option<Text>,
    /// Library layout: the C++ function that propagates a mutation of a view to its base.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) view_inverse: Option<Text>,
    /// Library layout: whether gradients can flow through it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) differentiable: Option<Spanned<bool>>,
    /// Library layout: the builds that have it, or a kernel.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub when: Option<TextOrMap>,
    /// Library layout: lints that are not reported for this entry.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub allow: Option<Spanned<Vec<Text>>>,
}

/// One line of `dispatch:`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DispatchEntry {
    /// The keys as written: `CPU, CUDA`.
    pub(crate) key: Text,
    /// The keys one by one.
    pub keys: Vec<Text>,
    /// The kernel, possibly with a namespace.
    pub(crate) kernel: Text,
}

/// `ufunc_inner_loop:`
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub(crate) enum UfuncRecord {
    /// One loop for everything.
    Generic(Text),
    /// A loop for every ufunc key.
    PerKey(Spanned<Vec<(Text, Text)>>),
}

impl UfuncRecord {
    /// Where the value is.
    pub(crate) fn span(&self) -> Span {
        match self {
            UfuncRecord::Generic(text) => text.span(),
            UfuncRecord::PerKey(map) => map.span,
        }
    }
}

const LIBRARY_ONLY: &str = "this key is for operator libraries; PyTorch's own file has no such key";

/// The keys of a ufunc's inner loops.
pub(crate) const UFUNC_KEYS: &[&str] =
    &["CUDAFunctor", "CUDAFunctorOnOther", "CUDAFunctorOnSelf", "CPUScalar", "CPUVector", "ScalarOnly", "Generic"];

/// All keys: those of PyTorch's own file, then those only for libraries.
const KEYS: &[KeySpec] = &[
    Key::new("func", Shape::Text, "The schema: `add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor`.")
        .required(),
    Key::new(
        "variants",
        Shape::Words(&["function", "method"]),
        "Whether it is a function, a method or both in C++ and Python; a function by default.",
    ),
    Key::new(
        "dispatch",
        Shape::Map(KERNELS),
        "The kernel for each dispatch key; by default one composite kernel with the name of the operator.",
    )
    .nullable(),
    Key::new(
        "structured",
        Shape::Bool,
        "Whether this out= variant has a meta function and a kernel, from which the kernels of the other variants are generated.",
    ),
    Key::new(
        "structured_delegate",
        Shape::Text,
        "The structured out= variant from which this variant's kernel is generated: `add.out`.",
    )
    .nullable(),
    Key::new("structured_inherits", Shape::Text, "The base class of a structured kernel: `TensorIteratorBase`.")
        .nullable(),
    Key::new("precomputed", Shape::Texts, "Values that the meta function computes for the kernel: `dim -> int dim`.")
        .nullable(),
    Key::new(
        "ufunc_inner_loop",
        Shape::TextOrMap(UFUNC_KEYS),
        "The inner loops of an elementwise operator, with their dtypes: `add (AllAndComplex, BFloat16, Half)`.",
    ),
    Key::new("autogen", Shape::Text, "Variants to generate, separated by `, `: `add.out, add_functional`."),
    Key::new("tags", Shape::TextOrTexts(vocabulary::tags), "Properties that compilers and tools can rely on."),
    Key::new("device_guard", Shape::Bool, "Whether kernels switch to the device of their arguments; True by default."),
    Key::new(
        "device_check",
        Shape::Word(&["NoCheck", "ExactSame"]),
        "Whether all tensors must be on one device; ExactSame by default.",
    )
    .nullable(),
    Key::new("manual_kernel_registration", Shape::Bool, "Whether you register the kernels yourself."),
    Key::new("manual_cpp_binding", Shape::Bool, "Whether you write the C++ function or method yourself."),
    Key::new(
        "cpp_no_default_args",
        Shape::Texts,
        "Arguments whose defaults C++ leaves out, to keep overloads distinct.",
    ),
    Key::new(
        "python_module",
        Shape::Text,
        "The module of torch that contains it in Python: `nn`, `linalg`, `special`.",
    )
    .nullable(),
    Key::new("category_override", Shape::Text, "The group of its Python bindings: `factory`, `dummy`.").nullable(),
    Key::new("use_const_ref_for_mutable_tensors", Shape::Bool, "Whether C++ takes mutable tensors as `const Tensor&`."),
    Key::new("doc", Shape::Text, "What the operator does, for stubs and docs."),
    Key::new(
        "fake",
        Shape::Text,
        "What makes outputs without data: a Python function `package.module:function`, or an expression for each output, such as `like(x, size=[*x.sizes[:-1], n], dtype=int64)`.",
    ),
    Key::new(
        "view_inverse",
        Shape::Text,
        "The C++ function that computes the base of a view after a write to the view.",
    ),
    Key::new("differentiable", Shape::Bool, "Whether gradients flow through it; True by default."),
    Key::new(
        "when",
        Shape::TextOrKeyed(CONDITIONS),
        "The builds that have it: `torch >= 2.14`, `cuda_arch >= 9.0`, `MY_OPTION`; or the builds that have the kernel of each dispatch key.",
    ),
    Key::new("allow", Shape::TextOrTexts(vocabulary::lints), "Lints that are not reported for it: `[TG0925]`."),
];

/// The number of keys in PyTorch's own file.
const ATEN_KEY_COUNT: usize = 18;

/// The keys of the ATen layout.
pub static ATEN_KEYS: KeyTable = KeyTable {
    what: "an operator",
    keys: KEYS.split_at(ATEN_KEY_COUNT).0,
    others: Others::Refused,
    misplaced: &[
        ("doc", LIBRARY_ONLY),
        ("fake", LIBRARY_ONLY),
        ("view_inverse", LIBRARY_ONLY),
        ("differentiable", LIBRARY_ONLY),
        ("when", LIBRARY_ONLY),
        ("allow", LIBRARY_ONLY),
    ],
    unknown: &codes::UNKNOWN_KEY,
};

/// The keys of the library layout.
pub static LIBRARY_KEYS: KeyTable =
    KeyTable { what: "an operator", keys: KEYS, others: Others::Refused, misplaced: &[], unknown: &codes::UNKNOWN_KEY };

/// The operators of a file, in order. `keys` is [`ATEN_KEYS`] or [`LIBRARY_KEYS`]. Bad entries are
/// reported and left out; bad values are reported and their keys left out.
pub fn read_native_functions(
    root: Node,
    keys: &'static KeyTable,
    diagnostics: &mut Diagnostics,
) -> Vec<NativeFunctionRecord> {
    let entries = items(root, "the list of operators", &codes::NOT_A_LIST, diagnostics).unwrap_or_default();
    entries.into_iter().filter_map(|entry| read_entry(entry, keys, diagnostics)).collect()
}

fn read_entry(entry: Node, keys: &'static KeyTable, diagnostics: &mut Diagnostics) -> Option<NativeFunctionRecord> {
    let mut fields = Fields::new(entry, keys, diagnostics)?;
    let missing = !fields.has("func");
    if missing && flat(&mut fields, keys) {
        return None;
    }
    let func = if missing {
        fields.missing("func", Some("write `func:` with the operator's schema: `func: add(Tensor a) -> Tensor`"));
        None
    } else {
        fields.take_text("func")
    };
    let record = NativeFunctionRecord {
        span: fields.first_key(),
        func: func.clone().unwrap_or_else(|| Text::made("", fields.first_key())),
        variants: fields.take_text("variants"),
        dispatch: take_dispatch(&mut fields),
        structured: fields.take_bool("structured"),
        structured_delegate: fields.take_text("structured_delegate"),
        structured_inherits: fields.take_text("structured_inherits"),
        precomputed: fields.take_texts("precomputed"),
        ufunc_inner_loop: take_ufunc(&mut fields),
        autogen: fields.take_text("autogen"),
        tags: fields.take_text_or_texts("tags"),
        device_guard: fields.take_bool("device_guard"),
        device_check: fields.take_text("device_check"),
        manual_kernel_registration: fields.take_bool("manual_kernel_registration"),
        manual_cpp_binding: fields.take_bool("manual_cpp_binding"),
        cpp_no_default_args: fields.take_texts("cpp_no_default_args"),
        python_module: fields.take_text("python_module"),
        category_override: fields.take_text("category_override"),
        use_const_ref_for_mutable_tensors: fields.take_bool("use_const_ref_for_mutable_tensors"),
        doc: fields.take_text("doc"),
        fake: fields.take_text("fake"),
        view_inverse: fields.take_text("view_inverse"),
        differentiable: fields.take_bool("differentiable"),
        when: fields.take_text_or_keyed("when"),
        allow: fields.take_text_or_texts("allow"),
    };
    fields.finish();
    func.map(|_| record)
}

/// Reports `- mul.out:` with the other keys at the level of the name or below it.
fn flat(fields: &mut Fields<'_>, keys: &KeyTable) -> bool {
    let Some((first, value)) = fields.rest().next() else { return false };
    let Some(name) = first.as_text().filter(|name| keys.keys.iter().all(|spec| spec.name != name.as_str())) else {
        return false;
    };
    if !(value.is_null() || matches!(value.kind, NodeKind::Mapping(_))) {
        return false;
    }
    let diagnostic = Diagnostic::new(
        &codes::FLAT_ENTRY,
        format!("`{name}` is written as a key, but an operator starts with `func:`"),
    )
    .at(first.span)
    .help(format!("write `- func: {name}`{}, and the other keys below it", schema_hint(name)));
    fields.diagnostics().push(diagnostic);
    true
}

fn schema_hint(name: &str) -> &'static str {
    if name.contains('(') { "" } else { " with the whole schema" }
}

fn take_dispatch(fields: &mut Fields<'_>) -> Option<Spanned<Vec<DispatchEntry>>> {
    let map = fields.take_map("dispatch")?;
    let entry = |(key, kernel): (Text, Text)| {
        let keys = if key.contains(',') { key.split(",").iter().map(Text::trim).collect() } else { vec![key.trim()] };
        DispatchEntry { keys, key, kernel }
    };
    Some(Spanned { value: map.value.into_iter().map(entry).collect(), span: map.span })
}

fn take_ufunc(fields: &mut Fields<'_>) -> Option<UfuncRecord> {
    let name = "ufunc_inner_loop";
    let node = fields.take(name)?;
    match (&node.kind, resolve(&node)) {
        (NodeKind::Mapping(_), _) => fields::text_map(node, name, fields.diagnostics()).map(UfuncRecord::PerKey),
        (_, Resolved::Str) => fields::text(node, name, fields.diagnostics()).map(UfuncRecord::Generic),
        _ => {
            let error = fields::wrong_type(&node, format_args!("`{name}`"), "a string or a mapping");
            fields::refuse(&node, error, fields.diagnostics());
            None
        }
    }
}
