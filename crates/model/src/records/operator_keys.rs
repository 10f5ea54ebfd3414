//! The keys of an operator in `native_functions.yaml`, each declared once.
//!
//! Invariant: the record, its reader, the tables of both layouts and `defaults:` of library.yaml
//! follow from the declarations, in their order. Rule: torchgen/model.py,
//! `NativeFunction.from_yaml`.

use serde::Serialize;

use super::operator_values::{DispatchEntry, UfuncRecord, take_dispatch, take_ufunc};
use super::vocabulary;
use crate::codes;
use torchgen_base::diag::{Diagnostics, Span};
use torchgen_base::yaml::fields::{Fields, KeySpec, KeyTable, Others, Shape, Spanned, TextOrMap};
use torchgen_base::yaml::keys::MapKeys;
use torchgen_base::yaml::{Node, Text};

/// Dispatch keys.
const KERNELS: MapKeys = MapKeys { words: vocabulary::dispatch_keys, offered: vocabulary::kernel_keys };

/// Dispatch keys, and the operator.
const CONDITIONS: MapKeys = MapKeys { words: vocabulary::condition_keys, offered: vocabulary::condition_keys };

/// The keys of a ufunc's inner loops.
pub(crate) const UFUNC_KEYS: &[&str] =
    &["CUDAFunctor", "CUDAFunctorOnOther", "CUDAFunctorOnSelf", "CPUScalar", "CPUVector", "ScalarOnly", "Generic"];

/// The key that every operator has.
const FUNC: KeySpec = KeySpec::new(
    "func",
    Shape::Text,
    "The schema: `add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor`.",
)
.required();

/// Declares the optional keys: the type of the value, what takes it, its shape, `nullable` if null
/// counts as a missing key, and the documentation. `defaults:` may have the keys marked `default`.
macro_rules! operator_keys {
    (aten { $($aten:tt)* } library { $($library:tt)* }) => {
        /// The keys of the ATen layout.
        pub static ATEN_KEYS: KeyTable =
            KeyTable { keys: key_specs!(FUNC; $($aten)*), misplaced: library_only!($($library)*), ..OPERATOR };

        /// The keys of the library layout.
        pub static LIBRARY_KEYS: KeyTable = KeyTable { keys: key_specs!(FUNC; $($aten)* $($library)*), ..OPERATOR };

        record! { $($aten)* $($library)* }
    };
}

/// What both tables have in common.
const OPERATOR: KeyTable = KeyTable {
    what: "an operator",
    keys: &[],
    others: Others::Refused,
    misplaced: MISNAMED_DISPATCH,
    unknown: &codes::UNKNOWN_KEY,
};
/// What authors call `dispatch:`.
const MISNAMED_DISPATCH: &[(&str, &str)] = &[
    ("kernel", "kernels have dispatch keys, as in `dispatch: {CPU: f_cpu}`"),
    ("kernels", "kernels have dispatch keys, as in `dispatch: {CPU: f_cpu}`"),
    ("loader", "it is a key of library.yaml, and holds for all operators"),
    ("impl", "kernels have dispatch keys, as in `dispatch: {CPU: f_cpu}`"),
];

