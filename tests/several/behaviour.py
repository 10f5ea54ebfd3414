"""Calls the operators of all namespaces of an installed package."""

import several_ops
import torch
from several_ops import several_attention, several_cache, several_norm

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
