"""The code of single operators for a dispatch key, and the functions of `gen` that make code. The
arguments are a scratch directory and a directory of operators in PyTorch's layout.

`kernels.py` compares all of it with the reference.
"""

import copy
import dataclasses
import pathlib
import pickle
import sys
from dataclasses import dataclass, replace

from expect import equal, raises
from torchgen_rs import SchemaError, dest, gen
from torchgen_rs.api import meta
from torchgen_rs.api.types import CppSignatureGroup, DispatcherSignature
from torchgen_rs.autograd import gen_inplace_or_view_type, gen_variable_type
from torchgen_rs.dest import RegisterDispatchKey, native_functions, register_dispatch_key
from torchgen_rs.dest.register_dispatch_key import StructuredRegisterDispatchKey
from torchgen_rs.model import (
    BackendIndex,
    BackendMetadata,
    DispatchKey,
    FunctionSchema,
    Location,
    NativeFunction,
    NativeFunctionsGroup,
    SchemaKind,
)
from torchgen_rs.native_function_generation import (
    add_generated_native_functions,
    functional_to_out_signature,
    mutable_to_out_signature,
    pre_group_native_functions,
    self_to_out_signature,
)
from torchgen_rs.selective_build.selector import SelectiveBuilder
from torchgen_rs.utils import Target

source = pathlib.Path(sys.argv[2]) / "native"
functions, indices = gen.parse_native_yaml(source / "native_functions.yaml", source / "tags.yaml")
by_name = {str(f.func.name): f for f in functions}
groups = gen.get_grouped_native_functions(functions)
[scale] = [g for g in groups if isinstance(g, NativeFunctionsGroup) and g.root_name == "scale"]
everything = SelectiveBuilder.get_nop_selector()
nothing = SelectiveBuilder.from_yaml_dict({"include_all_operators": False})


def maker(key="CPU", target="ANONYMOUS_DEFINITION", cls=RegisterDispatchKey, **flags):
    flags = {"selector": everything, "class_method_name": None, "skip_dispatcher_op_registration": False} | flags
    index = flags.pop("index", indices[DispatchKey[key]])
    return cls(backend_index=index, target=Target[target], rocm=False, symint=True, **flags)


def wrappers():
    equal(
        maker()(by_name["shift"]),
        [
            """\
namespace {
at::Tensor wrapper_CPU__shift(const at::Tensor & self, const at::Scalar & by) {
    // No device check
  // DeviceGuard omitted
  return at::native::shift_cpu(self, by);
}
} // anonymous namespace
"""
        ],
    )
    equal(maker(target="REGISTRATION")(by_name["shift"]), ['m.impl("shift",\nTORCH_FN(wrapper_CPU__shift));\n'])
    equal(maker(target="REGISTRATION", selector=nothing)(by_name["shift"]), [])
    equal(maker(target="REGISTRATION", skip_dispatcher_op_registration=True)(by_name["shift"]), [])
    equal(maker(target="NAMESPACED_DECLARATION")(by_name["shift"]), ["TORCH_API at::Tensor shift(const at::Tensor & self, const at::Scalar & by=1);\n"])
    equal(
        maker(target="NAMESPACED_DEFINITION")(by_name["shift"]),
        ["at::Tensor shift(const at::Tensor & self, const at::Scalar & by) {\nreturn wrapper_CPU__shift(self, by);\n}\n"],
    )
    equal(maker("CUDA")(by_name["shift"]), [])
    assert "is not code for a dispatch key" in raises(ValueError, maker(target="DECLARATION"), by_name["shift"])
    assert "`generate`" in raises(ValueError, maker, native_aot_manifests={"shift": object()})
    one = maker()
    assert copy.deepcopy(one) == one == pickle.loads(pickle.dumps(one)) == replace(one)
    equal(one.wrapper_kernel_sig(by_name["shift"]).name(), "wrapper_CPU__shift")


