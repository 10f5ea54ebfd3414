#!/usr/bin/env python3
"""Counts the C++ files that a build of a library compiles: all at first, and those that an edit makes stale.

    python3 bench/loop.py                 compares the counts with bench/loop.tsv: CI runs it
    python3 bench/loop.py --record        writes bench/loop.tsv
    python3 bench/loop.py --compile DIR   compiles the files with the torch whose `include` is DIR, links them, and
                                          calls an operator: processor seconds, and the compiler's peak memory
    python3 bench/loop.py --program FILE  another torchgen-rs

Libraries have 3 operators (those of `torchgen-rs new`), 5 of mixed kinds, and 40, on each ABI. Edits are to the
body of a kernel, a default, a formula, and a new operator with its kernel. A file is stale if it changed, or a
header that it includes did. The same is counted for libraries that are written by hand (bench/by_hand.py), whose
operators are the mixed kinds. With `--pch`, the headers that cmake/TorchgenRsConfig.cmake precompiles on demand are
precompiled first, for generated sources on libtorch's C++ API. Counts do not depend on the machine; seconds do, so compare
them in one run: each row of seconds has those of a file for calibration.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from by_hand import ByHand

ROOT = pathlib.Path(__file__).resolve().parent.parent
RECORDS = ROOT / "bench/loop.tsv"
EDITS = ["first build", "a kernel", "a default", "a formula", "a new operator"]
PRECOMPILED = [
    "ATen/core/Tensor.h",
    "ATen/FunctionalTensorWrapper.h",
    "ATen/TensorOperators.h",
    "ATen/native/Resize.h",
    "torch/csrc/autograd/VariableTypeUtils.h",
    "torch/csrc/autograd/autograd_not_implemented_fallback.h",
    "torch/library.h",
]
# The kernel of op0 is a skeleton: a call that reaches it has passed through all that is around kernels.
TEST = """
import sys, torch
torch.ops.load_library(sys.argv[1])
name = "op0" if hasattr(torch.ops.mine, "op0") else "squared_relu"
try:
    torch.ops.mine.__getattr__(name)(torch.ones(2))
except Exception as error:
    assert "op0_cpu" in str(error), error
