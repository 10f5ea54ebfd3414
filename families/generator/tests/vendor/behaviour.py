"""The wrappers on the test device: `behaviour.py LIBRARY COVERAGE`."""

import csv
import sys
import warnings

import simulator
import torch
from simulator import moved

torch.manual_seed(0)
torch.ops.load_library(sys.argv[1])
with open(sys.argv[2]) as file:
    rows = list(csv.DictReader(file))
gadget = torch.ops.gadget

# What arguments are, where their type does not say it.
GIVEN = {
    "gather": {"index": torch.randint(0, 4, (4, 4))},
    "index_select": {"index": torch.tensor([0, 2])},
    "where.self": {"condition": torch.rand(4, 4) > 0.5},
    "mv": {"vec": torch.rand(4)},
    "clamp": {"min": 0.6, "max": 1.2},
    "native_layer_norm": {"normalized_shape": [4], "weight": torch.rand(4), "bias": torch.rand(4), "eps": 1e-5},
}
BY_TYPE = {"int": 1, "List[int": [1], "bool": False, "number": 2}


def operator(name):
    base, _, overload = name.removeprefix("aten::").partition(".")
    return getattr(getattr(torch.ops.aten, base), overload or "default")


def value(name, argument):
    given = GIVEN.get(name.removeprefix("aten::"), {})
    if argument.name in given:
        return given[argument.name]
    kind = str(argument.type).removeprefix("Optional[").rstrip("]")
    if kind == "Tensor":
        return torch.zeros(4, 4) if argument.is_out else torch.rand(4, 4) + 0.5
    return BY_TYPE[kind]


def call(name):
    """The operator on the CPU and on the device, with what it wrote."""
    function = operator(name)
    required = [a for a in function._schema.arguments if not a.has_default_value() or a.name in GIVEN.get(name[6:], {})]
    values = {argument.name: value(name, argument) for argument in required}
    there = {key: moved(own) for key, own in values.items()}
    simulator.fallen_back()
    made = function(**there)
    fallen = simulator.fallen_back()
    for ours, theirs in zip(as_tuple(made), as_tuple(function(**values)), strict=True):
        assert ours.device == simulator.DEVICE, name
        torch.testing.assert_close(ours.cpu(), theirs)
    for key, own in values.items():
        if isinstance(own, torch.Tensor):
            torch.testing.assert_close(there[key].cpu(), own)
    return fallen


def as_tuple(made):
    return made if isinstance(made, tuple) else (made,)


own = [row["operator"] for row in rows if row["kernel"] in ("swift", "exact", "either")]
assert len(own) == 60, len(own)
with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    for library in ("exact", "swift"):
        gadget.choose(library)
        for name in own:
            assert name not in call(name), name
print("values ok")

texts = [str(warning.message) for warning in said]
assert sum("rsqrt is slow on this device; use reciprocal of sqrt" in text for text in texts) == 1, texts
assert sum("mv is slow on this device; use mm with a column" in text for text in texts) == 1, texts
print("deprecations ok")

# One library is chosen at each call; what has one kernel does not ask.
for library, other in (("exact", "swift"), ("swift", "exact")):
    gadget.choose(library)
    before = gadget.calls(library), gadget.calls(other)
    call("aten::add.Tensor")
    assert (gadget.calls(library), gadget.calls(other)) == (before[0] + 1, before[1])
before = gadget.calls("exact")
call("aten::log")
assert gadget.calls("exact") == before + 1
print("choice ok")

for name, key in [("abs", "SparsePrivateUse1"), ("abs", "NestedTensorPrivateUse1"), ("mul.Tensor", "SparsePrivateUse1"),
                  ("relu", "QuantizedPrivateUse1"), ("nonzero", "PrivateUse1")]:
    assert torch._C._dispatch_has_kernel_for_dispatch_key(f"aten::{name}", key), (name, key)
assert not torch._C._dispatch_has_kernel_for_dispatch_key("aten::exp", "SparsePrivateUse1")
print("keys ok")

there = moved(torch.tensor([[0.0, 1.0], [2.0, 0.0]]))
assert torch.nonzero(there).cpu().tolist() == [[0, 1], [1, 0]]
torch.testing.assert_close(gadget.twice(there).cpu(), there.cpu() * 2)
x = moved(torch.rand(4, requires_grad=True))
(torch.exp(x) * 2).sum().backward()
torch.testing.assert_close(x.grad.cpu(), torch.exp(x.detach().cpu()) * 2)
print("device ok")
