"""Runs torchgen.static_runtime.gen_static_runtime_ops: `reference_static_runtime.py gen-static-runtime-ops FLAGS`.

The module `libfb`, which is not public, only sets up logging. What clang-format would do to the files is left out on both sides.
"""

import os
import sys
import types

for name in ("libfb", "libfb.py", "libfb.py.log"):
    sys.modules[name] = types.ModuleType(name)
sys.modules["libfb.py.log"].set_simple_logging = lambda **_: None

from torchgen.static_runtime import gen_static_runtime_ops  # noqa: E402

if __name__ == "__main__":
    del sys.argv[1]
    gen_static_runtime_ops.clang_format = lambda path: None
    # Its files' directories exist in PyTorch's tree.
    for flag, path in zip(sys.argv, sys.argv[1:]):
        if flag in ("-p", "-t"):
            os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    gen_static_runtime_ops.main()
