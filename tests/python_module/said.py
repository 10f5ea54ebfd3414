"""The texts of errors that scripts compare with the reference's, and the diagnostics beside them. The
argument is a scratch directory."""

import copy
import pathlib
import pickle
import sys

from expect import equal
from torchgen_rs import SchemaError, dest, gen, gen_backend_stubs
from torchgen_rs.model import Annotation

scratch = pathlib.Path(sys.argv[1])
FILE = scratch / "backend.yaml"
XLA = "backend: XLA\ncpp_namespace: torch_xla\n"
BOTH = (
    "Currently, all variants of an op must either be registered to a backend key, or to a backend's autograd key. They "
    "cannot be mix and matched. If this is something you need, feel free to create an issue! {} is listed under "
    '"supported", but {} is listed under "autograd".'
)
# What a backend's YAML has, the reference's text, and the code of ours.
BACKENDS = [
    ("- abs", "Expected yaml_values to be a dict, got <class 'list'>", "TG0302"),
    ("cpp_namespace: torch_xla\nsupported: [abs]", 'You must provide a value for "backend"', "TG0304"),
    ("backend:\ncpp_namespace: torch_xla\nsupported: [abs]", 'You must provide a value for "backend"', "TG0305"),
    ("backend: XLA\nsupported: [abs]", 'You must provide a value for "cpp_namespace"', "TG0304"),
    ("backend: XLA\ncpp_namespace:\nsupported: [abs]", 'You must provide a value for "cpp_namespace"', "TG0305"),
    (XLA + "supported: abs", "expected \"supported\" to be a list, but got: abs (of type <class 'str'>)", "TG0305"),
    (XLA + "supported: [abs]\nautograd: mul", 'expected "autograd" to be a list, but got: mul', "TG0305"),
    (
        "backend: NO_XLA\ncpp_namespace: a\nsupported: [abs]",
        'unknown dispatch key NO_XLA\n  The provided value for "backend" must be a valid DispatchKey, but got NO_XLA.',
        "TG0310",
    ),
    (XLA + "supported: [abs_x]", "Found an invalid operator name: abs_x", "TG0711"),
    # The reference looks for operators before it looks for the key of autograd.
    ("backend: Vulkan\ncpp_namespace: a\nsupported: [add]\nautograd: [sub]", "Found an invalid operator name: add", "TG0310"),
    (
        "backend: Vulkan\ncpp_namespace: a\nsupported: [abs]\nautograd: [sub.Tensor]",
        'unknown dispatch key AutogradVulkan\n  The "autograd" key was specified, which indicates that you would like to '
        'override the behavior of autograd for some operators on your backend. However "AutogradVulkan" is not a valid '
        "DispatchKey.",
        "TG0310",
    ),
    (XLA + "supported: [add.Tensor]\nautograd: [add.out]", BOTH.format("add", "add_out"), "TG0713"),
    (XLA + "supported: [add.Tensor]\nautograd: [add_.Tensor]", BOTH.format("add", "add_"), "TG0713"),
    (XLA + "supported: [add.Tensor]\nautograd: [add.Tensor]", BOTH.format("add", "add"), "TG0713"),
    (
        XLA + "supported: [abs]\nown: 1\nother: 2",
        f"{FILE} contains unexpected keys: own, other. Only the following keys are supported: backend, class_name, "
        "cpp_namespace, extra_headers, supported, autograd, full_codegen, non_native, ir_gen, symint",
        "TG0303",
    ),
    (
        XLA + "use_out_as_primary: yess\nsupported: [abs]",
        "You must provide either True or False for use_out_as_primary. Provided: yess",
        "TG0305",
    ),
    (
        XLA + "device_guard: yess\nsupported: [abs]",
        "You must provide either True or False for device_guard. Provided: yess",
        "TG0305",
    ),
]


