#!/usr/bin/env python3
"""Libraries on the stable ABI beside those on libtorch's C++ API: what a call costs, and what a
source costs to compile, as ratios.

    python bench/stable.py --program target/release/torchgen-rs

The Python must be able to import torch. Times of calls are medians of alternating runs. The functions
of torch.library.custom_op must not return their argument, so they make a tensor.
"""

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent / "stable"

# Prints the seconds of one call of each operator, in a process of its own: both libraries define
# the same names.
CALLS = """
import sys, time, torch
kind, library = sys.argv[1:]
if kind == "custom_op":
    @torch.library.custom_op("calls::nop", mutates_args=())
    def nop(self: torch.Tensor) -> torch.Tensor:
        return self.new_empty(0)
    @torch.library.custom_op("calls::five", mutates_args=())
    def five(self: torch.Tensor, a: int, b: float, c: bool, d: torch.Tensor | None = None) -> torch.Tensor:
        return self.new_empty(0)
else:
    torch.ops.load_library(library)
torch.set_num_threads(1)
x = torch.ones(1)
nop, five = torch.ops.calls.nop.default, torch.ops.calls.five.default
for call in (lambda: nop(x), lambda: five(x, 1, 2.0, True)):
    for _ in range(2000):
        call()
    start = time.perf_counter()
    for _ in range(20000):
        call()
    print((time.perf_counter() - start) / 20000)
"""


def compile_seconds(command):
    """The processor's time of a command."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=Path, default=Path("target/release/torchgen-rs"))
    parser.add_argument("--runs", type=int, default=5)
    args = parser.parse_args()
    site = subprocess.run(
        [sys.executable, "-c", "import torch; print(torch.__path__[0])"], check=True, capture_output=True, text=True
    )
    torch = Path(site.stdout.strip())
    compiler = os.environ.get("CXX", "c++")
    with tempfile.TemporaryDirectory() as work:
        libraries, compiled = {}, {}
        for abi in ("unstable", "stable"):
            out = Path(work) / abi
            generate = [args.program, "-s", HERE, "-d", out, "--abi", abi, "--generate", "headers", "sources"]
            subprocess.run(generate, check=True, capture_output=True)
            flags = [compiler, "-std=c++20", "-O2", "-fPIC", f"-isystem{torch}/include", f"-I{out}/include"]
            flags.append(f"-isystem{torch}/include/torch/csrc/api/include")
            if abi == "stable":
                flags.append("-DTORCH_TARGET_VERSION=0x020a000000000000")
            objects = []
            for source in [*sorted(out.glob("src/*.cpp")), HERE / f"{abi}.cpp"]:
                objects.append(out / f"{source.stem}.o")
                seconds = compile_seconds([*flags, "-c", source, "-o", objects[-1]])
                if source.stem == "RegisterCPU":
                    compiled[abi] = seconds
            libraries[abi] = out / "libcalls.so"
            link = [compiler, "-shared", *objects, f"-L{torch}/lib", "-ltorch_cpu", "-lc10", "-o", libraries[abi]]
            subprocess.run(link, check=True)
        calls = {kind: [] for kind in ("unstable", "stable", "custom_op")}
        for _ in range(args.runs):
            for kind, seconds in calls.items():
                run = [sys.executable, "-W", "ignore", "-c", CALLS, kind, str(libraries.get(kind, ""))]
                said = subprocess.run(run, check=True, capture_output=True, text=True).stdout
                seconds.append([float(line) for line in said.split()])
    medians = {kind: [statistics.median(column) for column in zip(*seconds)] for kind, seconds in calls.items()}
    for name, at in (("one argument", 0), ("five arguments", 1)):
        stable, base, python = (medians[kind][at] for kind in ("stable", "unstable", "custom_op"))
        print(
            f"{name}: stable {stable * 1e6:.2f} us, {stable / base:.2f} of the C++ API,"
            f" {stable / python:.2f} of torch.library.custom_op"
        )
    print(f"RegisterCPU.cpp: {compiled['stable']:.1f} s to compile, {compiled['stable'] / compiled['unstable']:.2f}")


if __name__ == "__main__":
    main()
