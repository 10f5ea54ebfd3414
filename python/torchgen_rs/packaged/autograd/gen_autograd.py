"""The same as ``torchgen_rs.autograd.gen_autograd``."""

import sys

from ...autograd.gen_autograd import main

__all__ = ["main"]

if __name__ == "__main__":
    sys.exit(main())
