"""Times torchgen-rs and the reference side by side, as whole processes, and prints their ratios.

    python3 bench/run.py [--runs N] [CASE ...]

Fetches the reference as the conformance suite does (and shares its download), builds the release binary, and runs both in turn: one
uncounted run each, then N of each (default 5). Wall time, CPU time and peak memory are the operating system's own figures for the finished
process; the table shows medians, and the ratio is the median of the ratios pair by pair. Every run writes to an empty directory but for
the case `unchanged`; trees of runs before are moved away and deleted at the end.
"""

import argparse
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ATEN = "-s torchgen/packaged/ATen -d out --aoti-install-dir out/aoti"
AUTOGRAD = (
    "--native-functions-path torchgen/packaged/ATen/native/native_functions.yaml --tags-path torchgen/packaged/ATen/native/tags.yaml "
    "--autograd-dir torchgen/packaged/autograd --install-dir out"
)
GEN = "-m torchgen.gen"
DRIVER = "reference_autograd.py"
# name: (arguments of ours, arguments of the reference, keep the tree of the run before)
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
    "unchanged": (f"generate {ATEN}", f"{GEN} {ATEN}", True),
    "dry-run": (f"generate {ATEN} --dry-run -o out/generated.cmake", f"{GEN} {ATEN} --dry-run -o out/generated.cmake", False),
}


def reference_dir() -> str:
    """Where the wheel's files are, fetched if need be with the conformance suite's own pin."""
    with open(os.path.join(ROOT, "tests/conformance/configurations.yaml"), encoding="utf-8") as file:
        text = file.read()
    pin, name, sha256 = (re.search(rf"^  {key}: (.*)$", text, re.M).group(1) for key in ("pin", "file", "sha256"))
    requirements = re.search(r"^  requirements: \[(.*)\]$", text, re.M).group(1).split(", ")
    directory = os.environ.get("TORCHGEN_CONFORMANCE_DIR", os.path.join(ROOT, "target/conformance"))
    os.makedirs(directory, exist_ok=True)
    fetch = os.path.join(ROOT, "tests/conformance/fetch.py")
    subprocess.run([sys.executable, fetch, directory, pin, name, sha256, *requirements], check=True)
    return os.path.join(directory, f"unpacked-{sha256[:12]}")


def measure(command: list[str], cwd: str, environment: dict[str, str]) -> tuple[float, float, float]:
    """Wall seconds, CPU seconds and peak megabytes of one run."""
    with tempfile.TemporaryFile() as output:
        started = time.perf_counter()
        process = subprocess.Popen(command, cwd=cwd, env=environment, stdout=output, stderr=subprocess.STDOUT)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - started
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            output.seek(0)
            sys.exit(f"{' '.join(command)} ended with {process.returncode}:\n{output.read().decode()}")
    return wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def bench(name: str, unpacked: str, binary: str, runs: int) -> None:
    ours, reference, keep = CASES[name]
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join([unpacked, os.path.join(unpacked, "site")]))
    with tempfile.TemporaryDirectory(dir=os.path.join(ROOT, "target")) as scratch:
        sides = {}
        # Several runs of the reference are one process tree, whose figures the shell passes on.
        script = " && ".join(f"{sys.executable} {part}" for part in reference.split(" && "))
        for side, command in (("ours", [binary, *ours.split()]), ("reference", ["sh", "-c", script])):
            directory = os.path.join(scratch, side)
            os.mkdir(directory)
            shutil.copytree(os.path.join(unpacked, "torchgen"), os.path.join(directory, "torchgen"))
            shutil.copy(os.path.join(ROOT, "tests/conformance", DRIVER), directory)
            sides[side] = (command, directory, [])
        for run in range(runs + 1):
            for command, directory, figures in sides.values():
                out = os.path.join(directory, "out")
                if os.path.exists(out) and not keep:
                    # Deleted with the rest, at the end: the file system would still be busy with it in the next run.
                    os.rename(out, f"{out}-{run}")
                figure = measure(command, directory, environment)
                if run:
                    figures.append(figure)
        ours, reference = sides["ours"][2], sides["reference"][2]
    median = [[statistics.median(column) for column in zip(*figures)] for figures in (ours, reference)]
    wall, cpu = (statistics.median(theirs[i] / mine[i] for mine, theirs in zip(ours, reference)) for i in (0, 1))
    (w, c, m), (rw, rc, rm) = median
    print(f"| {name} | {rw:.2f} s, {rc:.2f} s CPU, {rm:.0f} MB | {w:.3f} s, {c:.3f} s CPU, {m:.0f} MB | {wall:.0f}x | {cpu:.0f}x |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("cases", nargs="*", metavar="CASE", help=f"one or more of: {', '.join(CASES)} (default: all)")
    options = parser.parse_args()
    unknown = [name for name in options.cases if name not in CASES]
    if unknown:
        parser.error(f"no case is called {', '.join(unknown)}")
    subprocess.run(["cargo", "build", "--release", "--quiet"], cwd=ROOT, check=True)
    unpacked = reference_dir()
    print("| run | reference | torchgen-rs | wall | CPU |\n| --- | --- | --- | --- | --- |")
    for name in options.cases or CASES:
        bench(name, unpacked, os.path.join(ROOT, "target/release/torchgen-rs"), options.runs)


if __name__ == "__main__":
    main()