macro_rules! key_specs {
    ($func:expr; $(
        $(#[$default:ident])?
        $vis:vis $key:ident: $ty:ty = $take:path, $shape:expr $(=> $null:ident)?, $doc:literal;
    )*) => {
        &[$func, $(KeySpec::new(stringify!($key), $shape, $doc)$(.$null())?,)*]
    };
}

macro_rules! library_only {
    ($(
        $(#[$default:ident])?
        $vis:vis $key:ident: $ty:ty = $take:path, $shape:expr $(=> $null:ident)?, $doc:literal;
    )*) => {
        &[$((stringify!($key), "this key is for operator libraries; PyTorch's own file has no such key"),)*]
    };
}

macro_rules! record {
    ($(
        $(#[$default:ident])?
        $vis:vis $key:ident: $ty:ty = $take:path, $shape:expr $(=> $null:ident)?, $doc:literal;
    )*) => {
        /// One operator as written. Field names are those of the YAML keys.
        #[derive(Debug, Clone, PartialEq, Eq, Serialize)]
        #[allow(missing_docs)]
        pub struct NativeFunctionRecord {
            /// The first key of the entry, where messages about the whole entry point.
            #[serde(skip)]
            pub span: Span,
            pub func: Text,
            /// A key that operators do not have was reported, which may be a misspelt one.
            #[serde(skip)]
            pub has_unknown_key: bool,
            $(#[serde(skip_serializing_if = "Option::is_none")] $vis $key: Option<$ty>,)*
        }

        impl NativeFunctionRecord {
            /// Takes the keys of an operator with that schema.
            pub(super) fn take(func: Text, fields: &mut Fields<'_>) -> NativeFunctionRecord {
                let span = fields.first_key();
                let has_unknown_key = false;
                let record = NativeFunctionRecord {
                    span,
                    func,
                    has_unknown_key,
                    $($key: $take(fields, stringify!($key)),)*
                };
                NativeFunctionRecord { has_unknown_key: fields.rest().next().is_some(), ..record }
            }
        }

        defaults! { $($($default $vis $key: $ty = $take, $shape;)?)* }
    };
}

macro_rules! defaults {
    ($(default $vis:vis $key:ident: $ty:ty = $take:path, $shape:expr;)*) => {
        /// `defaults:` as written. Field names are those of the YAML keys.
        #[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
        #[allow(missing_docs)]
        pub struct DefaultsRecord {
            $($vis $key: Option<$ty>,)*
        }

        /// The keys of `defaults:`, which mean what they mean in an entry.
        pub(super) static DEFAULTS_KEYS: KeyTable = KeyTable {
            what: "`defaults:`",
            keys: &[$(KeySpec::new(
                stringify!($key),
                $shape,
                concat!("The `", stringify!($key), ":` of entries without the key."),
            ),)*],
            ..OPERATOR
        };

        impl DefaultsRecord {
            /// Reads the mapping. Errors are reported.
            pub(super) fn read(node: Node, diagnostics: &mut Diagnostics) -> DefaultsRecord {
                let Some(mut fields) = Fields::new(node, &DEFAULTS_KEYS, diagnostics) else {
                    return DefaultsRecord::default();
                };
                let record = DefaultsRecord { $($key: $take(&mut fields, stringify!($key)),)* };
                fields.finish();
                record
            }

            /// Gives an entry the keys that it lacks; keys that it has do not change.
            pub fn fill(&self, entry: &mut NativeFunctionRecord) {
                $(if entry.$key.is_none() {
                    entry.$key.clone_from(&self.$key);
                })*
            }
        }
    };
}

operator_keys! {
    aten {
        #[default]
        pub(crate) variants: Text = Fields::take_text, Shape::Words(&["function", "method"]),
            "Whether it is a function, a method or both in C++ and Python; a function by default.";
        pub dispatch: Spanned<Vec<DispatchEntry>> = take_dispatch, Shape::Map(KERNELS) => nullable,
            "The kernel for each dispatch key; by default one composite kernel with the name of the operator. In a library, `.module:function` is a kernel in Python.";
        pub structured: Spanned<bool> = Fields::take_bool, Shape::Bool,
            "Whether this out= variant has a meta function and a kernel, from which the kernels of the other variants are generated.";
        pub structured_delegate: Text = Fields::take_text, Shape::Text => nullable,
            "The structured out= variant from which this variant's kernel is generated: `add.out`.";
        pub structured_inherits: Text = Fields::take_text, Shape::Text => nullable,
            "The base class of a structured kernel: `TensorIteratorBase`.";
        pub precomputed: Spanned<Vec<Text>> = Fields::take_texts, Shape::Texts => nullable,
            "Values that the meta function computes for the kernel: `dim -> int dim`.";
        pub(crate) ufunc_inner_loop: UfuncRecord = take_ufunc, Shape::TextOrMap(UFUNC_KEYS),
            "The inner loops of an elementwise operator, with their dtypes: `add (AllAndComplex, BFloat16, Half)`.";
        pub(crate) autogen: Text = Fields::take_text, Shape::Text,
            "Variants to generate, separated by `, `: `add.out, add_functional`.";
        #[default]
        pub tags: Spanned<Vec<Text>> = Fields::take_text_or_texts, Shape::TextOrTexts(vocabulary::tags),
            "Properties that compilers and tools can rely on.";
        #[default]
        pub device_guard: Spanned<bool> = Fields::take_bool, Shape::Bool,
            "Whether kernels switch to the device of their arguments; True by default.";
        #[default]
        pub device_check: Text = Fields::take_text, Shape::Word(&["NoCheck", "ExactSame"]) => nullable,
            "Whether all tensors must be on one device; ExactSame by default.";
        pub(crate) manual_kernel_registration: Spanned<bool> = Fields::take_bool, Shape::Bool,
            "Whether you register the kernels yourself.";
        pub(crate) manual_cpp_binding: Spanned<bool> = Fields::take_bool, Shape::Bool,
            "Whether you write the C++ function or method yourself.";
        pub(crate) cpp_no_default_args: Spanned<Vec<Text>> = Fields::take_texts, Shape::Texts,
            "Arguments whose defaults C++ leaves out, to keep overloads distinct.";
        pub(crate) python_module: Text = Fields::take_text, Shape::Text => nullable,
            "The module of torch that contains it in Python: `nn`, `linalg`, `special`.";
        pub(crate) category_override: Text = Fields::take_text, Shape::Text => nullable,
            "The group of its Python bindings: `factory`, `dummy`.";
        pub use_const_ref_for_mutable_tensors: Spanned<bool> = Fields::take_bool, Shape::Bool,
            "Whether C++ takes mutable tensors as `const Tensor&`.";
    }
    library {
        pub(crate) doc: Text = Fields::take_text, Shape::Text,
            "What the operator does, for stubs and docs.";
        pub fake: Text = Fields::take_text, Shape::Text,
            "What makes outputs without data: a Python function `package.module:function`, or an expression for each output, such as `like(x, size=[*x.sizes[:-1], n], dtype=int64)`.";
        pub(crate) vmap: Text = Fields::take_text, Shape::Text,
            "How `torch.vmap` runs it for a batch: `loop`, or a kernel that takes the batch, with its dimension in arguments and results: `(self=0, weight=0) -> 0`.";
        pub(crate) dims: Spanned<Vec<Text>> = Fields::take_text_or_texts, Shape::TextOrTexts(Vec::new),
            "What the dimensions of its tensors are called, and along which its parts are independent: `(x[*b, k], w[n, k]) -> [*b, n] map(b, n) reduce(k=sum)`; `backward(f)`; or a list of lines, of which the first that fits counts.";
        pub(crate) flops: Text = Fields::take_text, Shape::Text,
            "The number of floating-point operations of a call, of the names in `dims:`: `2*b*n*k`.";
        #[default]
        pub aoti: Spanned<bool> = Fields::take_bool, Shape::Bool,
            "Whether models that AOTInductor or Inductor's `cpp_wrapper` compiled call it by a C function of the library, without Python; False by default.";
        pub(crate) onnx: Text = Fields::take_text, Shape::Text,
            "The operator as which `torch.onnx.export` writes it, `domain::Op`: tensors are its inputs, other arguments its attributes.";
        pub(crate) view_inverse: Text = Fields::take_text, Shape::Text,
            "The C++ function that computes the base of a view after the view was mutated.";
        #[default]
        pub registration: Text = Fields::take_text, Shape::Word(vocabulary::REGISTRATIONS),
            "Who registers it with the dispatcher: `own`, if the library does so by itself, and nothing in C++ is generated for it; `included`, if headers do so that the sources of its kernels include; or `generated`, the default.";
        #[default]
        pub(crate) version_counter: Spanned<bool> = Fields::take_bool, Shape::Bool,
            "Whether the package counts what an operator with `registration: own` mutates, if the library does not; True by default.";
        pub(crate) helper: Spanned<bool> = Fields::take_bool, Shape::Bool,
            "Whether only formulas and C++ call it, so that the Python package has no function for it; False by default.";
        #[default]
        pub(crate) differentiable: Spanned<bool> = Fields::take_bool, Shape::Bool,
            "Whether gradients flow through it; True by default.";
        pub when: TextOrMap = Fields::take_text_or_keyed, Shape::TextOrKeyed(CONDITIONS),
            "The builds that have it: `torch >= 2.14`, `cuda_arch >= 9.0`, `MY_OPTION`; or the builds that have the kernel of each dispatch key.";
        pub allow: Spanned<Vec<Text>> = Fields::take_texts_or_reasons, Shape::TextsOrReasons(vocabulary::lints),
            "Lints and changes that are not reported for it: `[TG0925]`, or with reasons `{argument-renamed: nobody used it}`.";
    }
}
