"""Calls the functions of the package `tiny`, whose directory is the argument, and compares the arguments that reach the operators.

The operators are made here, of the schemas that the functions show; each says how it was called and returns its first tensor.
"""

import inspect
import sys
import types

import torch

SCHEMAS = [
    'blend(Tensor self, Tensor other, float weight=0.5, *, str mode="linear", int[2] window=1, bool[3] mask=[True,True,False], '
    "ScalarType? dtype=None, MemoryFormat memory_format=contiguous_format) -> Tensor",
    'blend.out(Tensor self, Tensor other, float weight=0.5, *, str mode="linear", int[2] window=1, bool[3] mask=[True,True,False], '
    "ScalarType? dtype=None, MemoryFormat memory_format=contiguous_format, Tensor(a!) out) -> Tensor(a!)",
    "extremes(Tensor self, int? dim=None) -> (Tensor least, Tensor greatest)",
    "extremes.out(Tensor self, int? dim=None, *, Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))",
    "scale.Tensor(Tensor self, Tensor by) -> Tensor",
    "scale.Scalar(Tensor self, Scalar by=2) -> Tensor",
    "scale_(Tensor(a!) self, Scalar by) -> Tensor(a!)",
    "fill.out(Scalar value, *, Tensor(a!) target) -> Tensor(a!)",
    "gather(Tensor?[] parts, SymInt[] sizes=[0, 1], Tensor[] rest, Device? device=None) -> (Tensor[], int, bool)",
    "_hidden(Tensor self) -> ()",
    "positive(Tensor self) -> Tensor",
    'lookup(Tensor self, int from=0, *, str lambda="key") -> Tensor',
    "yield(Tensor self) -> Tensor",
]
RESULTS = {"extremes": lambda x: (x, x), "gather": lambda _: ([], 1, True), "_hidden": lambda _: None}

library = torch.library.Library("tiny", "DEF")
called = []


def define(schema):
    name = schema[: schema.index("(")]

    def kernel(*args, **kwargs):
        called.append((name, args, kwargs))
        outs = [kwargs[out] for out in ("out", "target") if out in kwargs]
        if name == "extremes.out":
            return kwargs["out0"], kwargs["out1"]
        return outs[0] if outs else RESULTS.get(name, lambda x: x.clone() if "!" not in schema else x)(args[0])

    library.define(schema)
    library.impl(name, kernel, "CompositeExplicitAutograd")


for schema in SCHEMAS:
    define(schema)


def gate(*args, **kwargs):
    called.append(("gate", args, kwargs))
    return args[0].clone()


library.define("gate(Tensor self, Tensor by, *, float limit=1.0) -> Tensor")
gates = types.ModuleType("tiny.gates")
gates.gate = gate
sys.modules["tiny.gates"] = gates
fakes = types.ModuleType("tiny_fakes")
fakes.positive = lambda x: x.new_empty(torch.library.get_ctx().new_dynamic_size())
sys.modules["tiny_fakes"] = fakes
sys.path.insert(0, sys.argv[1])
import tiny  # noqa: E402

x, y = torch.ones(2), torch.zeros(2)


def check(call, name, *args, **kwargs):
    called.clear()
    result = call()
    assert len(called) == 1, called
    got_name, got_args, got_kwargs = called[0]
    # Arguments that equal the default are not passed to a kernel in Python.
    assert got_name == name, (got_name, name)
    same = lambda a, b: a is b or (not isinstance(a, torch.Tensor) and a == b)
    assert len(got_args) == len(args) and all(map(same, got_args, args)), (got_args, args)
    assert got_kwargs.keys() == kwargs.keys() and all(same(got_kwargs[k], v) for k, v in kwargs.items()), (got_kwargs, kwargs)
    return result


check(lambda: tiny.blend(x, y), "blend", x, y)
check(lambda: tiny.blend(x, y, mode="cubic", weight=1), "blend", x, y, 1.0, mode="cubic")
check(lambda: tiny.blend(x, y, mask=[True] * 3, window=(1, 2)), "blend", x, y, window=[1, 2], mask=[True] * 3)
assert check(lambda: tiny.blend(x, y, out=y), "blend.out", x, y, out=y) is y
found = check(lambda: tiny.extremes(x, 1), "extremes", x, 1)
assert type(found) is tiny.return_types.extremes and found._fields == ("least", "greatest") and found.least is found[0], found
assert check(lambda: tiny.extremes(x, out=(x, y)), "extremes.out", x, out0=x, out1=y).greatest is y
check(lambda: tiny.scale(x, y), "scale.Tensor", x, y)
check(lambda: tiny.scale(x, by=3), "scale.Scalar", x, 3)
check(lambda: tiny.scale_(x, 3), "scale_", x, 3)
assert check(lambda: tiny.fill(1, target=y), "fill.out", 1, target=y) is y
assert check(lambda: tiny.gather([x, None], (3,), [y]), "gather", [x, None], [3], [y]) == ([], 1, True)
assert type(tiny.gather([x], (3,), [y])) is tuple
check(lambda: tiny._ops._hidden(x), "_hidden", x)
check(lambda: tiny.lookup(x, from_=2, lambda_="k"), "lookup", x, 2, **{"lambda": "k"})
check(lambda: tiny.yield_(x), "yield", x)
# A kernel in Python gets all arguments. This build lacks the other one.
check(lambda: tiny.gate(x, y), "gate", x, y, limit=1.0)
try:
    tiny.average(x, out=y)
    raise AssertionError("an operator that this build lacks")
except NotImplementedError as error:
    assert "torch >= 2.14" in str(error), error

assert "_hidden" not in tiny.__all__ and "blend" in tiny.__all__, tiny.__all__
signature = inspect.signature(tiny.lookup, eval_str=True)
assert str(signature) == "(self: torch.Tensor, from_: int = 0, *, lambda_: str = 'key') -> torch.Tensor", signature
assert inspect.getdoc(tiny.blend).split("\n\n")[1].endswith('stays one, and so do """quotes"""'), tiny.blend.__doc__
schemas = ["tiny::scale.Tensor(Tensor self, Tensor by) -> Tensor", "tiny::scale.Scalar(Tensor self, Scalar by=2) -> Tensor"]
assert inspect.getdoc(tiny.scale).split("\n") == ["Multiplies.", "", *schemas], tiny.scale.__doc__

from torch._subclasses.fake_tensor import FakeTensorMode  # noqa: E402
from torch.fx.experimental.symbolic_shapes import ShapeEnv  # noqa: E402

with FakeTensorMode(shape_env=ShapeEnv()) as mode:
    made = tiny.positive(mode.from_tensor(x))
assert isinstance(made.shape[0], torch.SymInt), made.shape

compiled = torch.compile(lambda a: tiny.scale_(tiny.blend(a, a), 2.0), fullgraph=True, backend="aot_eager")
try:
    compiled(x)
except torch._dynamo.exc.Unsupported as error:
    raise AssertionError("the functions cannot be traced") from error
except Exception:
    # The operators have no fakes here; it is enough that Dynamo traced the functions.
    pass
