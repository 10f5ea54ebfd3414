"""``python -m torchgen_rs`` is the program ``torchgen-rs``."""

import sys

from ._program import main

if __name__ == "__main__":
    sys.exit(main())
