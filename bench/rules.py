"""How long rules take to rewrite a graph, beside the same matchers by hand.

    python bench/rules.py --program target/release/torchgen-rs

It needs a C++ compiler.
"""

import argparse
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RULES = ROOT / "bench/rules"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--program", type=Path, default=ROOT / "target/release/torchgen-rs", help="the torchgen-rs to use")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        out, program = Path(directory) / "out", Path(directory) / "rules"
        subprocess.run([arguments.program, "graph-ir", "-s", RULES / "ir.yaml", "-d", out], check=True, capture_output=True)
        sources = sorted(out.glob("*.cpp"))
        subprocess.run(["c++", "-std=c++17", "-O2", "-DNDEBUG", "-I", out, *sources, RULES / "main.cpp", "-o", program], check=True)
        subprocess.run([program], check=True)


if __name__ == "__main__":
    main()
