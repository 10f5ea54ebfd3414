"""Calls the operators of all namespaces of an installed package."""

import sys

import several_ops
import torch
from functorch.compile import make_boxed_func
from several_ops import several_attention, several_cache, several_norm
from torch._dynamo.backends.common import aot_autograd

assert "site-packages" in several_ops.__file__, several_ops.__file__
x = torch.rand(3, 4, dtype=torch.double, requires_grad=True)
assert torch.equal(several_norm.scaled(x, 2.0), x * 2)
assert torch.equal(several_norm.shifted(x), x + 1)
assert torch.equal(torch.ops.several_norm.scaled(x, 3.0), several_ops.several_norm.scaled(x, 3.0))
print("namespaces ok")

key = torch.rand(5, 4, dtype=torch.double, requires_grad=True)
assert torch.autograd.gradcheck(several_attention.scores, (x, key), check_forward_ad=True)
assert torch.autograd.gradcheck(lambda t: several_norm.scaled(t, 0.5), (x,), check_forward_ad=True)
print("derivatives ok")

cache = torch.zeros(3, 2)
several_cache.append_(cache, torch.ones(2), 1)
assert cache[1].eq(1).all() and cache[0].eq(0).all()
compiled = torch.compile(lambda t: several_cache.rows(t) + 1, backend="aot_eager", fullgraph=True)
assert compiled(torch.rand(7, 2)).item() == 8
torch.library.opcheck(torch.ops.several_cache.rows.default, (cache,))
print("fakes ok")

# A kernel in Python: compiled programs have what it calls, exported ones the operator.
assert "several_ops.gates" not in sys.modules
gate = torch.rand(3, 4, dtype=torch.double, requires_grad=True)
expected = x * gate.sigmoid() * 2
assert torch.equal(several_norm.gated(x, gate), expected)
gates = sys.modules["several_ops.gates"]
assert gates.calls == ["Tensor"], gates.calls
assert torch.autograd.gradcheck(several_norm.gated, (x, gate))
torch.library.opcheck(torch.ops.several_norm.gated.default, (x, gate))
graphs = []


def noted(graph, _):
    graphs.append(graph.code)
    return make_boxed_func(graph)


compiled = torch.compile(several_norm.gated, fullgraph=True, backend=aot_autograd(fw_compiler=noted))
torch.testing.assert_close(torch.autograd.grad(compiled(x, gate).sum(), (x, gate)), torch.autograd.grad(expected.sum(), (x, gate)))
assert "sigmoid" in graphs[0] and "gated" not in graphs[0], graphs[0]


class Gated(torch.nn.Module):
    def forward(self, x, gate):
        return several_norm.gated(x, gate)


assert "several_norm.gated" in torch.export.export(Gated(), (x, gate)).graph_module.code
print("Python ok")
