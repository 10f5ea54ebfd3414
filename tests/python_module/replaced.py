"""Names that other projects use, the name `torchgen` for this package, and functions that a script
replaces. The arguments are a scratch directory and a directory of operators in PyTorch's layout."""

import contextlib
import dataclasses
import importlib
import importlib.util
import os
import pathlib
import subprocess
import sys

from expect import equal, raises
import torchgen_rs
from torchgen_rs import dest, gen, gen_functionalization_type, native_aot_decl, native_aot_spec_grid, utils
from torchgen_rs.aoti import fallback_ops
from torchgen_rs.api import cpp, dispatcher, native
from torchgen_rs.api.types import BaseCppType, BaseCType, ConstRefCType, CType, DispatcherSignature, MutRefCType, NamedCType
from torchgen_rs.autograd import gen_inplace_or_view_type
from torchgen_rs.autograd.load_derivatives import load_derivatives
from torchgen_rs.gen_aoti_c_shim import (
    gen_declaration_and_definition,
    gen_static_dispatch_backend_call,
    get_backend_index_for_aoti,
    get_fallback_op_name,
)
from torchgen_rs.model import BackendIndex, BackendMetadata, DispatchKey, FunctionSchema, NativeFunction
from torchgen_rs.selective_build.selector import SelectiveBuilder
from torchgen_rs.utils import Target

scratch, source = map(pathlib.Path, sys.argv[1:])
FUNCTIONS, INDICES = gen.parse_native_yaml(source / "native/native_functions.yaml", source / "native/tags.yaml")
SCALE, SHIFT = (next(f for f in FUNCTIONS if str(f.func.name) == name) for name in ("scale", "shift"))


def replacements():
    said = raises(AttributeError, setattr, dispatcher, "arguments", lambda func, symint=True: [])
    assert said.startswith("`torchgen_rs.api.dispatcher.arguments` cannot be replaced"), said
    raises(AttributeError, setattr, DispatchKey, "lower", lambda key: "key")
    # The same, or a name that is new, changes nothing that the package does.
    cpp.name = cpp.name
    cpp.of_the_script = replacements
    # `unpack_args` is replaced before the module that calls it is imported, as torch_npu does.
    assert "torchgen_rs.autograd.gen_variable_type" not in sys.modules
    known = gen_inplace_or_view_type.unpack_args
    gen_inplace_or_view_type.unpack_args = lambda f: (["// replaced"], known(f)[1])
    kernels = importlib.import_module("torchgen_rs.autograd.gen_variable_type")
    matched = importlib.import_module("torchgen_rs.api.autograd").match_differentiability_info([SCALE], {})
    equal(kernels.emit_body(matched[0])[0], "// replaced")
    gen_inplace_or_view_type.unpack_args = known
    assert kernels.emit_body(matched[0])[0] != "// replaced"


@contextlib.contextmanager
def replaced(where, name, value):
    known = vars(where)[name] if isinstance(where, type) else getattr(where, name)
    setattr(where, name, value)
    try:
        yield
    finally:
        setattr(where, name, known)


def wrappers(index, kind=Target.ANONYMOUS_DEFINITION):
    flags = {"rocm": False, "symint": True, "class_method_name": None, "skip_dispatcher_op_registration": False}
    return dest.RegisterDispatchKey(index, kind, SelectiveBuilder.get_nop_selector(), **flags)


