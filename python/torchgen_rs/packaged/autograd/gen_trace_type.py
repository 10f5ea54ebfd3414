"""The same as ``torchgen_rs.autograd.gen_trace_type``."""

from ...autograd.gen_trace_type import type_wrapper_name

__all__ = ["type_wrapper_name"]
