"""C++ types and signatures. The arguments are a scratch directory and a directory of operators in
PyTorch's layout."""

import dataclasses
import pathlib
import pickle
import sys

from expect import equal, raises
from torchgen_rs import SchemaError, context, gen
from torchgen_rs.api import cpp, dispatcher, native, structured
from torchgen_rs.api.translate import UnsatError, translate
from torchgen_rs.api.types import (
    ArrayCType,
    BaseCppType,
    BaseCType,
    Binding,
    ConstRefCType,
    CppSignatureGroup,
    DispatcherSignature,
    Expr,
    ListCType,
    MutRefCType,
    NamedCType,
    NativeSignature,
    OptionalCType,
    SpecialArgName,
    StructuredImplSignature,
    TupleCType,
    VectorCType,
    VectorizedCType,
    boolT,
    kernel_signature,
    longT,
    tensorListT,
    tensorT,
)
from torchgen_rs.model import Argument, BackendIndex, BackendMetadata, DispatchKey, FunctionSchema, Type

source = pathlib.Path(sys.argv[2]) / "native"
functions, indices = gen.parse_native_yaml(source / "native_functions.yaml", source / "tags.yaml")
by_name = {str(f.func.name): f for f in functions}


def types():
    tensor = BaseCType(tensorT)
    for ty, text, bare in (
        (ConstRefCType(tensor), "const at::Tensor &", tensor),
        (MutRefCType(OptionalCType(tensor)), "::std::optional<at::Tensor> &", OptionalCType(tensor)),
        (VectorCType(ConstRefCType(tensor)), "::std::vector<const at::Tensor &>", VectorCType(tensor)),
        (ArrayCType(BaseCType(boolT), 3), "::std::array<bool,3>", ArrayCType(BaseCType(boolT), 3)),
        (TupleCType([MutRefCType(tensor)]), "::std::tuple<at::Tensor &>", TupleCType([tensor])),
        (ListCType(BaseCType(longT)), "c10::List<int64_t>", ListCType(BaseCType(longT))),
        (BaseCType(BaseCppType("my", "Own")), "my::Own", BaseCType(BaseCppType("my", "Own"))),
        (VectorizedCType(BaseCType(BaseCppType(None, "T"))), "at::vec::Vectorized<T>", None),
    ):
        equal(ty.cpp_type(), text)
        equal(ty.remove_const_ref(), bare if bare is not None else ty)
        equal(pickle.loads(pickle.dumps(ty)), ty)
    equal(ConstRefCType(tensor).cpp_type(strip_ref=True), "at::Tensor")
    named = NamedCType("a", ConstRefCType(tensor))
    equal((named.with_name("b").name, named.remove_const_ref().cpp_type(), hash(named)), ("b", "at::Tensor", hash(named)))
    binding = Binding("x", named, Argument.parse("Tensor a"), "{}")
    equal((binding.decl(), binding.defn(), binding.type), ("const at::Tensor & x={}", "const at::Tensor & x", named.cpp_type()))
    equal((binding.rename("y").no_default().decl(), binding.decl(func_ptr_cast=True)), ("const at::Tensor & y", binding.type))
    raises(TypeError, VectorCType("int").cpp_type)


