"""Three mistakes of libraries written by hand, each beside the generated library.

The first argument is the shared object of the library that is written by hand.
"""

import sys

import torch
from torch._dynamo.testing import CompileCounter
from torch.autograd import forward_ad

import trained

torch.ops.load_library(sys.argv[1])
hand, made = torch.ops.hand, torch.ops.trained


def keep(context, inputs, output):
    context.by = inputs[1]


torch.library.register_autograd(
    "hand::scale", lambda context, grad: (grad * context.by, None), setup_context=keep
)


def gradient(bump):
    """The gradient of (2 w)², which needs 2 w from before it is written: 8, and 12 from after it."""
    w = torch.ones(3, dtype=torch.double, requires_grad=True)
    h = w * 2
    y = h * h
    bump(h)
    y.sum().backward()
    return w.grad.tolist()


def written(operator):
    """Whether a write after a value was saved changes its gradient without an error."""

    def bump(h):
        with torch.no_grad():
            operator(h)

    try:
        return gradient(bump)
    except RuntimeError as error:
        assert "modified by an inplace operation" in str(error), error
        return "error"


def tangent(operator):
    with forward_ad.dual_level():
        dual = forward_ad.make_dual(torch.ones(2, dtype=torch.double), torch.ones(2, dtype=torch.double))
        found = forward_ad.unpack_dual(operator(dual, 3.0)).tangent
    return None if found is None else found.tolist()


def compilations(operator):
    torch._dynamo.reset()
    counter = CompileCounter()
    compiled = torch.compile(lambda x, n: operator(x, n) * 2, fullgraph=True, dynamic=True, backend=counter)
    for n in (5, 6, 7):
        compiled(torch.ones(10, dtype=torch.double), n)
    return counter.frame_count


for name, trap, by_hand, generated in (
    ("version counter", written, (hand.bump_, [12.0] * 3), (made.bump_, "error")),
    ("tangent", tangent, (hand.scale, None), (made.scale, [3.0, 3.0])),
    ("compilations", compilations, (hand.crop, 3), (made.crop, 1)),
):
    for operator, wanted in (by_hand, generated):
        found = trap(operator)
        assert found == wanted, (name, str(operator), found, wanted)

print("traps ok in torch", torch.__version__.split("+")[0])
