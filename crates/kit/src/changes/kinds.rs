//! The kinds of changes, with what each breaks for the users of an operator library.
//!
//! A kind has no number: its name is its code, also in `allow:`. `docs/changes.md` has this table.
//!
//! Invariant: names have a dash, are unique, and stay what they are once they are released. What a
//! kind does to saved programs is what PyTorch checks: a breaking effect, if the new schema is not
//! backward compatible with the old one, and a risky one, if it is not forward compatible. Rule:
//! aten/src/ATen/core/function_schema.cpp, `isBackwardCompatibleWith`, `isForwardCompatibleWith`.

use super::report::whom;
use super::{Category, Effect, Level};
use torchgen_base::diag::{CodeInfo, Severity};

/// A kind of change.
#[derive(Debug, PartialEq, Eq)]
pub struct ChangeKind {
    /// Its name and what it is.
    pub code: CodeInfo,
    /// What it breaks.
    pub effects: &'static [Effect],
    /// What to do instead.
    pub help: Option<&'static str>,
}

/// An effect.
pub const fn effect(category: Category, level: Level, why: &'static str) -> Effect {
    Effect { category, level, why }
}

macro_rules! kinds {
    ($($ident:ident: $name:literal, $summary:literal
        $(, $category:ident $level:ident $why:literal)* $(=> $help:literal)?;)*) => {
        $(
            #[doc = $summary]
            pub static $ident: ChangeKind = ChangeKind {
                code: CodeInfo { id: $name, name: $name, severity: Severity::Warning, summary: $summary },
                effects: &[$(effect(Category::$category, Level::$level, $why)),*],
                help: kinds!(@help $($help)?),
            };
        )*

        /// Every kind, in the order of the documentation.
        pub static ALL: &[&ChangeKind] = &[$(&$ident),*];
    };
    (@help $help:literal) => { Some($help) };
    (@help) => { None };
}

