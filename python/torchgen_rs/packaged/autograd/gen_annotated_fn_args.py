"""The same as ``torchgen_rs.autograd.gen_annotated_fn_args``."""

import sys

from ...autograd.gen_annotated_fn_args import main

__all__ = ["main"]

if __name__ == "__main__":
    sys.exit(main())
