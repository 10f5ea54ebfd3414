"""The same as ``torchgen_rs.autograd.gen_inplace_or_view_type``."""

from ...autograd.gen_inplace_or_view_type import METHOD_DEFINITION, gen_formals, use_derived

__all__ = ["METHOD_DEFINITION", "gen_formals", "use_derived"]
