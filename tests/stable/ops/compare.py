"""Compares each function of the header with torch's own operator.

    python compare.py LIBRARY calls|generator

LIBRARY is what wrap.py wrote, compiled. Results, and arguments after the call, must be equal: bits, dtype,
layout, sizes and strides.
"""

import sys

import torch

import calls


def same(a, b) -> bool:
    if isinstance(a, torch.Tensor):
        if not isinstance(b, torch.Tensor) or (a.dtype, a.layout, a.shape, a.device) != (b.dtype, b.layout, b.shape, b.device):
            return False
        if a.layout != torch.strided:
            a, b = a.to_dense(), b.to_dense()
        if a.is_quantized:
            return same(a.int_repr(), b.int_repr()) and a.q_scale() == b.q_scale()
        if a.stride() != b.stride():
            return False
        return torch.equal(a, b) or torch.equal(a.isnan(), b.isnan()) and torch.equal(a.nan_to_num(), b.nan_to_num())
    if isinstance(a, (list, tuple)):
        return isinstance(b, (list, tuple)) and len(a) == len(b) and all(map(same, a, b))
    return type(a) is type(b) and a == b


def overload(operators, name: str):
    name, _, overload = name.partition(".")
    return getattr(getattr(operators, name), overload or "default")


def run(function, make):
    torch.manual_seed(3)
    (positional, named) = make()
    result = function(*positional, **named)
    named.pop("generator", None)
    return result, positional, list(named.values())


def main() -> None:
    library, which = sys.argv[1:]
    torch.ops.load_library(library)
    chosen = calls.CALLS if which == "calls" else calls.GENERATOR
    index = {name: at for at, name in enumerate(dict.fromkeys(name for name, _ in chosen))}
    wrong = []
    for name, make in chosen:
        own = getattr(torch.ops.wrapped, f"f{index[name]}").default
        try:
            expected = run(overload(torch.ops.aten, name), make)
            found = run(own, make)
        except Exception as error:
            wrong.append(f"{name}: {str(error).splitlines()[0]}")
            continue
        if not same(expected, found):
            wrong.append(f"{name}: {expected}\nis not {found}")
    if wrong:
        sys.exit("\n".join(wrong))
    print(f"{len(index)} functions, {len(chosen)} calls, torch {torch.__version__.split('+')[0]}")


if __name__ == "__main__":
    main()