def structured():
    functional, out = maker()(scale)
    assert functional.startswith("struct structured_scale_out_cpu_functional final : public at::native::structured_scale_out_cpu {\n")
    assert "    std::array<at::Tensor, 1> outputs_;\n" not in functional and "    std::array<Tensor, 1> outputs_;\n};\n" in functional
    assert out.endswith("return out;\n}\n"), out
    equal(maker(target="REGISTRATION")(scale)[1], 'm.impl("scale.out", TORCH_FN(wrapper_CPU_scale_out_out));')
    none = replace(maker().backend_index, dispatch_key=DispatchKey.CompositeExplicitAutogradNonFunctional, index={})
    [made] = maker(index=none)(scale)
    assert "\nat::scale_outf(self, factor, op.outputs_[0]);\n" in made, made
    equal(maker("CompositeImplicitAutograd")(scale), [])
    # A kernel for a key whose wrappers are generated.
    kernel = BackendMetadata("scale_meta", True, "at::native")
    index = replace(maker("Meta").backend_index, dispatch_key=DispatchKey.Meta, index={scale.out.func.name: kernel})
    found = raises(SchemaError, maker(index=index), scale)
    assert "the Meta kernel of structured operator `scale.out` is generated" in found and "native_functions.yaml:" in found
    # It is unknown how outputs are made.
    index = replace(index, dispatch_key=DispatchKey.PrivateUse1)
    assert "it is unknown how the outputs of `scale` are made" in raises(SchemaError, maker(index=index), scale)
    parts = maker(cls=StructuredRegisterDispatchKey, g=scale)
    equal(parts.gen_class_ctor(SchemaKind.out, "Scale", 2), "Scale(Tensor& out0, Tensor& out1) : outputs_{ std::ref(out0), std::ref(out1) } {}")
    equal(parts.gen_class_ctor(SchemaKind.functional, "Scale", 1), "")
    equal(parts.gen_class_set_output_body(SchemaKind.functional, True), "outputs_[output_idx] = create_out(sizes, strides, options);")
    assert "no inplace variant" in raises(ValueError, parts.gen_class_ctor, SchemaKind.inplace, "Scale", 1)
    equal(meta.name(scale), "scale")


@dataclass(frozen=True)
class Mine(RegisterDispatchKey):
    """Shows the operators for which it was called."""

    def gen_unstructured(self, f, g=None):
        made = super().gen_unstructured(f, g)
        return None if made is None else f"// {f.func.name} of {g and g.root_name}\n{made}"


def overridden():
    assert maker(cls=Mine)(by_name["shift"])[0].startswith("// shift of None\nnamespace {")
    shift = [g for g in groups if isinstance(g, NativeFunctionsGroup) and g.root_name == "shift"][0]
    equal([text.splitlines()[0] for text in maker(cls=Mine)(shift)], ["// shift of shift"])
    before = StructuredRegisterDispatchKey.gen_class_set_output_body
    names = register_dispatch_key.gen_empty_impl_names
    plain = maker()(scale)
    try:
        # As a backend replaces it.
        StructuredRegisterDispatchKey.gen_class_set_output_body = lambda self, k, proxies: f"{k.name}({proxies});\n\nmore();"
        functional, out = maker()(scale)
        assert "        functional(True);\n\n        more();\n" in functional and "create_out" not in functional
        assert "        out(False);\n" in out and "resize_out" not in out
        register_dispatch_key.gen_empty_impl_names = lambda index: ("npu::empty", "npu::empty_strided")
        helpers = "".join(dest.gen_registration_helpers(indices[DispatchKey.SparseCPU]))
        assert "return npu::empty(sizes, options);" in helpers and "return npu::empty_strided(sizes, strides, options);" in helpers
    finally:
        StructuredRegisterDispatchKey.gen_class_set_output_body = before
        register_dispatch_key.gen_empty_impl_names = names
    equal(maker()(scale), plain)
    equal(names(indices[DispatchKey.SparseCPU]), (None, None))
    equal(len(dest.gen_registration_helpers(indices[DispatchKey.CPU])), 6)
    equal(len(dest.gen_registration_helpers(indices[DispatchKey.SparseCPU])), 4)


