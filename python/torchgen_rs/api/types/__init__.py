"""C++ types, parameters and signatures, by the names of the reference's ``torchgen.api.types``."""

from .types import *  # noqa: F403
from .types_base import *  # noqa: F403
from .signatures import *  # noqa: F403  # isort: skip
