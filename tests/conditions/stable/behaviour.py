"""Calls a library on the stable ABI whose build has, or lacks, some operators."""

import sys

import torch

sys.path.insert(0, sys.argv[1])
import cond_stable

built = sys.argv[2] == "1"
x = torch.rand(3)
ops = torch.ops.cond_stable
assert torch.equal(cond_stable.always(x), x)
assert not hasattr(ops, "newer")
print("always ok")
if built:
    y = x.clone().requires_grad_()
    cond_stable.twice(y).sum().backward()
    assert torch.equal(y.grad, torch.full((3,), 2.0))
    assert torch.equal(cond_stable.twice_(x.clone()), x * 2)
    assert torch.equal(cond_stable.once(x), x)
    compiled = torch.compile(lambda t: cond_stable.twice_(t.clone()), backend="aot_eager", fullgraph=True)
    assert torch.equal(compiled(x), x * 2)
else:
    assert not hasattr(ops, "twice") and not hasattr(ops, "twice_")
    for call in [cond_stable.twice, cond_stable.twice_]:
        try:
            call(x)
        except NotImplementedError as error:
            assert "which needs: WITH_SCALED" in str(error), error
        else:
            raise AssertionError("nothing was raised")
    try:
        cond_stable.once(x)
    except NotImplementedError as error:
        assert "cond_stable::once" in str(error), error
    else:
        raise AssertionError("nothing was raised")
dangling = torch._C._dispatch_find_dangling_impls()
assert not any("cond_stable::" in text for text in dangling), dangling
print("built" if built else "not built", "ok")
