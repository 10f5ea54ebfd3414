#!/usr/bin/env python3
"""The same operator with torch.library.custom_op, with TORCH_LIBRARY by hand, with nanobind, and
with torchgen-rs on both ABIs: lines, seconds of the build, microseconds of a call, and what works.

    pip install nanobind
    python bench/tools.py --program target/release/torchgen-rs

The Python must be able to import torch; without nanobind, its row is left out. Calls are on a
tensor of one element, and the best of 15 times 2,000. Builds are processor time with -O2.
"""

import argparse
import importlib.util
import json
import os
import resource
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

HERE = Path(__file__).parent / "tools"
CHECKS = ["compiled", "exported", "func_grad", "forward_mode", "vmap"]


def lines(*names):
    """The lines that an author writes, without blank ones."""
    return sum(bool(line.strip()) for name in names for line in (HERE / name).read_text().splitlines())


def seconds(commands):
    """The processor time of commands."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    for command in commands:
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=Path, default=Path("target/release/torchgen-rs"))
    args = parser.parse_args()
    ask = [sys.executable, "-c", "import torch; print(torch.__path__[0])"]
    torch = Path(subprocess.run(ask, check=True, capture_output=True, text=True).stdout.strip())
    compiler = [os.environ.get("CXX", "c++"), "-std=c++20", "-O2", "-shared", "-fPIC"]
    headers = [f"-isystem{torch}/include", f"-isystem{torch}/include/torch/csrc/api/include"]
    link = [f"-L{torch}/lib", f"-Wl,-rpath,{torch}/lib", "-ltorch_cpu"]
    with tempfile.TemporaryDirectory() as place:
        work = Path(place)

        def generated(abi, flags, libraries):
            out = work / abi
            seconds([[args.program, "-q", "-s", HERE, "-d", out, "--abi", abi]])
            sources = [*sorted(out.glob("src/*.cpp")), HERE / "kernels.cpp"]
            library = out / "python/tools/libtools.so"
            command = [*compiler, *flags, *headers, f"-I{out}/include", *sources, *link, *libraries, "-o", library]
            return seconds([command]), out / "python"

        rows = [("`custom_op`", "custom", lines("custom.py"), 0.0, {"PYTHONPATH": HERE})]
        spent = seconds([[*compiler, *headers, HERE / "hand.cpp", *link, "-lc10", "-o", work / "libhand.so"]])
        environment = {"PYTHONPATH": HERE, "HAND_LIBRARY": work / "libhand.so"}
        rows.append(("`TORCH_LIBRARY` by hand", "hand", lines("hand.cpp", "hand.py"), spent, environment))
        found = importlib.util.find_spec("nanobind")
        if found is not None:
            root = Path(found.origin).parent
            flags = [f"-I{sysconfig.get_paths()['include']}", f"-I{root}/include", f"-I{root}/ext/robin_map/include"]
            sources = [root / "src/nb_combined.cpp", HERE / "bound.cpp"]
            library = work / f"bound_kernels{sysconfig.get_config_var('EXT_SUFFIX')}"
            spent = seconds([[*compiler, "-fno-strict-aliasing", *flags, *sources, "-o", library]])
            path = os.pathsep.join([str(HERE), str(work)])
            rows.append(("nanobind", "bound", lines("bound.cpp", "bound.py"), spent, {"PYTHONPATH": path}))
        own = lines("native_functions.yaml", "derivatives.yaml", "kernels.cpp")
        spent, path = generated("unstable", [], ["-ltorch", "-lc10"])
        rows.append(("torchgen-rs, C++ API", "tools", own, spent, {"PYTHONPATH": path}))
        spent, path = generated("stable", ["-DTORCH_TARGET_VERSION=0x020a000000000000"], [])
        rows.append(("torchgen-rs, stable ABI", "tools", own, spent, {"PYTHONPATH": path}))

        # A column for each tool: there are more measurements than tools, and screens are narrow.
        columns = [["", "lines", "build", "call", "with a gradient", *CHECKS]]
        for name, module, count, spent, environment in rows:
            command = [sys.executable, "-W", "ignore", HERE / "measure.py", module]
            environment = {**os.environ, **{key: str(value) for key, value in environment.items()}}
            result = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, env=environment)
            said = json.loads(result.stdout.splitlines()[-1])
            works = ["yes" if said[check] else "no" for check in CHECKS]
            times = [f"{spent:.1f} s", f"{said['plain']:.1f} µs", f"{said['grad']:.1f} µs"]
            columns.append([name, str(count), *times, *works])
        for number, row in enumerate(zip(*columns)):
            print("|", " | ".join(row).strip(), "|")
            if number == 0:
                print("| --- " * len(columns) + "|")


if __name__ == "__main__":
    main()
