"""Runs torch with `torchgen` as this package: what torch imports of it works."""

import sys

import torch
import torch._native.aot_manifest  # noqa: F401
from torch._library.utils import get_layout_constraint_tag  # noqa: F401


@torch.compile(fullgraph=True, backend="aot_eager")
def loss(x, y):
    return (x.sin() @ y.cos()).relu().sum()


class Attention(torch.nn.Module):
    def forward(self, x):
        return torch.nn.functional.scaled_dot_product_attention(x, x, x)


x = torch.randn(4, 4, requires_grad=True)
loss(x, torch.randn(4, 4)).backward()
assert x.grad.shape == (4, 4)
exported = torch.export.export(Attention(), (torch.randn(1, 2, 8, 8),))
assert "scaled_dot_product_attention" in exported.graph_module.code

from torchgen.aoti.fallback_ops import inductor_fallback_ops  # noqa: E402
from torchgen.gen_schema_utils import FunctionSchemaGen  # noqa: E402

assert "aten._int_mm.out" in inductor_fallback_ops
one = torch.ones(1)
schema = FunctionSchemaGen.from_example("op", (("x", one), ("n", 3), ("xs", [one, one])), (one, 1.5))
assert str(schema) == "op(Tensor x, int n, Tensor[2] xs) -> (Tensor, float)", schema
for items, error in (([], AssertionError), ([1, "a"], RuntimeError), ({}, RuntimeError)):
    try:
        FunctionSchemaGen.from_example("op", (("x", items),), ())
    except error:
        continue
    raise AssertionError(f"{items} has a type")
assert {sys.modules[name].__name__.split(".")[0] for name in sys.modules if name.startswith("torchgen.")} == {"torchgen_rs"}
print(schema)
