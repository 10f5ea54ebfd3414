"""The generated tests of dims_ops, whose kernels are true here: they pass, and find untrue words and wrong kernels."""

import dims_ops  # noqa: F401
import test_dims
import torch
from dims_ops import _dims

library = torch.library.Library("dims_ops", "IMPL")


def linear(x, w, bias):
    return x @ w.T + (0 if bias is None else bias)


def gqa(q, k):
    b, h, s = k.shape
    return (q.unflatten(1, (h, -1)) * k.unsqueeze(2)).sum(-1) if h else q.new_zeros(b, 0, 0)


def segment(input, ptr, e):
    return torch.zeros(e, input.shape[1], dtype=input.dtype) + input.sum(0)


def unpack(x, scale):
    return (torch.stack([x % 16, x // 16], -1).flatten(1) * scale).contiguous()


def norm_out(out, x):
    out.copy_(x / (x.norm(dim=-1, keepdim=True) + 1))


TRUE = {
    "linear": linear,
    "softmax": lambda x, dim: x.softmax(dim),
    "gqa": gqa,
    "segment": segment,
    "unpack": unpack,
    "cat": lambda xs, ys, dim: torch.cat(xs, dim) + torch.cat(ys, dim),
    "view_as": lambda x, s: x * 2,
    "rope": lambda q, table, head_size: q + (0 if table is None else table.sum()),
    "add3": lambda x, y, z: x + y + z,
    "norm_out": norm_out,
    "scale": lambda x, s: x * s,
    "norm": lambda x, w: x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1) * w,
}
# A kernel of the operator that is wrong, and what finds it.
WRONG = {
    "accumulates four of k": ("linear", lambda x, w, b: linear(x[..., :4], w[:, :4], b), "reduce(k=sum)"),
    "loses the last row": ("linear", lambda x, w, b: linear(torch.cat([x[:-1], x[:1]]) if x.dim() > 1 and len(x) else x, w, b), "map(b)"),
    "adds the bias in each part": ("linear", lambda x, w, b: linear(x, w, None) + (0 if b is None else x.shape[-1] * b), "reduce(k=sum)"),
    "adds a constant": ("linear", lambda x, w, b: linear(x, w, b) + 1, "reduce(k=sum)"),
    "fails without rows": ("linear", lambda x, w, b: linear(x, w, b) if x.numel() else 1 / 0, "an empty part fails"),
    "couples rows": ("softmax", lambda x, dim: x.softmax(dim) + x.sum(), "map(b)"),
    "takes another dimension": ("softmax", lambda x, dim: x.softmax(0), "map(b)"),
    "knows positions": ("gqa", lambda q, k: gqa(q, k) + torch.arange(len(q), dtype=q.dtype)[:, None, None], "map(b)"),
    "mixes heads": ("gqa", lambda q, k: gqa(q, k.flip(1)), "map(h)"),
    "has other sizes": ("segment", lambda input, ptr, e: segment(input, ptr, e + 1), "has the sizes"),
    "has another dtype": ("unpack", lambda x, scale: unpack(x, scale).float(), "and its fake"),
    "writes the whole": ("norm_out", lambda out, x: (out.copy_(x - (x.mean() if x.numel() else 0)), None)[1], "map(b)"),
}
# A word that does not hold.
UNTRUE = {
    "softmax": ({"map": ("b", "n")}, "map(n)"),
    "linear": ({"reduce": {"k": ("max", ())}}, "reduce(k=max)"),
    "linear ": ({"reduce": {"k": ("sum", ())}}, "reduce(k=sum)"),
    "linear  ": ({"reduce": {"k": ("same", ("bias",))}}, "reduce(k=same)"),
    "linear   ": ({"linear": ("x",), "reduce": {}}, "linear(x)"),
    "gqa": ({"reduce": {"s": ("min", ())}}, "reduce(s=min)"),
    "unpack": ({"map": ("m",)}, None),
    "segment": ({"reduce": {"n": ("same", ())}}, "reduce(n=same)"),
    "norm_out": ({"map": ("b", "n")}, "map(n)"),
    "view_as": ({"map": ("c",)}, None),
    "rope": ({"map": ("p",)}, "map(p)"),
    "add3": ({"linear": ("x",)}, "linear(x)"),
}


def kernel(name, function):
    """The kernel of an operator, after the check."""
    overload = getattr(torch.ops.dims_ops, name).default

    def run(*positional, **named):
        _dims.check(f"dims_ops::{name}", _dims.given(overload, positional, named))
        return function(*positional, **named)

    return run


kernels = {}
for name in TRUE:
    kernels[name] = kernel(name, TRUE[name])
    library.impl(name, lambda *a, name=name, **k: kernels[name](*a, **k), "CPU", allow_override=True)


def said(name):
    for test in (
        test_dims.test_parts_give_the_same_results,
        test_dims.test_sizes_are_those_of_the_line,
        test_dims.test_other_sizes_are_refused,
        test_dims.test_vmap_is_a_loop,
    ):
        try:
            test("dims_ops", f"dims_ops::{name}")
        except AssertionError as error:
            return str(error)
    return None


for name in TRUE:
    assert said(name) is None, said(name)
for what, (name, function, expected) in WRONG.items():
    kernels[name] = kernel(name, function)
    assert expected in (said(name) or ""), f"{name} {what}: {said(name)}"
    kernels[name] = kernel(name, TRUE[name])
for name, (words, expected) in UNTRUE.items():
    full = f"dims_ops::{name.strip()}"
    lines = _dims.LINES[full]
    _dims.LINES[full] = (lines[0]._replace(**words),)
    found = said(name.strip())
    assert (expected or "None") in str(found), f"{name} {words}: {found}"
    _dims.LINES[full] = lines
for package, name in test_dims.COUNTED:
    test_dims.test_flops_are_counted(package, name)
print("dims proved")
