#!/usr/bin/env python3
"""Counts the C++ files that a build of a library compiles: all at first, and those that an edit makes stale.

    python3 bench/loop.py                 compares the counts with bench/loop.tsv: CI runs it
    python3 bench/loop.py --record        writes bench/loop.tsv
    python3 bench/loop.py --compile DIR   compiles the files with the torch whose `include` is DIR: processor
                                          seconds and peak memory, beside those of one file for calibration
    python3 bench/loop.py --program FILE  another torchgen-rs

Libraries have 3 operators (those of `torchgen-rs new`), 5 of mixed kinds, and 40, on each ABI. Edits are to the
body of a kernel, a default, a formula, and a new operator with its kernel. A file is stale if it changed, or a
header that it includes did. Counts do not depend on the machine; seconds do, so compare them in one run.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
RECORDS = ROOT / "bench/loop.tsv"
EDITS = ["first build", "a kernel", "a default", "a formula", "a new operator"]


def mixed(count: int) -> tuple[str, str]:
    """The YAML of operators of several kinds, and their derivatives."""
    functions, derivatives = [], []
    for at in range(count):
        name = f"mine::op{at}"
        scaled = f"{name}(Tensor self, float scale=1.0) -> Tensor"
        kernel = f"  dispatch: {{CPU: op{at}_cpu}}\n  fake: like(self)\n"
        if at % 5 == 0:
            functions.append(f"- func: {scaled}\n{kernel}")
            derivatives.append(f"- name: {scaled}\n  self: grad * scale\n")
        elif at % 5 == 1:
            functions.append(f"- func: {name}(Tensor(a!) self, float scale=1.0) -> ()\n  dispatch: {{CPU: op{at}_cpu}}\n")
        elif at % 5 == 2:
            functions.append(f"- func: {name}(Tensor self, Tensor? weight=None) -> Tensor\n{kernel}")
        elif at % 5 == 3:
            functions.append(f"- func: {name}(Tensor self, Tensor[] others) -> Tensor\n{kernel}")
        else:
            functions.append(f"- func: {name}(Tensor self, Tensor other) -> Tensor\n{kernel}")
            derivatives.append(f"- name: {name}(Tensor self, Tensor other) -> Tensor\n  self: grad * other\n  other: grad * self\n")
    return "".join(functions), "".join(derivatives)


class Library:
    """A library in a directory of its own."""

    def __init__(self, program: pathlib.Path, root: pathlib.Path, operators: int, abi: str) -> None:
        self.program, self.root, self.abi = program, root, abi
        self.yaml, self.derivatives = root / "native_functions.yaml", root / "derivatives.yaml"
        if operators == 3:
            self.run("new", str(root), "--namespace", "mine", "--abi", abi)
        else:
            (root / "kernels").mkdir(parents=True)
            functions, derivatives = mixed(operators)
            self.yaml.write_text(functions)
            self.derivatives.write_text(derivatives)
            settings = "abi: stable\ntorch_min: '2.10'\n" if abi == "stable" else "abi: unstable\n"
            (root / "library.yaml").write_text(settings)
            self.write_kernels()

    def run(self, *words: str) -> str:
        done = subprocess.run([self.program, *words], capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"{' '.join(words)}:\n{done.stdout}{done.stderr}")
        return done.stdout

    def write_kernels(self) -> None:
        """One source for each kernel that has none."""
        self.run("kernels", "-s", str(self.root), "--sources", str(self.root / "kernels"), "--write")

    def generate(self) -> dict[pathlib.Path, str]:
        """All C++ files, with their texts."""
        kernels = ["--kernels", str(self.root / "kernels")]
        self.run("generate", "-s", str(self.root), "-d", str(self.root / "out"), "--per-operator-headers", *kernels)
        for kernel in (self.root / "kernels").glob("*.cpp"):
            own = f"mine/ops/{kernel.stem}_native.h"
            if (self.root / "out/include" / own).exists():
                changed(kernel, "mine/NativeFunctions.h", own, 1)
        files = [*(self.root / "out").rglob("*"), *(self.root / "kernels").rglob("*")]
        return {path: path.read_text() for path in files if path.suffix in (".h", ".cpp")}

    def edit(self, edit: str) -> None:
        if edit == "a kernel":
            source = sorted((self.root / "kernels").glob("*.cpp"))[0]
            source.write_text(source.read_text() + "// changed\n")
        elif edit == "a default":
            changed(self.yaml, r"(float \w+=)([\d.]+)", r"\g<1>0.75", 1)
            changed(self.derivatives, r"(float \w+=)([\d.]+)", r"\g<1>0.75", 1)
        elif edit == "a formula":
            changed(self.derivatives, r"(?m)^(  \w+: )(grad .*)$", r"\1\2 * 1", 1)
        else:
            with self.yaml.open("a") as file:
                file.write("- func: mine::one_more(Tensor self) -> Tensor\n  dispatch: {CPU: one_more_cpu}\n  fake: like(self)\n")
            self.write_kernels()


def changed(path: pathlib.Path, pattern: str, new: str, count: int) -> None:
    path.write_text(re.sub(pattern, new, path.read_text(), count=count))


def included(files: dict[pathlib.Path, str], path: pathlib.Path) -> set[pathlib.Path]:
    """The file, and those of the library that it includes."""
    by_name = {str(file).rsplit("/include/", 1)[1]: file for file in files if "/include/" in str(file)}
    found, new = {path}, [path]
    while new:
        for name in re.findall(r'^\s*#include [<"]([^>"]+)[>"]', files[new.pop()], re.M):
            file = by_name.get(name)
            if file and file not in found:
                found.add(file)
                new.append(file)
    return found


def stale(before: dict[pathlib.Path, str], now: dict[pathlib.Path, str]) -> list[pathlib.Path]:
    differs = {path for path, text in now.items() if before.get(path) != text}
    sources = [path for path in now if path.suffix == ".cpp"]
    return sorted(path for path in sources if included(now, path) & differs)


def compiled(library: Library, sources: list[pathlib.Path], include: pathlib.Path) -> tuple[float, int]:
    """Processor seconds of all, and the largest peak memory in MB."""
    seconds, peak = 0.0, 0
    for source in sources:
        flags = ["-std=c++20", "-O2", "-DNDEBUG", "-fPIC", "-c", "-o", "/dev/null", f"-I{library.root}/out/include", f"-I{library.root}"]
        if library.abi == "stable":
            flags.append("-DTORCH_TARGET_VERSION=0x020a000000000000")
        child = subprocess.Popen([os.environ.get("CXX", "g++"), *flags, "-isystem", str(include), str(source)])
        _, status, usage = os.wait4(child.pid, 0)
        if status:
            sys.exit(f"{source} does not compile")
        seconds, peak = seconds + usage.ru_utime, max(peak, usage.ru_maxrss // 1024)
    return seconds, peak


def calibration(include: pathlib.Path) -> float:
    """Processor seconds of a file that only includes torch/library.h."""
    with tempfile.TemporaryDirectory() as scratch:
        source = pathlib.Path(scratch) / "library.cpp"
        source.write_text("#include <torch/library.h>\n")
        command = ["g++", "-std=c++20", "-O2", "-c", "-o", "/dev/null", "-isystem", str(include), str(source)]
        _, _, usage = os.wait4(subprocess.Popen(command).pid, 0)
        return usage.ru_utime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--record", action="store_true")
    parser.add_argument("--compile", type=pathlib.Path, metavar="DIR")
    parser.add_argument("--program", type=pathlib.Path)
    parser.add_argument("--operators", type=int, nargs="*", default=[3, 5, 40])
    parser.add_argument("--abi", nargs="*", default=["unstable", "stable"])
    options = parser.parse_args()
    target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    program = (options.program or target / "debug/torchgen-rs").resolve()
    rows = []
    for abi in options.abi:
        for operators in options.operators:
            with tempfile.TemporaryDirectory() as scratch:
                library = Library(program, pathlib.Path(scratch) / "mine", operators, abi)
                before: dict[pathlib.Path, str] = {}
                for edit in EDITS:
                    if before:
                        library.edit(edit)
                    now = library.generate()
                    sources = stale(before, now)
                    before = now
                    rows.append(f"{abi}\t{operators}\t{edit}\t{len(sources)}\n")
                    cost = ""
                    if options.compile:
                        unit = calibration(options.compile)
                        seconds, peak = compiled(library, sources, options.compile)
                        cost = f", {seconds:.1f} s of the processor, {peak} MB; torch/library.h alone: {unit:.1f} s"
                    print(f"{abi} ABI, {operators} operators, {edit}: {len(sources)} files{cost}", flush=True)
    head = "# ABI\toperators\tedit\tfiles: what bench/loop.py counts\n"
    if options.record:
        RECORDS.write_text(head + "".join(rows))
    elif not options.program and RECORDS.read_text() != head + "".join(rows):
        sys.exit("the counts differ from bench/loop.tsv: find the reason, or record them with `--record`")


if __name__ == "__main__":
    main()
