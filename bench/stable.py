#!/usr/bin/env python3
"""Libraries on the stable ABI beside those on libtorch's C++ API: what a call costs, and what a
source costs to compile, as ratios.

    python bench/stable.py --program target/release/torchgen-rs

The Python must be able to import torch. Times of calls are processor time, medians of alternating
processes, each of which reports the least of many rounds: so other programs disturb them little.
The functions of torch.library.custom_op must not return their argument, so they make a tensor.

A call with gradients on the stable ABI goes through Python: a kernel for Autograd, and a function
with the formulas. "torch" is the least that such a kernel can do: it checks nothing, and calls
torch's functions for the operator, the graph and the saved tensors. The rest is "generated".
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

# Prints the microseconds of calls, in a process of its own: both libraries define the same names.
CALLS = """
import os, sys, time, torch
kind, library, package = sys.argv[1:]
torch.set_num_threads(1)
if kind == "custom_op":
    @torch.library.custom_op("calls::nop", mutates_args=())
    def nop(self: torch.Tensor) -> torch.Tensor:
        return self.new_empty(0)
    @torch.library.custom_op("calls::five", mutates_args=())
    def five(self: torch.Tensor, a: int, b: float, c: bool, d: torch.Tensor | None = None) -> torch.Tensor:
        return self.new_empty(0)
    @torch.library.custom_op("calls::product", mutates_args=())
    def product(self: torch.Tensor, by: torch.Tensor) -> torch.Tensor:
        return self.new_empty(1)
    def saved(ctx, inputs, output):
        ctx.save_for_backward(*inputs)
    def backward(context, grad):
        self, by = context.saved_tensors
        return grad * by, grad * self
    product.register_autograd(backward, setup_context=saved)
elif kind == "unstable":
    torch.ops.load_library(library)
else:
    os.environ["CALLS_LIBRARY"] = library
    sys.path.insert(0, package)
    import calls
    if kind == "least":
        from torch._C import _after_autograd_keyset, _AutoDispatchBelowAutograd
        redispatch = torch.ops.calls.product.default.redispatch
        class Least(torch.autograd.function._SingleLevelFunction):
            @staticmethod
            def forward(context, keys, self, by):
                with _AutoDispatchBelowAutograd():
                    result = redispatch(keys & _after_autograd_keyset, self, by)
                context.save_for_backward(self, by)
                return result
            @staticmethod
            def backward(context, grad):
                self, by = context.saved_tensors
                return None, grad * by, grad * self
        apply = Least.apply
        def kernel(keys, self, by):
            return apply(keys, self, by)
        def plain(keys, self, by):
            return redispatch(keys & _after_autograd_keyset, self, by)
        least = torch.library.Library("calls", "FRAGMENT")
        for name, of in (("least", kernel), ("plain", plain)):
            least.define(name + "(Tensor self, Tensor by) -> Tensor")
            least.impl(name, of, "Autograd", with_keyset=True)
x, grad = torch.ones(1), torch.ones(1)
a, b = torch.ones(1, requires_grad=True), torch.ones(1, requires_grad=True)
if kind == "least":
    product, without = torch.ops.calls.least.default, torch.ops.calls.plain.default
    calls = []
else:
    product = without = torch.ops.calls.product.default
    nop, five = torch.ops.calls.nop.default, torch.ops.calls.five.default
    calls = [lambda: nop(x), lambda: five(x, 1, 2.0, True)]
calls.append(lambda: without(x, x))
calls.append(lambda: product(a, b))
calls.append(lambda: torch.autograd.grad(product(a, b), (a, b), grad))
best = [1.0] * len(calls)
for _ in range(100):
    for at, call in enumerate(calls):
        for _ in range(10):
            call()
        start = time.thread_time()
        for _ in range(200):
            call()
        best[at] = min(best[at], (time.thread_time() - start) / 200)
print(*[one * 1e6 for one in best])
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
            generate = [args.program, "-s", HERE, "-d", out, "--abi", abi]
            subprocess.run(generate, check=True, capture_output=True)
            flags = [compiler, "-std=c++20", "-O2", "-fPIC", f"-isystem{torch}/include", f"-I{out}/include"]
            flags.append(f"-isystem{torch}/include/torch/csrc/api/include")
            if abi == "stable":
                flags.append("-DTORCH_TARGET_VERSION=0x020a000000000000")
            objects = []
            for source in [*sorted(out.glob("src/*.cpp")), HERE / f"{abi}.cpp"]:
                objects.append(out / f"{source.stem}.o")
                seconds = compile_seconds([*flags, "-c", source, "-o", objects[-1]])
                if source.parent.name == "src":
                    compiled[abi] = compiled.get(abi, 0) + seconds
            libraries[abi] = out / "libcalls.so"
            link = [compiler, "-shared", *objects, f"-L{torch}/lib", "-ltorch_cpu", "-lc10", "-o", libraries[abi]]
            subprocess.run(link, check=True)
        libraries["least"] = libraries["stable"]
        calls = {kind: [] for kind in ("unstable", "stable", "least", "custom_op")}
        for _ in range(args.runs):
            for kind, times in calls.items():
                run = [sys.executable, "-W", "ignore", "-c", CALLS, kind, str(libraries.get(kind, ""))]
                run.append(str(Path(work) / "stable/python"))
                said = subprocess.run(run, check=True, capture_output=True, text=True).stdout
                times.append([float(word) for word in said.split()])
    medians = {kind: [statistics.median(column) for column in zip(*times)] for kind, times in calls.items()}
    for name, at in (("one argument", 0), ("five arguments", 1)):
        stable, base, python = (medians[kind][at] for kind in ("stable", "unstable", "custom_op"))
        print(
            f"{name}: stable {stable:.2f} us, {stable / base:.2f} of the C++ API,"
            f" {stable / python:.2f} of torch.library.custom_op"
        )
    for name, at in (("formulas, without gradients", 2), ("with gradients", 3), ("with gradients, and backward", 4)):
        stable, base, python = (medians[kind][at] for kind in ("stable", "unstable", "custom_op"))
        least = medians["least"][at - 2]
        print(
            f"{name}: stable {stable:.2f} us (torch {least:.2f}, generated {stable - least:.2f}),"
            f" C++ API {base:.2f} us, torch.library.custom_op {python:.2f} us"
        )
    print(f"generated sources: {compiled['stable']:.1f} s to compile, {compiled['stable'] / compiled['unstable']:.2f}")


if __name__ == "__main__":
    main()
