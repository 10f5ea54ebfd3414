"""Functions that decide what backends generate. The arguments are a scratch directory, a directory of
operators in PyTorch's layout, and PyTorch's own."""

import os
import pathlib
import sys
import threading
import time
from dataclasses import dataclass, replace

from expect import equal, raises
from torchgen_rs import SchemaError, TorchgenError, commands, gen, gen_backend_stubs
from torchgen_rs.dest import GenLazyIR, GenLazyNativeFuncDefinition, GenLazyShapeInferenceDefinition, GenTSLazyIR
from torchgen_rs.dest import lazy_ir
from torchgen_rs.dest.lazy_ir import aten_symbol, node_ctor_inputs
from torchgen_rs.gen_lazy_tensor import run_gen_lazy_tensor
from torchgen_rs.hooks import OperatorCode
from torchgen_rs.model import DispatchKey, FunctionSchema, NativeFunction

torch = pathlib.Path(sys.argv[3]).resolve()
os.chdir(sys.argv[1])
pathlib.Path("npu.yaml").write_text(
    "backend: PrivateUse1\ncpp_namespace: vendor\nsupported: [mul.out, abs, bmm]\nautograd: [mm]\ndevice_guard: True\n"
)
pathlib.Path("lazy.yaml").write_text(
    """\
backend: Lazy
cpp_namespace: torch::lazy
full_codegen: [abs, mul.Tensor, std]
supported: [relu]
ir_gen: [neg]
non_native:
  - func: scalar(Scalar value, ScalarType type) -> Tensor
    properties: [CreateFn]
"""
)


def stubs(into, hook=None, **more):
    return commands.backend_stubs(source_yaml="npu.yaml", output_dir=into, torch_path=torch, hook=hook, **more)


def lazy(into, hook=None):
    flags = {"gen_ts_lowerings": True, "skip_shape_inference_check": True, "backend_name": "Mine"}
    return commands.lazy_tensor(source_yaml="lazy.yaml", output_dir=into, torch_path=torch, hook=hook, **flags)


def files(directory):
    read = {path.name: path.read_text() for path in pathlib.Path(directory).iterdir() if path.name[0] != "."}
    return {name: text.replace(f'"{directory}/', '"').replace(f"<{directory}/", "<") for name, text in read.items()}


class Seen:
    """Changes nothing, and keeps what it was asked."""

    def __init__(self):
        self.asked = []

    def __call__(self, operator, code):
        self.asked.append((operator, code))

    @property
    def names(self):
        return [(str(getattr(operator, "func", operator).name), code.key) for operator, code in self.asked]


def wrappers():
    seen = Seen()
    stubs("plain")
    stubs("seen", seen)
    equal(files("seen"), files("plain"))
    equal([pair for pair in seen.names if "out" not in pair[0] or pair[0] == "mul.out"], [
        ("abs", "PrivateUse1"), ("abs_", "PrivateUse1"), ("bmm", "PrivateUse1"), ("mul.out", "PrivateUse1"),
        ("mm", "AutogradPrivateUse1"),
    ])  # fmt: skip
    operator, code = seen.asked[0]
    assert isinstance(operator, NativeFunction) and operator.loc.line > 1 and "native_functions.yaml" in operator.loc.file
    equal((code.kernel, code.device_guard, code.device_check, code.includes), ("abs", True, False, ()))
    assert "OptionalDeviceGuard" in code.wrapper and code.node is None
    equal({name: code.kernel for (name, _), (_, code) in zip(seen.names, seen.asked) if name == "abs_"}, {"abs_": None})

    def hook(operator, code):
        if code.kernel == "bmm":
            return replace(code, kernel="fast_bmm", includes=("my/abs.h", "my/guard.h"), device_guard=False)
        if code.kernel == "mul_out":
            return replace(code, wrapper=code.wrapper.replace("device_guard", "own_guard"), includes=("my/guard.h",))
        if code.key == "AutogradPrivateUse1" and code.kernel:
            return replace(code, device_check=False)

    stubs("changed", hook)
    made, plain = files("changed"), files("plain")
    assert "static at::Tensor fast_bmm(const at::Tensor & self, const at::Tensor & mat2);" in made["PrivateUse1NativeFunctions.h"]
    source = made["RegisterPrivateUse1.cpp"]
    assert "PrivateUse1NativeFunctions::fast_bmm(self, mat2)" in source
    equal(source.count("#include <my/guard.h>") + source.count("#include <my/abs.h>"), 2)
    own = [text for text in source.split("\n}\n") if "fast_bmm" in text]
    assert "OptionalDeviceGuard" not in own[0] and "check_and_update" in own[0], own[0]
    assert "own_guard(device_of(self))" in source or "own_guard(" in source
    autograd = "RegisterAutogradPrivateUse1.cpp"
    assert made[autograd].count("check_and_update") < plain[autograd].count("check_and_update")
    equal(made[autograd].count("OptionalDeviceGuard "), plain[autograd].count("OptionalDeviceGuard "))