def replacements_of_torch_npu():
    """Functions that Python's part looks up; what needs the program raises."""
    kernels = {SHIFT.func.name: BackendMetadata("shift", False, "npu::native")}
    index = BackendIndex(DispatchKey.PrivateUse1, use_out_as_primary=True, device_guard=True, external=True, index=kernels)
    before = dest.compute_native_function_declaration(SHIFT, index), wrappers(index)(SHIFT), index.native_function_class_name()
    assert "by=1" not in before[0][0]
    with replaced(dispatcher, "arguments", native.arguments):
        equal(dest.compute_native_function_declaration(SHIFT, index)[0], before[0][0].replace(" by)", " by=1)"))
        equal(DispatcherSignature.from_schema(SHIFT.func).decl(), "at::Tensor shift(const at::Tensor & self, const at::Scalar & by=1)")
        equal(wrappers(index)(SHIFT), before[1])
        raises(AttributeError, torchgen_rs.generate, source_path=source, install_dir=scratch / "not")
    own = {"__str__": lambda key: key.name.replace("PrivateUse1", "NPU"), "parse": staticmethod(lambda text: DispatchKey[text.replace("Own", "Meta")])}
    with replaced(DispatchKey, "__str__", own["__str__"]), replaced(DispatchKey, "parse", own["parse"]):
        equal((str(index.dispatch_key), index.dispatch_key.lower(), index.native_function_class_name()), ("NPU", "npu", "NPUNativeFunctions"))
        equal(wrappers(index)(SHIFT), [text.replace("PrivateUse1", "NPU") for text in before[1]])
        registered = wrappers(index, Target.REGISTRATION)(SHIFT)
        assert "wrapper_NPU__shift" in registered[0], registered
        entry = {"func": "own(Tensor self) -> Tensor", "dispatch": {"CPU, Own": "own"}}
        f, known = NativeFunction.from_yaml(entry, "Location", set())
        equal((str(f.loc), sorted(key.name for key in known)), ("Location:1", ["CPU", "Meta"]))
        files = source / "native/native_functions.yaml", source / "native/tags.yaml"
        equal(gen.parse_native_yaml(*files).native_functions, FUNCTIONS)
        with replaced(DispatchKey, "parse", staticmethod(lambda text: DispatchKey.Meta)):
            raises(AttributeError, gen.parse_native_yaml, *files)
        raises(AttributeError, torchgen_rs.generate, source_path=source, install_dir=scratch / "not")
    equal((str(index.dispatch_key), index.native_function_class_name()), ("PrivateUse1", before[2]))
    path = scratch / "derivatives.yaml"
    path.write_text("- name: scale(Tensor self, Scalar factor) -> Tensor\n  self: grad * factor\n  result: auto_linear\n")
    known = load_derivatives(path, source / "native/native_functions.yaml", source / "native/tags.yaml")
    with replaced(gen, "parse_native_yaml", lambda *paths: gen.ParsedYaml(FUNCTIONS, INDICES)):
        raises(AttributeError, torchgen_rs.generate, source_path=source, install_dir=scratch / "not")
        # It reads the entries with PyYAML, as the reference does.
        if importlib.util.find_spec("yaml"):
            equal(load_derivatives(path, "native_functions.yaml", "tags.yaml"), known)
    assert not (scratch / "not").exists()


@dataclasses.dataclass(frozen=True)
class Maybe(CType):
    """A type of the script."""

    elem: CType

    def cpp_type(self, *, strip_ref=False):
        return f"own::maybe<{self.elem.cpp_type()}>"

    def remove_const_ref(self):
        return Maybe(self.elem.remove_const_ref())


class Silent(CType):
    """A type without a text."""


def own_types():
    own = Maybe(ConstRefCType(BaseCType(BaseCppType("own", "Tensor"))))
    equal(own.cpp_type(), "own::maybe<const own::Tensor &>")
    equal(NamedCType("x", ConstRefCType(own)).cpp_type(), "const own::maybe<const own::Tensor &> &")
    plain = MutRefCType(own).remove_const_ref()
    equal((plain.cpp_type(), type(plain)), ("own::maybe<own::Tensor>", Maybe))
    raises(TypeError, ConstRefCType(Silent()).cpp_type)


def names():
    equal(native_aot_decl.decl_id_for_op("gt.Tensor"), "gt_Tensor")
    points = native_aot_spec_grid.expand_specs([{"a": [1, 2], "b": 3}, {"a": ["x"]}])
    equal(points, [{"a": 1, "b": 3}, {"a": 2, "b": 3}, {"a": "x"}])
    (scratch / "declared.py").write_text("VALUE = 3\n")
    equal(native_aot_decl.load_by_path("declared", str(scratch / "declared.py")).VALUE, 3)
    assert "generate" in raises(AttributeError, getattr, native_aot_decl, "load_declarations")
    equal(utils.dataclass_repr(SCALE.func.name, width=400), repr(SCALE.func.name))
    fallback = fallback_ops.inductor_fallback_ops
    equal(fallback["aten._cdist_forward.default"], {})
    later = {"new_args": ["num_splits"], "since": "TORCH_VERSION_2_12_0"}
    equal(fallback["aten._flash_attention_forward_no_dropout_inplace.default"], {"since": "TORCH_VERSION_2_12_0", "v2": later})
    equal(fallback_ops.aten_shimified_ops["aten.full.default"], {"since": "TORCH_VERSION_2_10_0"})
    nothing = SelectiveBuilder.from_yaml_str("{et_kernel_metadata: {own::op: [default]}}")
    equal(nothing.et_get_selected_kernels("own::op", ["default"]), ["default"])
    raises(ValueError, nothing.et_get_selected_kernels, "own::op", ["v1/6;0"])


