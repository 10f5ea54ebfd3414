//! A source path in PyTorch's layout, of the operators of the conformance suite. It needs no
//! checkout of PyTorch: files of `tests/mini`, and skeletons made here, are its templates.

use std::fs;
use std::path::Path;

/// The skeletons of autograd's templates.
pub(crate) const AUTOGRAD_TEMPLATES: &[&str] = &[
    "ADInplaceOrViewType.cpp",
    "Functions.cpp",
    "Functions.h",
    "TraceType.cpp",
    "VariableType.cpp",
    "VariableType.h",
    "ViewFuncs.cpp",
    "ViewFuncs.h",
    "annotated_fn_args.py.in",
    "python_enum_tag.cpp",
    "python_fft_functions.cpp",
    "python_functions.cpp",
    "python_functions.h",
    "python_linalg_functions.cpp",
    "python_nested_functions.cpp",
    "python_nn_functions.cpp",
    "python_return_types.cpp",
    "python_return_types.h",
    "python_sparse_functions.cpp",
    "python_special_functions.cpp",
    "python_torch_functions.cpp",
    "python_variable_methods.cpp",
    "variable_factories.h",
];

/// Views that the suite has in PyTorch's own file: one of several tensors, and the one that
/// reshapes.
const VIEWS: &str = "
- func: unbind.int(Tensor(a -> *) self, int dim=0) -> Tensor(a)[]
  dispatch: {CompositeExplicitAutograd: unbind}
- func: unbind_copy.int(Tensor self, int dim=0) -> Tensor[]
  dispatch: {CompositeExplicitAutogradNonFunctional: unbind_copy_int}
  tags: view_copy
- func: view(Tensor(a) self, SymInt[] size) -> Tensor(a)
  dispatch: {CPU: view}
- func: view_copy(Tensor self, SymInt[] size) -> Tensor
  dispatch: {CompositeExplicitAutogradNonFunctional: view_copy_symint}
  tags: view_copy
";

/// A lazy backend of operators of the suite, with a node of every property.
const LAZY: &str = "
backend: Lazy
cpp_namespace: own::lazy
full_codegen: [zq_axpy, zq_concat]
supported: [zq_plain]
non_native:
  - func: plain(Tensor x) -> Tensor
  - func: cached(Tensor x, SymInt n) -> Tensor
    properties: [ShapeCache, CanBeReused, CreateFn, Lower]
";

/// A backend that adds includes to a generated file.
const HOOKS: &str = "
backend: PrivateUse1
cpp_namespace: own_operators
supported: [zq_plain]
files:
  RegisterPrivateUse1.cpp: {headers: [own/device.h]}
derivatives: derivatives.yaml
aoti_shim: {device: own}
";

/// The declarations of that backend for an operator of the suite.
const DERIVATIVES: &str = "
- name: zq_plain(Tensor self, Tensor other) -> Tensor
  self: grad * other
  other: grad * self
";

/// Skeletons with a place for each text that generators insert. Other skeletons are those of
/// `tests/mini`, or empty.
const SKELETONS: &[(&str, &str)] = &[
    ("ADInplaceOrViewType.cpp", "ops_headers inplace_or_view_method_definitions inplace_or_view_wrapper_registrations"),
    ("Functions.cpp", "generated_comment autograd_function_definitions"),
    ("Functions.h", "generated_comment autograd_function_declarations"),
    ("TraceType.cpp", "ops_headers trace_method_definitions trace_wrapper_registrations"),
    ("VariableType.cpp", "type_derived_method_definitions wrapper_registrations"),
    ("ViewFuncs.cpp", "view_func_definitions ops_headers"),
    ("ViewFuncs.h", "view_func_declarations"),
    ("annotated_fn_args.py.in", "annotated_args"),
    ("python_enum_tag.cpp", "enum_of_valid_tags"),
    ("python_functions.cpp", "py_function_initializers py_function_props_and_getters"),
    ("python_functions.h", "shard_forward_declare shard_call"),
    ("python_return_types.cpp", "py_return_types py_return_types_registrations"),
    ("python_return_types.h", "py_return_types_declarations"),
    ("python_torch_functions.cpp", "ops_headers py_forwards py_methods py_method_defs"),
    ("python_variable_methods.cpp", "py_methods py_method_defs"),
    ("variable_factories.h", "ops_headers function_definitions"),
    ("ViewMetaClassesPythonBinding.cpp", "view_meta_bindings"),
    ("DispatchKeyNativeFunctions.cpp", "includes helper_fns native_function_definitions"),
    ("DispatchKeyNativeFunctions.h", "generated_comment namespace_prologue dispatch_declarations"),
    ("LazyIr.h", "lazy_ir_sysinc lazy_ir_inc ir_declarations"),
    ("LazyNonNativeIr.h", "non_native_ir_nodes"),
    ("UnboxingFunctions.cpp", "definitions"),
    ("UnboxingFunctions.h", "declarations"),
    ("RegisterCodegenUnboxedKernels.cpp", "unboxed_ops"),
];