def failures():
    def raising(operator, code):
        if operator.root_name == "mul":
            raise LookupError("mine")

    try:
        stubs("failed", raising)
    except LookupError as error:
        frames, trace = [], error.__traceback__
        while trace:
            frames.append(trace.tb_frame.f_code.co_name)
            trace = trace.tb_next
        (note,) = error.__notes__
    assert "raising" in frames and str(error_place(note)).endswith("native_functions.yaml"), (frames, note)
    assert not pathlib.Path("failed").exists()
    answers = {
        3: (TypeError, "returns an OperatorCode or None, not int"),
        "key": (ValueError, "`key` of `abs` cannot be changed"),
        "node": (ValueError, "`abs` has no `node`"),
        "wrapper": (TypeError, "`wrapper` is of type str, not bytes"),
        "device_guard": (TypeError, "`device_guard` is of type bool, not str"),
        "kernel": (ValueError, "`a b` is not the name of a kernel"),
        "includes": (TypeError, "`includes` is a tuple of strings"),
    }
    changes = {"key": "CPU", "node": "class", "wrapper": b"", "device_guard": "no", "kernel": "a b", "includes": ["x"]}
    for what, (kind, text) in answers.items():
        def hook(operator, code):
            return what if what == 3 else replace(code, **{what: changes[what]})  # noqa: B023

        found = raises(kind, stubs, "failed", hook)
        assert text in found, found
    assert "`hook` is a function" in raises(TypeError, stubs, "failed", "no function")
    assert "`fingerprint` is a string" in raises(TypeError, stubs, "failed", Seen(), fingerprint=1)
    assert not pathlib.Path("failed").exists()


def error_place(note):
    return note.split(" at ")[1].rsplit(":", 1)[0]


def repeated_runs():
    for _ in range(2):
        seen = Seen()
        equal((stubs("again", seen).skipped, len(seen.asked) > 0), (False, True))
    for fingerprint, skipped in (("one", False), ("one", True), ("two", False), ("two", True)):
        seen = Seen()
        run = stubs("again", seen, fingerprint=fingerprint)
        equal((fingerprint, run.skipped, bool(seen.asked)), (fingerprint, skipped, not skipped))
    equal([stubs("again").skipped for _ in range(2)], [False, True])
    equal(stubs("again", Seen()).skipped, False)

    def hook(operator, code):
        return replace(code, kernel=f"my_{code.kernel}") if code.kernel else None

    stubs("again", hook)
    stubs("again", hook, verify=True)
    raises(TorchgenError, stubs, "again", verify=True)
    raises(TorchgenError, stubs, "again", Seen(), verify=True)


def threads():
    """A slow hook leaves the interpreter to other threads; hooks of two runs do not meet."""
    order, barrier = [], threading.Barrier(2)

    def slow(name):
        def hook(operator, code):
            if name not in order:
                order.append(name)
                # Both wait here, each in its first call.
                barrier.wait(60)
            order.append(name)
            time.sleep(0.01)
            return replace(code, kernel=f"{name}_{code.kernel}") if code.kernel else None

        stubs(name, hook)

    both = [threading.Thread(target=slow, args=(name,)) for name in "ab"]
    for thread in both:
        thread.start()
    for thread in both:
        thread.join()
    assert len(order) > 4, order
    for name, other in ("ab", "ba"):
        text = "".join(files(name).values())
        assert f"{name}_abs" in text and f"{other}_abs" not in text


