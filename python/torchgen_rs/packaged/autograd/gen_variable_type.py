"""The same as ``torchgen_rs.autograd.gen_variable_type``."""

from ...autograd.gen_variable_type import emit_body, gen_wrapper_registration

__all__ = ["emit_body", "gen_wrapper_registration"]