def calls():
    signature = DispatcherSignature.from_schema(SCALE.func)
    schema = SCALE.func
    declared, _ = gen_declaration_and_definition(schema, "cpu", "at::scale", {"v2": {"new_args": ["factor"]}})
    later, first = declared.split("\n")
    assert "_cpu_scale_v2(" in later and "double factor" in later and "factor" not in first, declared
    for wrong in ({"v1": {}}, {"x2": {}}, {"vx": {}}, {"v2": ["factor"]}, {"v2": {"new_args": "factor"}}, {"since": "2.12"}):
        raises(AssertionError, gen_declaration_and_definition, schema, "cpu", "at::scale", wrong)
    streams = FunctionSchema.parse("record(Tensor self, Stream s) -> ()")
    assert "Stream" in raises(NotImplementedError, gen_declaration_and_definition, streams, "cpu", "at::record", {})
    raises(AssertionError, gen_functionalization_type.return_str, schema.returns, [])
    said = raises(AttributeError, getattr, gen_functionalization_type, "gen_functionalization_definition")
    assert said.endswith("`torchgen_rs.generate` writes the kernels, and for the bindings `generate_code`"), said
    called = gen.generate_static_dispatch_backend_call(signature, SCALE, INDICES[DispatchKey.CPU])
    equal(called, "return at::cpu::scale(self, factor);")
    equal(get_fallback_op_name(SCALE), "aten.scale.default")
    index = get_backend_index_for_aoti(SCALE, {}, DispatchKey.CPU, INDICES, False)
    equal(gen_static_dispatch_backend_call(SCALE, index), "at::scale" if index is None else f"at::{index.dispatch_key.lower()}::scale")
    register = gen.RegisterSchema(SelectiveBuilder.get_nop_selector())
    made = [register(f) for f in FUNCTIONS]
    equal(made[0].count("m.def("), 1)
    texts, _ = gen.get_native_function_schema_registrations(
        native_functions=FUNCTIONS, schema_selector=SelectiveBuilder.get_nop_selector()
    )
    equal("".join(made), "".join(texts))
    selected = gen.get_custom_build_selector(["aten::scale"], None)
    equal([gen.RegisterSchema(selected)(f) is None for f in FUNCTIONS[:3]], [False, False, True])
    raises(AssertionError, gen.get_custom_build_selector, ["aten::scale"], "selected.yaml")


USES = """
import os, sys, torchgen, torchgen.gen
from torchgen.api.types import OptionalCType
from torchgen.model import DispatchKey, NativeFunction
import torchgen_rs.model
assert NativeFunction is torchgen_rs.model.NativeFunction
# torch-mlir finds PyTorch's YAML by the path of the package, and types by their texts.
assert torchgen.__path__ == [os.path.dirname(torchgen.__file__)]
assert str(OptionalCType) == "<class 'torchgen.api.types.types.OptionalCType'>"
assert DispatchKey.__module__ == "torchgen.model"
try:
    import torchgen.not_there
except ModuleNotFoundError as error:
    print(error)
print(torchgen.gen.__name__, sys.argv[1:])
"""
SAID = "`import torchgen.not_there` is `torchgen_rs.not_there` here, which does not exist\ntorchgen_rs.gen ['a']\n"


def aliases():
    path = scratch / "uses.py"
    path.write_text(USES)

    def run(*words, **environment):
        run = subprocess.run([sys.executable, *words], capture_output=True, text=True, env={**os.environ, **environment})
        return run.returncode, run.stdout, run.stderr

    equal(run("-W", "error", "-m", "torchgen_rs.alias", path, "a"), (0, SAID, ""))
    status, site, _ = run("-m", "torchgen_rs.alias", "--path")
    equal((status, run(path, "a", PYTHONPATH=site.strip())), (0, (0, SAID, "")))
    # A sitecustomize.py that the environment has still runs.
    (scratch / "sitecustomize.py").write_text("print('chained')")
    chained = os.pathsep.join((site.strip(), str(scratch)))
    equal(run("-c", "import torchgen.gen", PYTHONPATH=chained), (0, "chained\n", ""))
    status, told, _ = run("-m", "torchgen_rs.alias", "-m", "torchgen.gen", "--help")
    equal((status, "torchgen-rs generate [OPTIONS]" in told), (0, True))
    # Without it, there is no such package.
    assert "No module named 'torchgen'" in run("-c", "import torchgen")[2]
    for words in ((), ("--other",), ("-m",)):
        status, told, errors = run("-m", "torchgen_rs.alias", *words)
        equal((status, told, errors.startswith("usage: ")), (2, "", True))


replacements()
replacements_of_torch_npu()
own_types()
names()
calls()
aliases()
