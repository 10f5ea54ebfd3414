"""The same as ``torchgen_rs.autograd.gen_autograd_functions``."""

import sys

from ...autograd import gen_autograd_functions as _module
from ...autograd.gen_autograd_functions import *  # noqa: F403

# A script may replace a function under either name.
sys.modules[__name__] = _module