@dataclass(frozen=True)
class Signed(RegisterDispatchKey):
    """Its wrappers have other names and no symbolic integers. Others than those of `scale` have none."""

    def wrapper_kernel_sig(self, f):
        prefix = {"scale": "npu_", "scale.out": "npu_"}[str(f.func.name)]
        return DispatcherSignature.from_schema(f.func, prefix=prefix, symint=False)


@dataclass(frozen=True)
class Copied(Signed):
    """Shows the wrappers around functional variants."""

    def gen_out_inplace_wrapper(self, f, g):
        return f"// {f.func.name}\n{super().gen_out_inplace_wrapper(f, g)}"


checked = []


@dataclass(frozen=True)
class Checked(RegisterDispatchKey):
    """Checks devices by a macro, with an empty line."""

    @staticmethod
    def gen_device_check(type, args, method_name):
        checked.append(method_name)
        return f"NPU_CHECK({type.name}, {', '.join(a.name for a in args)}, {method_name});\n\nmore();\n"


# What classes that override methods make of `scale` for a backend with a kernel of the functional
# variant: parts of the text at a place, by the class and what is made.
OVERRIDING = {
    (Signed, "ANONYMOUS_DEFINITION", 0): ["at::Tensor npu_scale(const at::Tensor & self,", "npu::native::scale(self, factor)"],
    (Signed, "ANONYMOUS_DEFINITION", 1): [
        "at::Tensor & npu_scale_out(const at::Tensor & self, const at::Scalar & factor, at::Tensor & out) {\n  auto npu_scale_out_tmp = npu_scale(self, factor);\n",
    ],
    (Signed, "REGISTRATION", 1): ['m.impl("scale.out",\nTORCH_FN(npu_scale_out));\n'],
    (Signed, "NAMESPACED_DEFINITION", 0): ["return npu_scale(self, factor);"],
    (Copied, "ANONYMOUS_DEFINITION", 1): ["// scale.out\nat::Tensor & npu_scale_out("],
    (Copied, "REGISTRATION", 1): ['m.impl("scale.out",\nTORCH_FN(npu_scale_out));\n'],
    (Checked, "ANONYMOUS_DEFINITION", 0): ["  NPU_CHECK(ExactSame, self, factor, wrapper_PrivateUse1__scale);\n\nmore();\n"],
    # It has no check of its own.
    (Checked, "ANONYMOUS_DEFINITION", 1): ["{\n  auto wrapper_PrivateUse1_out_scale_out_tmp = "],
}


def overriding():
    kernel = BackendMetadata("scale", False, "npu::native")
    npu = BackendIndex(DispatchKey.PrivateUse1, False, True, True, {scale.functional.func.name: kernel})
    for (cls, target, at), expected in OVERRIDING.items():
        made = maker(target=target, cls=cls, index=npu)(scale)
        assert len(made) == 2 and all(part in made[at] for part in expected), (cls, target, made)
    # An operator without a wrapper is not asked for a signature, and only what calls a kernel for a check.
    equal(maker(cls=Signed, index=npu)(by_name["shift"]), [])
    equal(checked, ["wrapper_PrivateUse1__scale"] * 2)
    unguarded = replace(npu, device_guard=False)
    assert "NPU_CHECK" not in maker(cls=Checked, index=unguarded)(scale)[0]
    maker(target="REGISTRATION", cls=Checked, index=npu)(scale)
    equal(len(checked), 2)
    equal(maker(index=npu).gen_out_inplace_wrapper(scale.out, None), None)
    assert "neither an inplace nor an out" in raises(AssertionError, maker(index=npu).gen_out_inplace_wrapper, scale.functional, scale)
    by_hand = replace(scale.functional, manual_kernel_registration=True)
    assert "registered by hand" in raises(AssertionError, maker(cls=StructuredRegisterDispatchKey, g=scale).gen_one, by_hand)
    before = RegisterDispatchKey.gen_device_check
    try:
        # As a backend replaces it, also for structured wrappers.
        RegisterDispatchKey.gen_device_check = Checked.gen_device_check
        functional = maker(index=replace(indices[DispatchKey.CPU], device_guard=True))(scale)[0]
        assert "\nNPU_CHECK(ExactSame, self, factor, wrapper_CPU_scale);\n\nmore();\n" in functional, functional
    finally:
        RegisterDispatchKey.gen_device_check = staticmethod(before)
    assert "NPU_CHECK" not in maker(index=npu)(scale)[0]


