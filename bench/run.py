"""Times torchgen-rs and the reference side by side, as whole processes, and prints their ratios.

    python3 bench/run.py [--runs N] [CASE ...]

Fetches the reference as the conformance suite does (and shares its download), builds the release binary,
and runs both in turn: one uncounted run each, then N of each (default 5). Wall time, user time, system time
and peak memory are the operating system's figures for the finished process. The tables show medians; a
ratio is the median of the ratios of pairs, for memory the ratio of the medians. Every run writes to an
empty directory, except in the cases `unchanged` and `one-operator-warm`; earlier trees are moved away and
deleted at the end.

The second table compares each run with two floors, measured in the same turn:

* bare write: a loop of `open`, `write` and `close` that writes the same bytes to the same files of an empty
  directory;
* same engine: `bench/engine_floor.rs`, the engine alone. It makes as many renders as the run does
  (`--timings` counts them), on as many threads, from a prepared value, of a template that yields the run's
  mean number of bytes. This estimates the cost of the templates by themselves: the run's own views cannot
  be kept, and its templates differ in loops and conditions.
"""

import argparse
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import typing

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ATEN = "-s torchgen/packaged/ATen -d out --aoti-install-dir out/aoti"
AUTOGRAD = (
    "--native-functions-path torchgen/packaged/ATen/native/native_functions.yaml --tags-path torchgen/packaged/ATen/native/tags.yaml "
    "--autograd-dir torchgen/packaged/autograd --install-dir out"
)
STUBS = f"-s {ROOT}/tests/conformance/backend/everything.yaml -o out"
# As many operators as torch_musa's YAML lists.
STUBS_1200 = f"-s {ROOT}/target/bench/backend_1200.yaml -o out"
WRAPPERS = f"-s {ROOT}/families/wrappers/example -d out --all --mock"
DECLARATIONS = "--declarations declared/Declarations.yaml --registration declared/RegistrationDeclarations.h"
GEN = "-m torchgen.gen"
DRIVER = "reference_autograd.py"
# name: (our arguments, the reference's arguments if it can do this, keep the tree of the previous run; or our
# arguments that make the tree before each run)
CASES = {
    "aten": (f"generate {ATEN}", f"{GEN} {ATEN}", False),
    "per-operator": (f"generate {ATEN} --per-operator-headers", f"{GEN} {ATEN} --per-operator-headers", False),
    "autograd": (f"autograd {AUTOGRAD}", f"{DRIVER} autograd {AUTOGRAD}", False),
    "aten+autograd": (
        f"generate {ATEN} --generate headers sources declarations_yaml autograd python "
        "--autograd-dir torchgen/packaged/autograd --autograd-install-dir out/autograd",
        f"{GEN} {ATEN} && {DRIVER} autograd {AUTOGRAD}/autograd",
        False,
    ),
    "one-operator": (
        f"generate {ATEN} --op-registration-whitelist aten::add --backend-whitelist CPU",
        f"{GEN} {ATEN} --op-registration-whitelist aten::add --backend-whitelist CPU",
        False,
    ),
    # The same where all operators were generated before; the reference has no use for that.
    "one-operator-warm": (
        f"generate {ATEN} --op-registration-whitelist aten::add --backend-whitelist CPU",
        f"{GEN} {ATEN} --op-registration-whitelist aten::add --backend-whitelist CPU",
        f"generate {ATEN}",
    ),
    # A backend with a kernel for every operator of PyTorch.
    "backend-stubs": (f"backend-stubs {STUBS}", f"-m torchgen.gen_backend_stubs {STUBS}", False),
    "backend-stubs-1200": (f"backend-stubs {STUBS_1200}", f"-m torchgen.gen_backend_stubs {STUBS_1200}", False),
    "unchanged": (f"generate {ATEN}", f"{GEN} {ATEN}", True),
    # The reference has no such command; the nearest equivalent is to generate everything.
    "check": ("check -s torchgen/packaged/ATen --autograd-dir torchgen/packaged/autograd", None, False),
    # All declarations of PyTorch through the report, from native_functions.yaml, and from the two files of PyTorch's build.
    "wrappers": (f"wrappers {WRAPPERS} --torch-path torchgen", None, False),
    "wrappers-declarations": (f"wrappers {WRAPPERS} {DECLARATIONS}", None, False),
    "wrappers-unchanged": (f"wrappers {WRAPPERS} --torch-path torchgen", None, True),
    "dry-run": (f"generate {ATEN} --dry-run -o out/generated.cmake", f"{GEN} {ATEN} --dry-run -o out/generated.cmake", False),
}