def failure(call, *arguments):
    try:
        made = call(*arguments)
    except SchemaError as error:
        return error
    raise AssertionError(f"{call} did not fail: {made}")


def backends():
    groups = gen.get_grouped_native_functions(gen.parse_native_yaml(torch="2.15").native_functions)
    indices = gen.parse_native_yaml(torch="2.15").backend_indices
    for text, said, code in BACKENDS:
        FILE.write_text(text)
        error = failure(gen_backend_stubs.parse_backend_yaml, FILE, groups, indices)
        equal((str(error), error.diagnostics[0].code), (said, code))
        assert error.messages.startswith(f"error[{code}]"), error.messages
        equal(getattr(error, "__notes__", []), [error.messages])
        for same in (pickle.loads(pickle.dumps(error)), copy.copy(error)):
            equal((str(same), same.diagnostics, same.messages), (said, error.diagnostics, error.messages))
    # Others have the text of the program.
    FILE.write_text("backend: XLA\ncpp_namespace: a.b\nsupported: [abs]")
    error = failure(gen_backend_stubs.parse_backend_yaml, FILE, groups, indices)
    assert error.said is None and str(error).startswith("error[TG1004]"), error


OUT = {"func": "{}.out(Tensor self{}, *, Tensor(a!) out) -> Tensor(a!)", "__line__": 7}
STRUCTURED = {"structured": True, "structured_inherits": "TensorIteratorBase"}


def entries(name, arguments, loops, **more):
    out = {**OUT, "func": OUT["func"].format(name, arguments), "ufunc_inner_loop": loops, **more}
    functional = {"func": f"{name}(Tensor self{arguments}) -> Tensor", "structured_delegate": f"{name}.out", "__line__": 9}
    return [out, functional]


def group(*arguments):
    functions = gen.parse_native_yaml_struct(entries(*arguments, **STRUCTURED), set()).native_functions
    return gen.get_grouped_native_functions(functions)[0]


def loops():
    """Errors of entries say where after two blanks, at which scripts split their texts."""

    def said(call, *arguments):
        text, place = str(failure(call, *arguments)).split("\n  in ")
        assert place.startswith(("<stdin>:", "native_functions.yaml")), place
        return text

    plain = entries("add", ", Tensor other", {"Generic": "add (Bool)"})
    equal(said(gen.parse_native_yaml_struct, plain, set()), "ufunc must be structured")
    both = entries("add", ", Tensor other", {"Generic": "add (Bool)"}, **STRUCTURED, dispatch={"CPU": "add_cpu"})
    equal(said(gen.parse_native_yaml_struct, both, set()), "ufunc should not have explicit dispatch entry for CPU")
    two = group("add", ", Tensor other", {"Generic": "add (Bool)", "ScalarOnly": "add_scalar (Bool)"})
    equal(said(dest.compute_ufunc_cuda, two), "ScalarOnly and Generic must have same ufunc name")
    one = group("neg", "", {"Generic": "neg (All)", "CUDAFunctorOnSelf": "neg_self (All)"})
    equal(said(dest.compute_ufunc_cuda, one), "cannot use CUDAFunctorOnSelf on non-binary function")
    made = group("add", ", Tensor other", {"Generic": "add (Bool)"})
    assert "add_stub(device_type(), *this" in dest.compute_ufunc_cpu(made)
    assert "ufunc::add(self, other)" in dest.compute_ufunc_cpu_kernel(made)
    assert "CUDAFunctor_add" in dest.compute_ufunc_cuda(made)


def annotations():
    error = failure(Annotation.parse, "a|b!")
    equal(str(error), "alias set larger than 1 is not mutable, got a|b! instead.")
    equal([found.code for found in error.diagnostics], ["TG0204"])
    said = "before alias set and after alias set cannot be larger than 1 at the same time, got a|b -> c|d instead."
    equal(str(failure(Annotation.parse, "a|b -> c|d")), said)


backends()
loops()
annotations()
