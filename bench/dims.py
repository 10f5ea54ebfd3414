"""How long the check of sizes before a kernel takes, on libtorch's C++ API: nanoseconds a call.

    python bench/dims.py --program target/release/torchgen-rs

It needs a C++ compiler and the torch of this Python. Times are of the processor, the fastest of 15 rounds.
"""

import argparse
import subprocess
import tempfile
from pathlib import Path

import torch

ROOT = Path(__file__).resolve().parent.parent


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--program", type=Path, default=ROOT / "target/release/torchgen-rs", help="the torchgen-rs to use")
    arguments = parser.parse_args()
    package = Path(torch.__file__).parent
    libraries = package / "lib"
    with tempfile.TemporaryDirectory() as directory:
        out, program = Path(directory) / "out", Path(directory) / "dims"
        subprocess.run([arguments.program, "-s", ROOT / "tests/dims", "-d", out], check=True, capture_output=True)
        includes = [package / "include", package / "include/torch/csrc/api/include"]
        command = ["c++", "-std=c++20", "-O2", "-I", out / "include", *(f"-isystem{path}" for path in includes)]
        command += [ROOT / "bench/dims.cpp", out / "src/Dims.cpp", "-o", program]
        command += [f"-L{libraries}", "-ltorch", "-ltorch_cpu", "-lc10", f"-Wl,-rpath,{libraries}"]
        subprocess.run(command, check=True)
        subprocess.run([program], check=True)


if __name__ == "__main__":
    main()
