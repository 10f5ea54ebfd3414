"""The same as ``torchgen_rs.autograd.gen_autograd_functions``."""

import sys

from ...autograd import gen_autograd_functions
from ...autograd.gen_autograd_functions import (
    FUNCTION_DECLARATION,
    FUNCTION_DEFINITION,
    PY_FUNCTION_DEFINITION,
    PY_FUNCTION_PROPS_AND_GETTERS,
    gen_autograd_functions_lib,
    get_infos_with_derivatives_list,
    process_function,
)

__all__ = [
    "FUNCTION_DECLARATION",
    "FUNCTION_DEFINITION",
    "PY_FUNCTION_DEFINITION",
    "PY_FUNCTION_PROPS_AND_GETTERS",
    "gen_autograd_functions_lib",
    "get_infos_with_derivatives_list",
    "process_function",
]

# A script may replace a function under either name.
sys.modules[__name__] = gen_autograd_functions