"""


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


class Compiler:
    """The compiler, with the torch whose headers are in a directory."""

    def __init__(self, torch: pathlib.Path, python: pathlib.Path, generated: str, scratch: pathlib.Path) -> None:
        self.torch, self.python, self.generated, self.scratch = torch, python, generated, scratch
        self.flags = [os.environ.get("CXX", "g++"), "-std=c++20", "-DNDEBUG", "-fPIC", "-isystem", str(torch)]

    def spent(self, command: list[str]) -> tuple[float, int]:
        """Processor seconds of a command, and its peak memory in MB."""
        child = subprocess.Popen(command)
        _, status, usage = os.wait4(child.pid, 0)
        if status:
            sys.exit(f"{' '.join(command)} failed")
        return usage.ru_utime + usage.ru_stime, usage.ru_maxrss // 1024

    def precompiled(self) -> float:
        """Precompiles headers, and includes them from then on."""
        header = self.scratch / "precompiled.h"
        names = "".join(f"#include <{name}>\n" for name in PRECOMPILED)
        header.write_text(f"#define AT_PER_OPERATOR_HEADERS\n{names}#undef AT_PER_OPERATOR_HEADERS\n")
        seconds, _ = self.spent([*self.flags, "-O2", "-x", "c++-header", "-o", f"{header}.gch", str(header)])
        return seconds

    def compiled(self, library: "Library | ByHand", sources: list[pathlib.Path], pch: bool) -> tuple[float, int]:
        """Processor seconds of all, and the largest peak memory."""
        total, peak = 0.0, 0
        objects = library.root / "objects"
        objects.mkdir(exist_ok=True)
        for source in sources:
            flags = [f"-I{library.root}/out/include", f"-I{library.root}"]
            flags.append(self.generated if source.parent.name == "src" else "-O2")
            if library.abi == "stable":
                flags.append("-DTORCH_TARGET_VERSION=0x020a000000000000")
            elif pch and source.parent.name == "src":
                flags += ["-include", str(self.scratch / "precompiled.h")]
            seconds, memory = self.spent([*self.flags, *flags, "-c", "-o", str(objects / f"{source.stem}.o"), str(source)])
            total, peak = total + seconds, max(peak, memory)
        return total, peak

    def tested(self, library: "Library | ByHand") -> tuple[float, int]:
        """Processor seconds to link the library and to call an operator, and its size in kB."""
        lib, shared = self.torch.parent / "lib", library.root / "libmine.so"
        names = ["-ltorch_cpu"] if library.abi == "stable" else ["-ltorch_cpu", "-ltorch", "-lc10"]
        objects = sorted(map(str, (library.root / "objects").glob("*.o")))
        link, _ = self.spent([self.flags[0], "-shared", "-o", str(shared), *objects, f"-L{lib}", f"-Wl,-rpath,{lib}", *names])
        test, _ = self.spent([str(self.python), "-c", TEST, str(shared)])
        return link + test, shared.stat().st_size // 1024

    def calibration(self) -> float:
        """Processor seconds of a file that only includes torch/library.h."""
        source = self.scratch / "library.cpp"
        source.write_text("#include <torch/library.h>\n")
        return self.spent([*self.flags, "-O2", "-c", "-o", "/dev/null", str(source)])[0]


def edited(library: "Library | ByHand", compiler: "Compiler | None", pch: bool, title: str) -> list[int]:
    """The number of files that each edit makes stale. Prints what they cost."""
    counts = []
    before: dict[pathlib.Path, str] = {}
    for edit in EDITS:
        if before:
            library.edit(edit)
        now = library.generate()
        sources = stale(before, now)
        before = now
        counts.append(len(sources))
        cost = ""
        if compiler:
            first = compiler.precompiled() if pch and library.abi == "unstable" and edit == EDITS[0] else 0.0
            seconds, peak = compiler.compiled(library, sources, pch)
            tested, size = compiler.tested(library)
            cost = f", {first + seconds:.1f} s to compile, {first + seconds + tested:.1f} s until the test has passed"
            cost += f", {peak} MB, library {size} kB; torch/library.h alone: {compiler.calibration():.1f} s"
        print(f"{title}, {edit}: {len(sources)} files{cost}", flush=True)
    return counts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--record", action="store_true")
    parser.add_argument("--compile", type=pathlib.Path, metavar="DIR")
    parser.add_argument("--python", type=pathlib.Path, default=pathlib.Path(sys.executable), help="one that has this torch")
    parser.add_argument("--pch", action="store_true")
    parser.add_argument("--no-hand", action="store_true", help="without the libraries that are written by hand")
    parser.add_argument("--generated", default="-O2", help="how generated sources are optimized")
    parser.add_argument("--program", type=pathlib.Path)
    parser.add_argument("--operators", type=int, nargs="*", default=[3, 5, 40])
    parser.add_argument("--abi", nargs="*", default=["unstable", "stable"])
    options = parser.parse_args()
    target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    program = (options.program or target / "debug/torchgen-rs").resolve()
    rows = []
    for abi in options.abi:
        for operators in options.operators:
            with tempfile.TemporaryDirectory() as place:
                scratch = pathlib.Path(place)
                compiler = options.compile and Compiler(options.compile, options.python, options.generated, scratch)
                title = f"{abi} ABI, {operators} operators"
                own = edited(Library(program, scratch / "own/mine", operators, abi), compiler, options.pch, title)
                if options.no_hand:
                    continue
                hand = edited(ByHand(scratch / "hand", operators, abi), compiler, options.pch, f"{title}, by hand")
                rows += [f"{abi}\t{operators}\t{edit}\t{n}\t{m}\n" for edit, n, m in zip(EDITS, own, hand)]
    text = "# ABI\toperators\tedit\tfiles\tby hand: what bench/loop.py counts\n" + "".join(rows)
    if options.record:
        RECORDS.write_text(text)
    elif not options.compile and not options.program and RECORDS.read_text() != text:
        sys.exit("the counts differ from bench/loop.tsv: find the reason, or record them with `--record`")


if __name__ == "__main__":
    main()
