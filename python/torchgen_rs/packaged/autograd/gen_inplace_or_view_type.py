"""The same as ``torchgen_rs.autograd.gen_inplace_or_view_type``."""

import sys

from ...autograd import gen_inplace_or_view_type as _module
from ...autograd.gen_inplace_or_view_type import (
    METHOD_DEFINITION,
    gen_formals,
    gen_inplace_or_view_type,
    gen_inplace_or_view_type_env,
    inplace_or_view_method_definition,
    inplace_or_view_method_registration,
    use_derived,
)

__all__ = [
    "METHOD_DEFINITION",
    "gen_formals",
    "gen_inplace_or_view_type",
    "gen_inplace_or_view_type_env",
    "inplace_or_view_method_definition",
    "inplace_or_view_method_registration",
    "use_derived",
]

# A script may replace a function under either name.
sys.modules[__name__] = _module