def declarations():
    cpu = indices[DispatchKey.CPU]
    equal(dest.compute_native_function_declaration(by_name["shift"], cpu), ["TORCH_API at::Tensor shift_cpu(const at::Tensor & self, const at::Scalar & by=1);"])
    text = "struct TORCH_API structured_scale_out_cpu : public at::meta::structured_scale {\nvoid impl(const at::Tensor & self, const at::Scalar & factor, const at::Tensor & out);\n};\n"
    equal(dest.compute_native_function_declaration(scale, cpu), [text])
    equal(native_functions.gen_unstructured(by_name["flip_sign"], cpu), None)
    equal(native_functions.gen_structured(scale, indices[DispatchKey.SparseCPU]), [])
    equal(gen.compute_meta_function_declaration(scale), "struct TORCH_API structured_scale : public at::impl::MetaBase {\n    \n    \n    void meta(const at::Tensor & self, const at::Scalar & factor);\n};\n")
    lines = gen.get_native_function_declarations(grouped_native_functions=[by_name["shift"]], backend_indices={cpu.dispatch_key: cpu})
    equal("\n".join(lines), "\nnamespace at {\nnamespace native {\nTORCH_API at::Tensor shift_cpu(const at::Tensor & self, const at::Scalar & by=1);\n} // namespace native\n} // namespace at\n        ")
    # One that differs in the macro is declared once, for the library that all link to.
    shared = replace(cpu, dispatch_key=DispatchKey.CUDA)
    both = {DispatchKey.CUDA: shared, DispatchKey.CPU: cpu}
    assert "TORCH_CUDA_CPP_API" in dest.compute_native_function_declaration(by_name["shift"], shared)[0]
    [kernels] = gen.get_ns_grouped_kernels(grouped_native_functions=[by_name["shift"]], backend_indices=both).values()
    equal(kernels, dest.compute_native_function_declaration(by_name["shift"], cpu))
    elsewhere = replace(shared, index={by_name["shift"].func.name: BackendMetadata("shift", False, "mine::native")})
    raises(AssertionError, gen.get_ns_grouped_kernels, grouped_native_functions=[by_name["shift"]], backend_indices={**both, DispatchKey.CUDA: elsewhere})


def schemas():
    def made(*texts):
        return [NativeFunction.from_yaml({"func": text}, Location("f.yaml", 7), set())[0] for text in texts]

    def registered(selector, *texts):
        return gen.get_native_function_schema_registrations(native_functions=made(*texts), schema_selector=selector)

    equal(registered(everything, "one() -> bool", "mine::two() -> bool", "quantized::three() -> bool"), (
        ['m.def("one() -> bool", {});\n'],
        '\nTORCH_LIBRARY(mine, m) {\n  m.def("two() -> bool", {});\n\n};'
        '\nTORCH_LIBRARY_FRAGMENT(quantized, m) {\n  m.def("three() -> bool", {});\n\n};',
    ))
    equal(registered(nothing, "one() -> bool", "mine::two() -> bool"), ([], "\nTORCH_LIBRARY(mine, m) {\n  \n};"))

    entry = {"func": "op_(Tensor(a!) self) -> Tensor(a!)", "dispatch": {"CPU": "op_"}, "autogen": "op, op.out"}
    rs, kernels = [NativeFunction.from_yaml(entry, Location("f.yaml", 7), set())[0]], {}
    add_generated_native_functions(rs, kernels)
    equal([str(f.func) for f in rs[1:]], ["op.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", "op(Tensor self) -> Tensor"])
    assert all(f.loc == Location("f.yaml", 7) and "generated" in f.tags for f in rs[1:])
    [(key, by_operator)] = kernels.items()
    equal((key, [k.kernel for k in by_operator.values()]), (DispatchKey.CompositeExplicitAutograd, ["op_out", "op"]))
    [group] = pre_group_native_functions(rs).values()
    equal(group, {SchemaKind.inplace: rs[0], SchemaKind.out: rs[1], SchemaKind.functional: rs[2]})
    raises(AssertionError, pre_group_native_functions, [*rs, rs[0]])
    raises(SchemaError, add_generated_native_functions, [rs[1]], {})
    equal(self_to_out_signature(rs[0].func), rs[1].func)
    equal(functional_to_out_signature(rs[2].func).name, rs[1].func.name)
    mutable = FunctionSchema.parse("m(Tensor(a!) x) -> Tensor")
    equal(str(mutable_to_out_signature(mutable)), "m.out(Tensor(a!) x, *, Tensor(b!) out) -> Tensor(b!)")
    raises(AssertionError, self_to_out_signature, mutable)
    assert "returns no tensor" in raises(SchemaError, functional_to_out_signature, FunctionSchema.parse("n(Tensor x) -> int"))


