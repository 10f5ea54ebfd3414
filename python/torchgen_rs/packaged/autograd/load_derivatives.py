"""The same as ``torchgen_rs.autograd.load_derivatives``."""

from ...autograd.load_derivatives import load_derivatives

__all__ = ["load_derivatives"]
