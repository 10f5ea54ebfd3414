"""Registrations in Python, which are read without being imported."""

import torch
from torch.library import Library, impl_abstract

NAMESPACE = "oldlib"
lib = Library(NAMESPACE, "FRAGMENT")
lib.define("shift(Tensor x, int by=1) -> Tensor")
lib.define(computed())


@torch.library.impl(lib, "shift", "CPU")
def shift(x, by=1):
    return x + by


@impl_abstract(f"{NAMESPACE}::scale")
def scale_fake(x, by=2.0):
    return torch.empty_like(x)


@torch.library.custom_op("oldlib::fill", mutates_args=("x",), device_types="cpu")
def fill(x: torch.Tensor, values: list[float], *, name: str | None = None) -> None:
    x.fill_(values[0])


@fill.register_fake
def _(x, values, *, name=None):
    return None


@torch.library.register_fake("oldlib::elsewhere")
def elsewhere_fake(x):
    return torch.empty_like(x)


torch.library.define("oldlib::scale", "(Tensor x, float by=3.) -> Tensor")