def calls():
    f = by_name["shift"]
    cpu, cuda = indices[DispatchKey.CPU], replace(indices[DispatchKey.CPU], dispatch_key=DispatchKey.CUDA)
    one = DispatcherSignature.from_schema(f.func)
    equal(gen.static_dispatch(one, f, [cpu]), "return at::cpu::shift(self, by);")
    equal(gen.static_dispatch(CppSignatureGroup.from_native_function(f, method=False).signature, f, [cpu]), "return at::cpu::shift(self, by);")
    equal(gen.static_dispatch(one, f, []), "")
    equal(gen.static_dispatch(one, replace(f, manual_kernel_registration=True), [cpu]), "")
    made, composite = by_name["fill_with"], indices[DispatchKey.CompositeExplicitAutograd]
    gathered = CppSignatureGroup.from_native_function(made, method=False).signature
    for signature, options in ((gathered, "options"), (DispatcherSignature.from_schema(made.func), "TensorOptions().dtype(dtype).layout(layout).device(device).pinned_memory(pin_memory)")):
        equal(gen.static_dispatch(signature, made, [composite]), f"return at::compositeexplicitautograd::fill_with(size, value, {options});")
    equal(
        gen.static_dispatch(one, f, [cpu, cuda]).replace("\t", "    "),
        """
    DispatchKeySet _dk_set = c10::detail::multi_dispatch_key_set(self);
        DispatchKey _dk = c10::highestPriorityBackendTypeId(_dk_set);
    switch (_dk) {
        case DispatchKey::CPU:
            return at::cpu::shift(self, by);;
        case DispatchKey::CUDA:
            return at::cuda::shift(self, by);;
        default:
            TORCH_CHECK(false, "Static dispatch does not support shift for CPU, CUDA ");
    }""".replace("for CPU, CUDA", "forCPU, CUDA"),
    )
    for module, name, instead in (
        (dest, "generate_non_native_lazy_ir_nodes", "`torchgen_rs.gen_lazy_tensor.run_gen_lazy_tensor`"),
        (gen, "compute_declaration_yaml", "declarations_yaml"),
        (sys.modules["torchgen_rs.native_function_generation"], "generate_function", "add_generated_native_functions"),
        (gen_variable_type, "gen_variable_type", "`torchgen_rs.commands.autograd`"),
        (gen_inplace_or_view_type, "emit_inplace_or_view_body", "`inplace_or_view_method_definition`"),
    ):
        assert instead in raises(AttributeError, getattr, module, name)


for part in (wrappers, structured, overridden, overriding, declarations, schemas, calls):
    part()
assert [field.name for field in dataclasses.fields(StructuredRegisterDispatchKey)][-1] == "g"
assert isinstance(indices[DispatchKey.CPU], BackendIndex)
