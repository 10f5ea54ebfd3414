"""The same as ``torchgen_rs.autograd.gen_inplace_or_view_type``."""

import sys

from ...autograd import gen_inplace_or_view_type as _module
from ...autograd.gen_inplace_or_view_type import *  # noqa: F403

# A script may replace a function under either name.
sys.modules[__name__] = _module