def reference_dir() -> str:
    """The directory of the wheel's files, fetched if necessary with the conformance suite's pin."""
    with open(os.path.join(ROOT, "tests/conformance/configurations.yaml"), encoding="utf-8") as file:
        text = file.read()
    pin, name, sha256 = (re.search(rf"^  {key}: (.*)$", text, re.M).group(1) for key in ("pin", "file", "sha256"))
    requirements = re.search(r"^  requirements: \[(.*)\]$", text, re.M).group(1).split(", ")
    directory = os.environ.get("TORCHGEN_CONFORMANCE_DIR", os.path.join(ROOT, "target/conformance"))
    os.makedirs(directory, exist_ok=True)
    fetch = os.path.join(ROOT, "tests/conformance/fetch.py")
    subprocess.run([sys.executable, fetch, directory, "all", pin, name, sha256, *requirements], check=True)
    return os.path.join(directory, f"unpacked-{sha256[:12]}")


def backend_yaml() -> None:
    """Writes the YAML of a backend with kernels for 1,200 operators: the first that everything.yaml lists.

    Two are left out: their out= variants return nothing, so that nobody can make them from the functional ones alone.
    """
    with open(os.path.join(ROOT, "tests/conformance/backend/everything.yaml"), encoding="utf-8") as file:
        lines = file.read().splitlines(keepends=True)
    kept, listed = [], 0
    for line in lines:
        if line.strip() in ("- _cudnn_rnn_backward", "- miopen_rnn_backward"):
            continue
        is_operator = line.lstrip().startswith("- ")
        listed += is_operator
        if not is_operator or listed <= 1200:
            kept.append(line)
    assert listed >= 1200, listed
    os.makedirs(os.path.join(ROOT, "target/bench"), exist_ok=True)
    with open(os.path.join(ROOT, "target/bench/backend_1200.yaml"), "w", encoding="utf-8") as file:
        file.writelines(kept)


def build() -> str:
    """Builds the release binary and returns its path."""
    subprocess.run(["cargo", "build", "--release", "--quiet"], cwd=ROOT, check=True)
    return os.path.join(ROOT, "target/release/torchgen-rs")


class Figure(typing.NamedTuple):
    """Seconds and megabytes of one run."""

    wall: float
    user: float
    system: float
    memory: float


def measure(command: list[str], cwd: str, environment: dict[str, str]) -> Figure:
    with tempfile.TemporaryFile() as output:
        started = time.perf_counter()
        process = subprocess.Popen(command, cwd=cwd, env=environment, stdout=output, stderr=subprocess.STDOUT)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - started
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            output.seek(0)
            sys.exit(f"{' '.join(command)} ended with {process.returncode}:\n{output.read().decode()}")
    return Figure(wall, usage.ru_utime, usage.ru_stime, usage.ru_maxrss / 1024)


def files(directory: str) -> typing.Iterator[os.DirEntry]:
    for entry in os.scandir(directory):
        if entry.is_dir(follow_symlinks=False):
            yield from files(entry.path)
        else:
            yield entry


def bare_write(tree: str, directory: str) -> float:
    """The seconds to write the bytes of a tree to the files of a new one, and nothing else."""
    texts = []
    for entry in files(tree):
        with open(entry.path, "rb") as file:
            texts.append((os.path.join(directory, os.path.relpath(entry.path, tree)), file.read()))
    started = time.perf_counter()
    for path in dict.fromkeys(os.path.dirname(path) for path, _ in texts):
        os.makedirs(path, exist_ok=True)
    for path, text in texts:
        file = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666)
        os.write(file, text)
        os.close(file)
    return time.perf_counter() - started


def engine_floor(timings: dict) -> float:
    """The seconds that the engine alone takes for the number of renders and bytes of the run."""
    rendered = timings["rendered"]
    if not rendered["texts"]:
        return 0.0
    command = ["cargo", "bench", "--quiet", "--bench", "engine_floor", "--", str(rendered["texts"]), str(rendered["bytes"])]
    done = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True)
    return float(done.stdout)