def signatures():
    f = by_name["fill_with"]
    plain, faithful = CppSignatureGroup.from_native_function(f, method=False).signatures()
    equal(plain.decl(), "at::Tensor fill_with(at::IntArrayRef size, const at::Scalar & value, at::TensorOptions options={})")
    equal([a.name for a in faithful.arguments()], ["size", "value", "dtype", "layout", "device", "pin_memory"])
    out = by_name["scale.out"]
    group = CppSignatureGroup.from_native_function(out, method=False)
    equal(group.signature.decl(), "at::Tensor & scale_out(at::Tensor & out, const at::Tensor & self, const at::Scalar & factor)")
    equal(group.most_faithful_signature().name(), "scale_outf")
    method = CppSignatureGroup.from_native_function(by_name["scale"], method=True).signature
    equal((method.decl(), method.type()), ("at::Tensor scale(const at::Scalar & factor)", "at::Tensor (const at::Scalar &)"))
    equal(cpp.name(out.func, faithful_name_for_out_overloads=True), "scale_outf")
    equal(native.name(out.func), "scale_out_out")
    signature = DispatcherSignature.from_schema(out.func, prefix="wrap_")
    expected = "at::Tensor & wrap_scale_out(const at::Tensor & self, const at::Scalar & factor, at::Tensor & out)"
    equal(signature.defn(), expected)
    equal(signature.exprs()[0], Expr("self", NamedCType("self", ConstRefCType(BaseCType(tensorT)))))
    kernel = NativeSignature(by_name["shift"].func, symint=False)
    equal(kernel.decl(), "at::Tensor shift(const at::Tensor & self, const at::Scalar & by=1)")
    group = next(g for g in gen.get_grouped_native_functions(functions) if getattr(g, "structured", False))
    parameters = "const at::Tensor & self, const at::Scalar & factor, const at::Tensor & out"
    equal(StructuredImplSignature(group, "k").defn(), f"TORCH_IMPL_FUNC(k)({parameters})")
    equal([a.name for a in structured.meta_arguments(group)], ["self", "factor"])
    equal([a.name for a in structured.out_arguments(group)], ["out"])
    raises(AssertionError, structured.argument, f.func.arguments.tensor_options)
    equal(list(cpp.return_names(out)), ["out"])
    equal(cpp.default_expr("None", Type.parse("Tensor?"), symint=True), "{}")
    equal(cpp.valuetype_type(Type.parse("Tensor"), binds="x"), None)
    equal(cpp.valuetype_type(Type.parse("SymInt?"), binds="x"), NamedCType("x", OptionalCType(BaseCType(longT))))
    assert "`GraphModule`" in raises(SchemaError, cpp.argument_type, Argument.parse("GraphModule x"), binds="x")


def kernels():
    f = by_name["flip_sign"]
    for kernel, external, expected in (
        ("flip", True, DispatcherSignature(f.func, "p", False)),
        ("flip", False, NativeSignature(f.func, False, "p")),
    ):
        index = BackendIndex(DispatchKey.XLA, True, False, external, {f.func.name: BackendMetadata(kernel, False, "n")})
        equal(kernel_signature(f, index, prefix="p"), expected)
    index = dataclasses.replace(index, index={f.func.name: BackendMetadata("flip_symint", False, "n")})
    raises(AssertionError, kernel_signature, f, index)


def toggles():
    schema = FunctionSchema.parse("f(Tensor[] xs, *, Tensor(a!) out) -> Tensor(a!)")
    f = dataclasses.replace(by_name["scale.out"], func=schema)
    outside = dispatcher.arguments(schema)
    equal([a.nctype.type for a in outside], [BaseCType(tensorListT), MutRefCType(BaseCType(tensorT))])
    with context.native_function_manager(f):
        equal(dispatcher.arguments(schema)[0].type, "const at::ITensorListRef &")
    constant = dataclasses.replace(f, use_const_ref_for_mutable_tensors=True)
    with context.native_function_manager(constant):
        equal(DispatcherSignature(schema).returns_type(), ConstRefCType(BaseCType(tensorT)))
    equal(dispatcher.arguments(schema), outside)


def translations():
    f = by_name["fill_with"]
    gathered = CppSignatureGroup.from_native_function(f, method=False).signature.arguments()
    separate = dispatcher.arguments(f.func)
    made = [expr.expr for expr in translate(gathered, separate)]
    equal(made[:2] + made[-1:], ["size", "value", "options.pinned_memory_opt()"])
    equal([e.type for e in translate(separate, separate)], [a.nctype for a in separate])
    vector = NamedCType("size", VectorCType(BaseCType(longT)))
    text = raises(UnsatError, translate, separate, [vector])
    assert "size" in text, text
    (copied,) = translate(separate, [vector], allow_expensive_conversions=True)
    equal(copied, Expr("size.vec()", vector))
    special = NamedCType(SpecialArgName.possibly_redundant_memory_format, OptionalCType(BaseCType(longT)))
    equal(translate([Expr("m", special)], [special]), [Expr("m", special)])
    own = NamedCType("self", ConstRefCType(BaseCType(tensorT)))
    equal([e.expr for e in translate([], [own], method=True)], ["const_cast<Tensor&>(*this)"])


types()
signatures()
kernels()
toggles()
translations()
