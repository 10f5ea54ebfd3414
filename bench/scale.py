"""Shows how time and memory grow with the number of operators: copies PyTorch's operators under new names.

    python3 bench/scale.py [--runs N] [--factors 1,2,4,8,16]
    python3 bench/scale.py --write N SOURCE DIR     only copies an ATen source path, with N times the operators

A copy of an operator has the prefix `xN_` in its name and in the names that its entry refers to, so that
copies form groups like the originals. A few operators are not copied, because rules accept them by name.
The table shows the time and memory of one run of `generate` for each factor; the last columns show them
per operator, relative to factor 1.
"""

import argparse
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

import run

NAME = r"[A-Za-z_][A-Za-z0-9_]*"
# A name after `func:` or `structured_delegate:`, and each of the names after `autogen:`.
SINGLE = re.compile(rf"^(- func: |  structured_delegate: )({NAME})", re.M)
# Operators that rules handle by their name.
BY_NAME = (
    "__", "resize_", "set_", "bernoulli_", "polygamma_", "_fill_mem_eff_dropout_mask_", "split_with_sizes", "unbind", "chunk", "split.",
    "_flash_attention_forward_no_dropout_inplace", "_cudnn_attention_forward_no_dropout_inplace",
    "adaptive_avg_pool3d_backward.grad_input", "_slow_conv2d_backward.grad_input",
)  # fmt: skip
# Those, and operators with Python keywords as arguments, views with several outputs, and operators that
# do not return a tensor.
ONE_OF_A_KIND = re.compile(
    rf"- func: ({'|'.join(map(re.escape, BY_NAME))}|[^\n]* from[,)=]|[^\n]*->(?![^\n]*Tensor)|[^\n]*-> Tensor\(a\)\[\])"
)
AUTOGEN = re.compile(r"^(  autogen: )(.*)$", re.M)


def multiplied(text: str, factor: int) -> str:
    """The text of native_functions.yaml with its operators and factor - 1 copies of them."""
    start = text.index("- func:")
    entries = re.split(r"^(?=- func:)", text[start:], flags=re.M)
    entries = [entry for entry in entries if entry and not ONE_OF_A_KIND.match(entry)]
    copies = [text]
    for number in range(2, factor + 1):
        prefix = f"x{number}_"
        copy = SINGLE.sub(rf"\g<1>{prefix}\2", "".join(entries))
        copy = AUTOGEN.sub(lambda found: found[1] + ", ".join(prefix + name.strip() for name in found[2].split(",")), copy)
        copies.append(copy)
    return "\n".join(copies)


def write(factor: int, source: str, into: str) -> None:
    """Copies an ATen source path, with `factor` times the operators."""
    shutil.copytree(os.path.join(source, "templates"), os.path.join(into, "templates"))
    native = os.path.join(into, "native")
    os.makedirs(native)
    shutil.copy(os.path.join(source, "native/tags.yaml"), native)
    with open(os.path.join(source, "native/native_functions.yaml"), encoding="utf-8") as file:
        text = multiplied(file.read(), factor)
    with open(os.path.join(native, "native_functions.yaml"), "w", encoding="utf-8") as file:
        file.write(text)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--factors", default="1,2,4,8,16")
    parser.add_argument("--write", nargs=3, metavar=("N", "SOURCE", "DIR"))
    options = parser.parse_args()
    if options.write:
        factor, source, into = options.write
        write(int(factor), source, into)
        return
    binary = run.build()
    source = os.path.join(run.reference_dir(), "torchgen/packaged/ATen")
    print("| operators | wall | CPU | peak memory | output | wall per operator | CPU | memory |\n| --- | --- | --- | --- | --- | --- | --- | --- |")
    first = None
    for factor in map(int, options.factors.split(",")):
        with tempfile.TemporaryDirectory(dir=os.path.join(run.ROOT, "target")) as scratch:
            path = os.path.join(scratch, "ATen")
            write(factor, source, path)
            with open(os.path.join(path, "native/native_functions.yaml"), encoding="utf-8") as file:
                operators = len(re.findall(r"^- func:", file.read(), flags=re.M))
            figures = []
            for number in range(options.runs + 1):
                out = f"out-{number}"
                command = [binary, "generate", "-s", path, "-d", out, "--aoti-install-dir", f"{out}/aoti"]
                figure = run.measure(command, scratch, dict(os.environ))
                if number:
                    figures.append((figure.wall, figure.user + figure.system, figure.memory))
            size = sum(entry.stat().st_size for entry in run.files(os.path.join(scratch, "out-0")))
        median = [statistics.median(column) for column in zip(*figures)]
        each = [figure / operators for figure in median]
        first = first or each
        wall, cpu, memory = median
        growth = " | ".join(f"{now / then:.2f}x" for now, then in zip(each, first))
        print(f"| {operators} | {wall:.3f} s | {cpu:.3f} s | {memory:.0f} MB | {size / 1e6:.0f} MB | {growth} |", flush=True)


if __name__ == "__main__":
    sys.exit(main())