def bench(name: str, unpacked: str, binary: str, runs: int, with_engine: bool) -> tuple[str, str]:
    """The case's rows in the two tables."""
    ours, reference, keep = CASES[name]
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join([unpacked, os.path.join(unpacked, "site")]))
    with tempfile.TemporaryDirectory(dir=os.path.join(ROOT, "target")) as scratch:
        sides = {}
        # Several runs of the reference are one process tree; the shell reports their sum.
        script = " && ".join(f"{sys.executable} {part}" for part in (reference or "").split(" && "))
        for side, command in (("ours", [binary, *ours.split()]), ("reference", ["sh", "-c", script if reference else "exit 0"])):
            directory = os.path.join(scratch, side)
            os.mkdir(directory)
            shutil.copytree(os.path.join(unpacked, "torchgen"), os.path.join(directory, "torchgen"))
            shutil.copy(os.path.join(ROOT, "tests/conformance", DRIVER), directory)
            if DECLARATIONS in ours:
                declare = [binary, "declarations", "-s", "torchgen/packaged/ATen", "-d", "declared"]
                subprocess.run(declare, cwd=directory, check=True, stderr=subprocess.DEVNULL)
            sides[side] = (command, directory, [])
        floors = []
        for run in range(runs + 1):
            for side, (command, directory, figures) in sides.items():
                out = os.path.join(directory, "out")
                if os.path.exists(out) and keep is not True:
                    # Deleted at the end: otherwise the file system would still be busy with it in the next run.
                    os.rename(out, f"{out}-{run}")
                if isinstance(keep, str) and side == "ours":
                    subprocess.run([binary, *keep.split()], cwd=directory, check=True, stderr=subprocess.DEVNULL)
                figure = measure(command, directory, environment)
                if run:
                    figures.append(figure)
                if side == "ours" and run and not keep and os.path.exists(out):
                    # In a separate process: the system counts this process's memory in the peak of its children.
                    script = [sys.executable, __file__, "--bare-write", out, os.path.join(directory, f"floor-{run}")]
                    floors.append(float(subprocess.run(script, check=True, stdout=subprocess.PIPE, text=True).stdout))
        command, directory, figures = sides["ours"]
        if keep is not True and os.path.exists(os.path.join(directory, "out")):
            os.rename(os.path.join(directory, "out"), os.path.join(directory, "out-last"))
        if isinstance(keep, str):
            subprocess.run([binary, *keep.split()], cwd=directory, check=True, stderr=subprocess.DEVNULL)
        counted = subprocess.run(
            [*command, "--timings", "--message-format", "json"], cwd=directory, check=True, stderr=subprocess.PIPE, text=True
        )
        (timings,) = (json.loads(line)["timings"] for line in counted.stderr.splitlines() if line.startswith('{"timings"'))
        theirs = sides["reference"][2]
    mine, other = (Figure(*map(statistics.median, zip(*column))) for column in (figures, theirs))
    ratio = Figure(*(statistics.median(slow[i] / max(fast[i], 1e-3) for fast, slow in zip(figures, theirs)) for i in range(4)))

    def cells(f: Figure) -> str:
        return f"{f.wall:.3f} s, {f.user:.3f} s user, {f.system:.3f} s system, {f.memory:.0f} MB"

    share = mine.memory / other.memory
    if reference is None:
        return f"| {name} | - | {cells(mine)} | - | - | - |", f"| {name} | {mine.wall:.3f} s | - | - | - | - |"
    main = f"| {name} | {cells(other)} | {cells(mine)} | {ratio.wall:.0f}x | {ratio.user:.0f}x | {share:.2f} |"
    written, engine = statistics.median(floors) if floors else 0.0, engine_floor(timings) if with_engine else 0.0
    of = [f"{floor:.3f} s | {mine.wall / floor:.1f}x" if floor else "- | -" for floor in (written, engine)]
    return main, f"| {name} | {mine.wall:.3f} s | {of[0]} | {of[1]} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--no-engine", action="store_true", help="leave out what the engine alone takes, which is compiled for minutes at first")
    parser.add_argument("cases", nargs="*", metavar="CASE", help=f"one or more of: {', '.join(CASES)} (default: all)")
    parser.add_argument("--bare-write", nargs=2, metavar=("TREE", "DIR"), help="only write the files of a tree again, and print seconds")
    options = parser.parse_args()
    if options.bare_write:
        print(bare_write(*options.bare_write))
        return
    unknown = [name for name in options.cases if name not in CASES]
    if unknown:
        parser.error(f"no case is called {', '.join(unknown)}")
    binary = build()
    backend_yaml()
    unpacked = reference_dir()
    print("| run | reference | torchgen-rs | wall | user | memory |\n| --- | --- | --- | --- | --- | --- |")
    floors = []
    for name in options.cases or CASES:
        row, floor = bench(name, unpacked, binary, options.runs, not options.no_engine)
        print(row, flush=True)
        floors.append(floor)
    print("\n| run | torchgen-rs | bare write | ratio | same engine | ratio |\n| --- | --- | --- | --- | --- | --- |")
    print("\n".join(floors))


if __name__ == "__main__":
    main()