kinds! {
    REMOVED: "declaration-removed", "A declaration is gone",
        Source Breaking "code that uses it does not compile",
        Python Breaking "code that uses it fails",
        Saved Breaking "programs that use it do not load",
        Binary Breaking "code that uses it fails when it runs"
        => "keep it until a major version, and let it call what replaces it";
    RENAMED: "declaration-renamed", "A declaration has another name",
        Source Breaking "code that uses the old name does not compile",
        Python Breaking "code that uses the old name fails",
        Saved Breaking "programs that use the old name do not load",
        Binary Breaking "code that uses the old name fails when it runs"
        => "keep the old name too until a major version";
    ADDED: "declaration-added", "A declaration is new";
    ARGUMENT_REMOVED: "argument-removed", "An argument is gone",
        Source Breaking "calls that pass it do not compile",
        Python Breaking "calls that pass it fail",
        Saved Breaking "PyTorch does not accept the new schema; programs that pass it may not load",
        Binary Breaking "callers pass one value too many"
        => "keep it, and ignore its value";
    ARGUMENT_ADDED: "argument-added", "An argument with a default is new, after those that were there",
        Binary Breaking "callers pass one value too few"
        => "to serve callers that are not compiled again, add an overload instead";
    ARGUMENT_INSERTED: "argument-inserted", "An argument with a default is new, before one that was there",
        Source Breaking "calls pass the arguments after it in its place",
        Python Breaking "calls that pass the arguments after it by position change their meaning",
        Saved Breaking "programs pass the arguments after it in its place",
        Binary Breaking "callers pass one value too few"
        => "move it behind the arguments that were there";
    REQUIRED_ARGUMENT_ADDED: "required-argument-added", "An argument without a default is new",
        Source Breaking "no call passes it",
        Python Breaking "no call passes it",
        Saved Breaking "no program passes it",
        Binary Breaking "callers pass one value too few"
        => "give it a default, or add an overload instead";
    OUT_ARGUMENT_ADDED: "out-argument-added", "An argument for a result is new",
        Source Breaking "no call passes it",
        Python Breaking "no call passes it",
        Saved Risky "an older version has no place for it in programs that are saved now",
        Binary Breaking "callers pass one value too few"
        => "add an overload instead";
    ARGUMENT_RENAMED: "argument-renamed", "An argument has another name",
        Python Breaking "calls that pass it by its name fail",
        Saved Breaking "programs that pass it by its name fail, or use its default"
        => "keep the old name: saved programs have it, and nothing else can serve them";
    ARGUMENTS_REORDERED: "arguments-reordered", "Arguments are in another order",
        Source Breaking "calls pass them in the old order",
        Python Breaking "calls that pass them by position change their meaning",
        Saved Breaking "programs pass them in the old order",
        Binary Breaking "callers pass them in the old order"
        => "keep the order, or add an overload instead";
    ARGUMENT_KEYWORD_ONLY: "argument-keyword-only", "An argument is passed by name only",
        Python Breaking "calls that pass it by position fail",
        Saved Breaking "programs that pass it by position fail"
        => "leave it before the `*`";
    ARGUMENT_POSITIONAL: "argument-positional", "An argument can be passed by position too";
    ARGUMENT_TYPE_WIDENED: "argument-type-widened", "The type of an argument has all values of the old one",
        Binary Breaking "callers pass a value of the old type"
        => "to serve callers that are not compiled again, add an overload instead";
    ARGUMENT_TYPE_CHANGED: "argument-type-changed", "The type of an argument lacks values of the old one",
        Source Breaking "calls that pass a value of the old type do not compile, or convert it",
        Python Breaking "calls that pass a value of the old type fail",
        Saved Breaking "programs that pass a value of the old type do not load",
        Binary Breaking "callers pass a value of the old type"
        => "add an overload with the new type instead";
    ARGUMENT_ALIAS_CHANGED: "argument-alias-changed", "An argument is mutated, or may alias results, where it did not, or the other way round",
        Source Risky "the type in C++ of what is mutated differs",
        Python Risky "calls find their tensor changed, or unchanged",
        Saved Breaking "programs were made for the old aliases"
        => "add an operator instead, such as an inplace variant";
    DEFAULT_ADDED: "default-added", "An argument that was required has a default",
        Saved Risky "an older version cannot load programs that are saved now without it";
    DEFAULT_REMOVED: "default-removed", "An argument has lost its default",
        Source Breaking "calls without it do not compile",
        Python Breaking "calls without it fail",
        Saved Breaking "programs without it do not load"
        => "keep the default";
    DEFAULT_CHANGED: "default-changed", "An argument has another default",
        Saved Breaking "programs without it compute something else",
        Binary Risky "callers pass the old default until they are compiled again",
        Numerics Breaking "calls without it compute something else"
        => "keep the default, and add an overload or an operator for the new behavior";
    RESULT_REMOVED: "result-removed", "A result is gone",
        Source Breaking "code that uses it does not compile",
        Python Breaking "code that unpacks the results fails",
        Saved Breaking "programs that unpack the results do not load",
        Binary Breaking "callers expect it"
        => "add an overload instead";
    RESULT_ADDED: "result-added", "A result is new",
        Source Breaking "the type of the call differs",
        Python Breaking "code that unpacks the results, or uses the only one, fails",
        Saved Breaking "programs that unpack the results do not load",
        Binary Breaking "callers do not expect it"
        => "add an overload instead";
    RESULT_RENAMED: "result-renamed", "A result has another name",
        Python Risky "code that uses results by name fails, if the package names them",
        Saved Breaking "PyTorch does not accept the new schema for the old one"
        => "keep the old name";
    RESULT_TYPE_NARROWED: "result-type-narrowed", "The type of a result has only values of the old one",
        Source Risky "code that treats it as the old type may not compile",
        Binary Breaking "callers expect a value of the old type";
    RESULT_TYPE_CHANGED: "result-type-changed", "The type of a result has values that the old one lacks",
        Source Breaking "code that uses it does not compile, or converts it",
        Python Breaking "code that uses it gets another type",
        Saved Breaking "programs that use it do not load",
        Binary Breaking "callers expect a value of the old type"
        => "add an overload instead";
    RESULT_ALIAS_CHANGED: "result-alias-changed", "A result is a view or an argument where it was not, or the other way round",
        Source Risky "the type in C++ of what is returned may differ",
        Python Risky "changes of the result reach an argument, or do not",
        Saved Breaking "programs were made for the old aliases"
        => "add an operator instead";
    TAG_REMOVED: "tag-removed", "A tag is gone",
        Python Risky "what relied on it works differently, such as torch.compile";
    TAG_ADDED: "tag-added", "A tag is new";
    KERNEL_REMOVED: "kernel-removed", "There is no kernel any more for a dispatch key",
        Python Breaking "calls with tensors of that key fail"
        => "keep the kernel until a major version";
    KERNEL_ADDED: "kernel-added", "There is a kernel for a further dispatch key";
    KERNEL_CHANGED: "kernel-changed", "Another function is the kernel for a dispatch key";
    KERNEL_NARROWED: "kernel-narrowed", "A kernel serves fewer calls",
        Python Breaking "calls that it does not serve any more fail"
        => "keep serving them until a major version";
    KERNEL_WIDENED: "kernel-widened", "A kernel serves more calls";
    FORMULA_REMOVED: "formula-removed", "There is no formula any more for a gradient",
        Python Breaking "backward fails, or the gradient is missing",
        Numerics Risky "the gradient may be missing without an error"
        => "keep the formula";
    FORMULA_ADDED: "formula-added", "There is a formula for a further gradient";
    FORMULA_CHANGED: "formula-changed", "A gradient has another formula",
        Numerics Risky "gradients may differ";
    NOT_DIFFERENTIABLE: "not-differentiable", "Gradients do not flow through it any more",
        Python Breaking "backward fails, or the gradient is missing";
    DIFFERENTIABLE: "now-differentiable", "Gradients flow through it";
    FAKE_REMOVED: "fake-removed", "Its outputs are not known any more without data",
        Python Risky "torch.compile and torch.export may fail";
    FAKE_ADDED: "fake-added", "Its outputs are known without data";
    FAKE_CHANGED: "fake-changed", "Its outputs without data are made in another way",
        Saved Risky "programs may have been exported with other shapes";
    VMAP_REMOVED: "vmap-removed", "It has no batching rule any more",
        Python Risky "torch.vmap may fail, or call it for each element";
    VMAP_ADDED: "vmap-added", "It has a batching rule";
    VMAP_CHANGED: "vmap-changed", "It has another batching rule",
        Numerics Risky "torch.vmap may compute something else";
    DIMS_ADDED: "dims-added", "The dimensions of a tensor have names",
        Python Risky "calls with other sizes raise an error";
    DIMS_REMOVED: "dims-removed", "The dimensions of a tensor have no names any more",
        Python Breaking "what follows from them is missing: a fake, or the sharding of a DTensor";
    DIMS_CHANGED: "dims-changed", "The dimensions of a tensor have other names",
        Python Breaking "calls with the sizes that the old names allow can raise an error";
    SPLIT_REMOVED: "split-removed", "Parts along a dimension cannot be computed alone any more",
        Python Breaking "DTensor refuses placements, or moves more data";
    SPLIT_ADDED: "split-added", "Parts along a dimension can be computed alone";
    FLOPS_CHANGED: "flops-changed", "Its number of floating-point operations is another one";
    C_FUNCTION_REMOVED: "c-function-removed", "Compiled models do not call it by a C function any more",
        Binary Breaking "models that were compiled with it do not load"
        => "keep `aoti: True`";
    C_FUNCTION_ADDED: "c-function-added", "Compiled models call it by a C function";
    ONNX_REMOVED: "onnx-removed", "It is not exported as an operator of ONNX any more",
        Python Breaking "torch.onnx.export fails";
    ONNX_ADDED: "onnx-added", "It is exported as an operator of ONNX";
    ONNX_CHANGED: "onnx-changed", "It is exported as another operator of ONNX",
        Saved Risky "what runs exported models may not know the operator";
    PYTHON_NAME_CHANGED: "python-name-changed", "It is in another Python module",
        Python Breaking "code that uses the old module fails"
        => "keep the old module, and let it import the new one";
    CPP_DEFAULT_REMOVED: "cpp-default-removed", "An argument has no default in C++ any more",
        Source Breaking "calls without it do not compile"
        => "leave it out of `cpp_no_default_args:`";
    CPP_DEFAULT_ADDED: "cpp-default-added", "An argument has a default in C++ too";
    CONDITION_CHANGED: "condition-changed", "Other builds have it",
        Source Risky "some builds lack it",
        Python Risky "some builds lack it";
    CONDITION_REMOVED: "condition-removed", "Every build has it";
    ABI_CHANGED: "abi-changed", "The library has another ABI",
        Source Breaking "functions have other types",
        Binary Breaking "callers were compiled for other functions"
        => "release a major version";
    TORCH_RAISED: "torch-raised", "The oldest torch is newer",
        Binary Breaking "the library does not load in the torch versions that it has dropped";
    TORCH_LOWERED: "torch-lowered", "The oldest torch is older";
    LEFT_OUT: "left-out", "The stable ABI lacks it",
        Source Breaking "code that calls it does not compile",
        Python Breaking "code that calls it fails",
        Saved Breaking "programs that call it do not load",
        Binary Breaking "code that calls it fails when it runs";
    NO_LONGER_LEFT_OUT: "no-longer-left-out", "The stable ABI has it";
    KERNEL_DECLARATION_CHANGED: "kernel-declaration-changed", "A kernel has another declaration",
        Source Breaking "kernels with the old declaration do not compile, or do not link"
        => "give the kernel the new declaration";
    STRUCTURED_CHANGED: "structured-changed", "It is a structured kernel, or has one, where it had not, or the other way round",
        Source Risky "backends declare their kernels in another way";
    CPP_FUNCTION_REMOVED: "cpp-function-removed", "A C++ function is gone",
        Source Breaking "code that calls it does not compile, or calls another overload",
        Binary Breaking "code that calls it does not load";
    CPP_FUNCTION_ADDED: "cpp-function-added", "A C++ function is new";
    CPP_FUNCTION_CHANGED: "cpp-function-changed", "A C++ function has another declaration",
        Source Risky "some calls may not compile",
        Binary Breaking "callers were compiled for the old function";
    PYTHON_FUNCTION_REMOVED: "python-function-removed", "A signature of a Python function is gone",
        Python Breaking "calls with its arguments fail";
    PYTHON_FUNCTION_ADDED: "python-function-added", "A Python function has another signature too";
    PYTHON_FUNCTION_CHANGED: "python-function-changed", "A signature of a Python function differs",
        Python Risky "some calls may fail";
    VARIANT_GENERATED: "variant-generated", "A variant of it is generated";
    VARIANT_NOT_GENERATED: "variant-not-generated", "A variant of it is not generated any more";
    SHIM_REMOVED: "shim-function-removed", "A function of the C shim is gone",
        Source Breaking "code that calls it does not compile",
        Binary Breaking "libraries that call it do not load"
        => "keep it: the C shim only grows";
    SHIM_ADDED: "shim-function-added", "A function of the C shim is new";
    SHIM_CHANGED: "shim-function-changed", "A function of the C shim has another declaration",
        Source Breaking "calls with the old arguments do not compile",
        Binary Breaking "libraries that were compiled before pass the old arguments"
        => "add a function instead: the C shim only grows";
    VALUE_REMOVED: "value-removed", "A value of an enumeration is gone",
        Source Breaking "code that names it does not compile",
        Saved Breaking "what was saved with it does not load"
        => "keep it";
    VALUE_ADDED: "value-added", "A value of an enumeration is new";
    VALUE_CHANGED: "value-changed", "A value of an enumeration has another number",
        Saved Breaking "what was saved with its number has another value now"
        => "add values after those that were there";
    PROPERTY_CHANGED: "property-changed", "Something that a declaration says about itself differs",
        Source Risky "code that asks for it decides in another way";
    BODY_CHANGED: "body-changed", "A declaration computes its result in another way",
        Numerics Risky "results may differ";
    FORM_CHANGED: "form-changed", "A printed form differs",
        Saved Breaking "what was printed before is not read, or means something else"
        => "keep the form";
    BASE_CHANGED: "base-changed", "A class has another base",
        Source Breaking "code that uses it as its old base does not compile";
    NAMESPACE_CHANGED: "namespace-changed", "The generated code is in another namespace",
        Source Breaking "code that names the old one does not compile"
        => "keep it until a major version";
    HAND_WRITTEN: "hand-written", "A part that was generated is written by hand, or the other way round",
        Source Risky "the part by hand is missing, or is there twice";
}