/// The templates of stubs, with a place for each text that is generated.
const STUBS: &[(&str, &str)] = &[
    (
        "_C/__init__.pyi.in",
        "dtype_class_hints tag_attributes dispatch_key_hints legacy_class_hints index_type_def tensor_method_hints",
    ),
    ("_C/_VariableFunctions.pyi.in", "generated_comment all_directive function_hints"),
    ("_C/return_types.pyi.in", "return_types___all__ structseq_defs"),
    ("_C/_nn.pyi.in", "c_nn_function_hints"),
    ("nn/functional.pyi.in", "imported_hints dispatched_hints extra_nn_functional___all__"),
];

/// The text of a skeleton of autograd's or of backends'.
fn skeleton(name: &str) -> String {
    let places = SKELETONS.iter().find(|(skeleton, _)| *skeleton == name).map_or("", |(_, places)| places);
    places.split_whitespace().map(|place| format!("${{{place}}}\n")).collect()
}

/// Files of the conformance suite as a source path in PyTorch's layout, with the skeletons of
/// `tests/mini`, and empty ones for autograd: the text that they lack is rendered too.
pub(crate) fn pytorch(to: &Path) {
    let suite = root().join("tests/conformance");
    let read = |path: &str| fs::read_to_string(suite.join(path)).expect("a file of the suite");
    for source in ["views", "source", "shims", "empty"] {
        fs::create_dir_all(to.join(source).join("native")).expect("a new directory");
        copy(&root().join("tests/mini/source/templates"), &to.join(source).join("templates"));
    }
    for operator in ["concat", "extremes"] {
        let declarations = to.join("declarations").join(operator);
        fs::create_dir_all(&declarations).expect("a new directory");
        copy(&suite.join("own/declarations").join(operator), &declarations);
    }
    fs::create_dir_all(to.join("autograd/templates")).expect("a new directory");
    let operators = ["added/native_functions.yaml", "own/required.yaml"].map(read).concat();
    let views = format!("{operators}{VIEWS}");
    let more = format!("{operators}{}{VIEWS}", read("own/shims.yaml"));
    for (path, text) in [
        ("source/native/native_functions.yaml", operators),
        ("source/native/tags.yaml", read("own/tags.yaml")),
        ("shims/native/native_functions.yaml", more),
        ("shims/native/tags.yaml", read("own/tags.yaml")),
        ("views/native/native_functions.yaml", views),
        ("empty/native/native_functions.yaml", "[]\n".to_owned()),
        ("empty/native/tags.yaml", read("own/tags.yaml")),
        ("autograd/derivatives.yaml", read("added/derivatives.yaml")),
        ("autograd/deprecated.yaml", read("added/deprecated.yaml")),
        ("selective.yaml", read("added/selective.yaml")),
        ("lazy.yaml", LAZY.to_owned()),
        ("hooks.yaml", HOOKS.to_owned()),
        ("derivatives.yaml", DERIVATIVES.to_owned()),
    ] {
        fs::write(to.join(path), text).expect("a new file");
    }
    for name in [
        "DispatchKeyNativeFunctions.cpp",
        "DispatchKeyNativeFunctions.h",
        "LazyIr.h",
        "LazyNonNativeIr.h",
        "RegisterCodegenUnboxedKernels.cpp",
        "UnboxingFunctions.cpp",
        "UnboxingFunctions.h",
        "ViewMetaClassesPythonBinding.cpp",
    ] {
        fs::write(to.join("source/templates").join(name), skeleton(name)).expect("a new file");
    }
    for (name, places) in STUBS {
        let path = to.join("stubs/torch").join(name);
        fs::create_dir_all(path.parent().expect("a directory")).expect("a new directory");
        let text: String = places.split_whitespace().map(|place| format!("${{{place}}}\n")).collect();
        fs::write(path, text).expect("a new file");
    }
    let checkout = to.join("checkout/aten/src/ATen");
    fs::create_dir_all(&checkout).expect("a new directory");
    copy(&to.join("source"), &checkout);
    for name in AUTOGRAD_TEMPLATES {
        fs::write(to.join("autograd/templates").join(name), skeleton(name)).expect("a new file");
    }
}

/// The root of the checkout.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Copies the files below a directory.
pub(crate) fn copy(from: &Path, to: &Path) {
    for entry in walkdir::WalkDir::new(from) {
        let entry = entry.expect("a readable entry");
        let target = to.join(entry.path().strip_prefix(from).expect("below the root"));
        if entry.file_type().is_dir() {
            std::fs::create_dir_all(target).expect("a new directory");
        } else {
            std::fs::copy(entry.path(), target).expect("a new file");
        }
    }
}
