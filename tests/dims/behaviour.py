"""Random calls of operators with lines: the check before a kernel in C++ and the package's say the same."""

import os
import random
import sys

import dims_ops
import torch
from dims_ops import _dims

random.seed(0)
NONE = "none"


def tensor(rank=None):
    rank = random.choice([0, 1, 2, 2, 3, 3, 4]) if rank is None else rank
    return torch.empty([random.choice([0, 1, 2, 2, 3, 4, 6]) for _ in range(rank)])


def near(x):
    """A tensor that differs from another one in one dimension, if at all."""
    sizes = list(x.shape)
    if sizes and random.random() < 0.5:
        sizes[random.randrange(len(sizes))] = random.choice([1, 2, 3, 4])
    if random.random() < 0.2:
        sizes = sizes[1:] if random.random() < 0.5 else [1, *sizes]
    return torch.empty(sizes)


def optional(make):
    return None if random.random() < 0.3 else make()


def number():
    return random.choice([-3, -1, 0, 1, 2, 2, 3, 4])


def linear():
    k, n = random.choice([2, 3]), random.choice([2, 4])
    return near(torch.empty(*tensor().shape, k)), near(torch.empty(n, k)), optional(lambda: near(torch.empty(n)))


def gqa():
    b, h, g, s = (random.choice([0, 1, 2, 3]) for _ in range(4))
    return near(torch.empty(b, h * g, s)), near(torch.empty(b, h, s))


def segment():
    e = random.choice([0, 1, 2, 3])
    return near(torch.empty(4, 3)), near(torch.empty(e + 1)), random.choice([e, number()])


def unpack():
    m, k = random.choice([1, 2, 3]), random.choice([1, 2, 3])
    return near(torch.empty(m, k)), near(torch.empty(random.choice([1, m]), 2 * k))


def cat():
    first = tensor(random.choice([1, 2, 3]))
    xs = [near(first) for _ in range(random.choice([1, 2, 3]))]
    return xs, [near(x) for x in xs], random.choice([-1, 0, 1])


def view_as():
    x = tensor()
    return x, random.choice([list(x.shape[:-1]), list(near(x).shape)])


def rope():
    x = tensor()
    return x, optional(lambda: near(torch.empty(3, 4))), random.choice([x.shape[-1] if x.dim() else 1, number()])


def add3():
    x = tensor()
    return tuple(random.choice([near(x), torch.empty(x.shape[1:])]) for _ in range(3))


CALLS = {
    "linear": linear,
    "softmax": lambda: (tensor(), number()),
    "gqa": gqa,
    "segment": segment,
    "unpack": unpack,
    "cat": cat,
    "view_as": view_as,
    "rope": rope,
    "add3": add3,
    "fixed": lambda: (tensor(),),
    "norm_out": lambda: (x := tensor(), near(x)),
}


def said(call):
    try:
        call()
    except RuntimeError as error:
        return str(error).split("\nException raised from")[0]
    return NONE


accepted, refused = 0, set()
for name, make in CALLS.items():
    overload = getattr(torch.ops.dims_ops, name).default
    full = f"dims_ops::{name}"
    for _ in range(int(os.environ.get("CALLS", "400"))):
        arguments = make()
        named = _dims.given(overload, arguments, {})
        in_cpp = said(lambda: overload(*arguments))
        in_python = said(lambda: _dims.check(full, named))
        if in_cpp != in_python:
            shapes = [a.shape if isinstance(a, torch.Tensor) else a for a in arguments]
            sys.exit(f"{name}{shapes}\nC++:    {in_cpp}\nPython: {in_python}")
        accepted += in_cpp == NONE
        refused.add(in_cpp)
assert accepted > 500, accepted

# A generated out variant resizes what it is given.
x, s, out = torch.ones(2, 3), torch.ones(3), torch.empty(0)
assert torch.ops.dims_ops.scale.out(x, s, out=out) is out and out.shape == x.shape
print(f"dims ok: {accepted} calls accepted, {len(refused) - 1} messages")