/// The kind of that name.
pub fn find(name: &str) -> Option<&'static ChangeKind> {
    ALL.iter().find(|kind| kind.code.name == name).copied()
}

impl ChangeKind {
    /// What it is and what it breaks, line by line.
    pub fn lines(&self) -> Vec<String> {
        let effect = |effect: &Effect| format!("{}: {}", whom(effect), effect.why);
        let title = format!("{} (a kind of change)", self.code.name);
        let mut lines = vec![title, String::new(), format!("{}.", self.code.summary)];
        match self.effects {
            [] => lines.push("It breaks nobody.".to_owned()),
            effects => lines.extend(effects.iter().map(effect)),
        }
        lines.extend(self.help.map(|help| format!("help: {help}")));
        lines
    }
}

/// The effect of a new argument whose default is a list.
pub const CONTAINER_DEFAULT: Effect =
    effect(Category::Saved, Level::Risky, "its default is a list, which an older version does not leave out");
/// The kinds whose effect on calls in C++ follows from the functions, if they are known.
pub(super) const OF_CALLS: [&ChangeKind; 15] = [
    &ARGUMENT_REMOVED,
    &ARGUMENT_ADDED,
    &ARGUMENT_INSERTED,
    &REQUIRED_ARGUMENT_ADDED,
    &OUT_ARGUMENT_ADDED,
    &ARGUMENTS_REORDERED,
    &ARGUMENT_RENAMED,
    &ARGUMENT_KEYWORD_ONLY,
    &ARGUMENT_POSITIONAL,
    &ARGUMENT_TYPE_WIDENED,
    &ARGUMENT_TYPE_CHANGED,
    &ARGUMENT_ALIAS_CHANGED,
    &DEFAULT_ADDED,
    &DEFAULT_REMOVED,
    &CPP_DEFAULT_REMOVED,
];
/// The effect on calls of some of the functions in C++.
pub(super) const SOME_CALLS: Effect = effect(
    Category::Source,
    Level::Breaking,
    "some calls do not compile, such as those of functions without defaults: `_outf`, and with unpacked options",
);
/// The effect of a wider type.
pub(super) const WIDER_TYPE: Effect =
    effect(Category::Saved, Level::Risky, "an older version cannot load programs that are saved now with the new type");
/// The effect of a type with other values in C++.
pub(super) const NO_CONVERSION: Effect =
    effect(Category::Source, Level::Breaking, "calls that pass a value of the old type do not compile");
