"""The same as ``torchgen_rs.autograd.load_derivatives``."""

from ...autograd.load_derivatives import create_derivative, create_differentiability_info, load_derivatives

__all__ = ["create_derivative", "create_differentiability_info", "load_derivatives"]