def nodes():
    seen = Seen()
    lazy("lazy1")
    lazy("lazy2", seen)
    equal(files("lazy2"), files("lazy1"))
    by_name = {name: code for (name, _), (_, code) in zip(seen.names, seen.asked)}
    for name in ("abs", "mul.Tensor", "std"):
        code = by_name[name]
        assert code.node.startswith("class ") and code.definition and code.lowering.startswith("torch::lazy::TSOpVector")
        assert code.make_node in code.definition and code.shapes in code.make_node and code.base in code.node
    equal((by_name["relu"].node, by_name["relu"].definition), (None, None))
    equal((by_name["scalar"].properties, by_name["scalar"].key), (("CreateFn",), None))
    assert isinstance(seen.asked[-1][0], FunctionSchema)
    equal(len(seen.names), len(set(seen.names)))

    def hook(operator, code):
        if isinstance(operator, FunctionSchema):
            return replace(code, create="static int Create();", lowering="")
        if code.kernel == "abs":
            return replace(code, base="Base(self)", lowering="void Lower() const;", can_be_reused="", shapes="// none")
        if code.kernel == "mul":
            return replace(code, node="class Own {};", make_node="auto node = own();")
        if code.kernel == "std":
            return replace(code, definition="// elsewhere")

    lazy("lazy3", hook)
    made = files("lazy3")
    ir, source, others = made["LazyIr.h"], made["LazyNativeFunctions.cpp"], made["LazyNonNativeIr.h"]
    abs_node = ir[ir.index("class Abs ") : ir.index("class Own {};")]
    assert ": Base(self)\n" in abs_node and "  void Lower() const;\n" in abs_node and "CanBeReused" not in abs_node
    assert "class Mul" not in ir and "class Std" in ir
    assert "            // none\n" in source and "auto node = own();" in source and "// elsewhere" in source
    assert "static int Create();" in others and "Lower(" not in others
    broken = lambda operator, code: 1 / 0 if isinstance(operator, FunctionSchema) else None  # noqa: E731
    raises(ZeroDivisionError, lazy, "lazy4", broken)
    assert OperatorCode() == OperatorCode(includes=())


@dataclass(frozen=True)
class Nodes(GenTSLazyIR):
    def lowering_function(self, schema):
        return f"// {schema.node_name} {self.node_base} {schema.properties.LowerDeclOnly}\n{super().lowering_function(schema)}"

    def create_function(self, schema, node_ctor_args):
        return f"// {node_ctor_args}"


@dataclass(frozen=True)
class Kernels(GenLazyNativeFuncDefinition):
    def shape_inference(self, func, schema):
        return ""

    def build_ir_node(self, func, schema):
        return f"// {aten_symbol(schema)}\nnode({node_ctor_inputs(schema)}); {self.shape_inference(func, schema)}"


@dataclass(frozen=True)
class Metrics(GenLazyNativeFuncDefinition):
    def metrics(self, func, schema):
        return ""


