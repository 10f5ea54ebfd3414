"""Times what the libraries of tree IRs, graph IRs and op builders do with trees and graphs of 1,000 to 1,000,000 nodes, and prints the time a node.

    python3 bench/trees.py [--compiler CXX] [--family NAME] [--program FILE] [--largest NODES]

Generates a small family, compiles it with its tests/sizes at -O2, and runs each operation on each shape: from building through
printing and copying to freeing. The figures are nanoseconds of the processor a node, with the ratio of the largest size to 10,000
nodes: caches alone cost a factor of 7. The last column is the memory a node that an operation leaves, in bytes, at 10,000 nodes.
`cargo test --test integration families::` counts the steps of the same operations.
"""

import argparse
import glob
import os
import subprocess
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SIZES = (1_000, 10_000, 100_000, 1_000_000)
# The shapes of each family, in the order of its `Shape`.
SHAPES = {
    "tensor-ir": ("a chain", "a fan", "statements", "blocks in each other"),
    "graph-ir": ("a chain", "a fan", "one weight for all", "one name for all"),
    "op-builders": ("a chain", "a fan"),
}
# What their operations need beside what is always generated.
EMIT = {"graph-ir": ("dot",), "tensor-ir": ("parser",)}


def compiled(family: str, generator: str, compiler: str, directory: str) -> str:
    """The program that times a family."""
    sizes = os.path.join(ROOT, "families", family, "tests/sizes")
    out = os.path.join(directory, family)
    emit = [flag for part in EMIT.get(family, ()) for flag in ("--emit", part)]
    command = [generator, family, "-s", *glob.glob(os.path.join(sizes, "*.yaml")), "-d", out, *emit]
    subprocess.run(command, cwd=ROOT, check=True, stderr=subprocess.DEVNULL)
    program = os.path.join(directory, f"{family}-times")
    sources = sorted(glob.glob(os.path.join(out, "*.cpp"))) + [os.path.join(sizes, "times.cpp")]
    includes = ["-I", out, "-I", sizes, "-I", os.path.join(ROOT, "tests/support/steps")]
    subprocess.run([compiler, "-std=c++17", "-O2", "-DNDEBUG", *includes, *sources, "-o", program], check=True)
    return program


def measured(program: str, shape: int, nodes: int) -> dict[str, tuple[float, float]]:
    """Nanoseconds and bytes a node of each operation."""
    printed = subprocess.run([program, str(shape), str(nodes)], check=True, stdout=subprocess.PIPE, text=True).stdout
    lines = (line.split("\t") for line in printed.splitlines())
    return {name: (float(time), float(memory)) for name, time, memory in lines}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--compiler", default=os.environ.get("CXX", "c++"))
    parser.add_argument("--family", action="append", choices=SHAPES)
    parser.add_argument("--program", help="the program that generates; otherwise it is built")
    parser.add_argument("--largest", type=int, default=SIZES[-1])
    arguments = parser.parse_args()
    generator = arguments.program
    if not generator:
        subprocess.run(["cargo", "build", "--release", "--quiet"], cwd=ROOT, check=True)
        generator = os.path.join(os.environ.get("CARGO_TARGET_DIR", os.path.join(ROOT, "target")), "release", "torchgen-rs")
    sizes = [nodes for nodes in SIZES if nodes <= arguments.largest]
    with tempfile.TemporaryDirectory() as directory:
        for family in arguments.family or SHAPES:
            program = compiled(family, generator, arguments.compiler, directory)
            for number, shape in enumerate(SHAPES[family]):
                columns = [measured(program, number, nodes) for nodes in sizes]
                print(f"\n{family}: {shape}, nanoseconds a node\n")
                print("| | " + " | ".join(f"{nodes:,}" for nodes in sizes) + " | ratio | bytes |")
                print("| --- |" + " --- |" * (len(sizes) + 2))
                for name in columns[0]:
                    times = [column[name][0] for column in columns]
                    ratio = times[-1] / max(times[min(1, len(times) - 1)], 1.0)
                    figures = " | ".join(f"{time:,.0f}" for time in times)
                    print(f"| {name} | {figures} | {ratio:.1f} | {columns[min(1, len(times) - 1)][name][1]:,.0f} |")


if __name__ == "__main__":
    main()
