"""The same as ``torchgen_rs.autograd.gen_variable_type``."""

import sys

from ...autograd import gen_variable_type as _module
from ...autograd.gen_variable_type import *  # noqa: F403

# A script may replace a table under either name.
sys.modules[__name__] = _module