def classes():
    def generate(into, nodes=GenTSLazyIR, kernels=GenLazyNativeFuncDefinition, **more):
        made = {"lazy_ir_generator": nodes, "native_func_definition_generator": kernels, "backend_name": "Mine"}
        run_gen_lazy_tensor(torch, "lazy.yaml", into, False, None, shape_inference_hdr=None, **made, **more)

    generate("lazy5")
    generate("lazy6", Nodes, Kernels)
    equal({name: text.replace("hooks.py", "torchgen/gen_lazy_tensor.py") for name, text in files("lazy5").items()}, files("lazy1"))
    assert "@generated by hooks.py from" in files("lazy5")["RegisterLazy.cpp"]
    made = files("lazy6")
    assert "// Abs Node False\ntorch::lazy::TSOpVector Lower(" in made["LazyIr.h"]
    assert "// Scalar Node True\n" in made["LazyNonNativeIr.h"]
    assert "// const torch::lazy::Value& self, const torch::lazy::Value& other\n" in made["LazyIr.h"]
    assert "// at::aten::mul\nnode(lazy_self->GetIrValue(), lazy_other->GetIrValue());" in made["LazyNativeFunctions.cpp"]
    assert "override `__call__`" in raises(TypeError, generate, "lazy7", kernels=Metrics)
    # The calls of eager kernels are those of a function that a script replaces, if there are any.
    generate("lazy8", gen_forced_fallback_code=True)
    known, lazy_ir.gen_fallback_code = lazy_ir.gen_fallback_code, lambda schema, sig, overload_name: f"// {sig.name()} {overload_name}"
    generate("lazy9", gen_forced_fallback_code=True)
    generate("lazy10")
    lazy_ir.gen_fallback_code = known
    usual, own = (files(into)["LazyNativeFunctions.cpp"] for into in ("lazy8", "lazy9"))
    assert "if (force_eager_fallback(at::aten::mul)) {" in usual and "force_eager_fallback" not in own
    assert "        // mul Tensor\n" in own and files("lazy10") == files("lazy5")
    functions, indices = gen.parse_native_yaml(torch / "native/native_functions.yaml", torch / "native/tags.yaml")
    groups = gen.get_grouped_native_functions(functions)
    parsed = gen_backend_stubs.parse_backend_yaml("npu.yaml", groups, indices)
    equal((parsed.backend_key, parsed.autograd_key), (DispatchKey.PrivateUse1, DispatchKey.AutogradPrivateUse1))
    equal((parsed.class_name, parsed.cpp_namespace, parsed.backend_indices is indices), (None, "vendor", True))
    index = indices[DispatchKey.PrivateUse1]
    equal((index.external, index.use_out_as_primary, index.device_guard), (True, False, True))
    equal({str(name): kernel.kernel for name, kernel in index.index.items()}, {"abs": "abs", "bmm": "bmm", "mul.out": "mul_out"})
    shapes = GenLazyShapeInferenceDefinition(index, "")
    by_name = {str(f.func.name): f for f in functions}
    equal((shapes(by_name["bmm"]), "compute_shape_abs(const at::Tensor & self);" in shapes(by_name["abs"])[0]), ([], True))
    raises(AssertionError, shapes, by_name["neg"])
    raises(SchemaError, gen_backend_stubs.parse_backend_yaml, "lazy.yam", groups, indices)
    raises(RuntimeError, GenLazyIR(index, "", "", True), by_name["abs"])
    raises(SchemaError, gen_backend_stubs.run, "npu.yam", "", True)
    gen_backend_stubs.main(["-s", "npu.yaml", "-o", "plain2", "--torch-path", str(torch)])
    scripted(groups, indices)


def scripted(groups, indices):
    """A `run` of a script's own, which imports all of the module, writes the same files."""
    names = {}
    exec("from torchgen_rs.gen_backend_stubs import *", names)
    assert names["os"] is os and names["parse_native_yaml"] is gen.parse_native_yaml
    own = names["parse_backend_yaml"]("npu.yaml", groups, indices)
    few = [group for group in groups if group.root_name in ("mul", "abs", "bmm", "mm")]
    cls = own.class_name or indices[own.backend_key].native_function_class_name()
    manager = names["FileManager"]("scripted", torch / "templates", dry_run=False)
    keys = own.backend_key, own.autograd_key
    names["gen_dispatchkey_nativefunc_headers"](manager, cls, own.cpp_namespace, indices, few, *keys)
    everything = names["SelectiveBuilder"].get_nop_selector()
    for key in keys:
        names["gen_dispatcher_registrations"](manager, "scripted", cls, indices, few, own.backend_key, key, everything)

    def uncommented(directory):
        made = files(directory).items()
        return {name: [line for line in text.splitlines() if "@" + "generated" not in line] for name, text in made}

    equal(uncommented("scripted"), uncommented("plain2"))
    deferred = names["FileManager"]("deferred", torch / "templates", dry_run=False)
    names["gen_dispatcher_registrations"](
        deferred, "in/tree", cls, indices, few, *keys[:1], *keys[:1], everything, True, True, "Mine", eager_registration=False
    )
    text = pathlib.Path("deferred/RegisterPrivateUse1.cpp").read_text()
    assert "TORCH_API void RegisterMinePrivateUse1NativeFunctions() {" in text, text
    assert "#include <in/tree/PrivateUse1NativeFunctions.h>" in text and "#include <ATen/Functions.h>" not in text


wrappers()
failures()
repeated_runs()
threads()
nodes()
classes()
