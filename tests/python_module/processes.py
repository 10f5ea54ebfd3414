"""Threads, forks and memory of the installed package.

The arguments are a scratch directory, and a small tree of PyTorch's own files.
"""

import os
import pathlib
import resource
import sys
import threading
import time

import torchgen_rs
from torchgen_rs import TorchgenError, commands

os.chdir(sys.argv[1])
commands.new("curves", namespace="curves")


def contents(directory):
    files = [path for path in pathlib.Path(directory).rglob("*") if path.is_file() and path.name[0] != "."]
    return {str(path.relative_to(directory)): path.read_bytes() for path in files}


# A fork before the first run.
child = os.fork()
if child == 0:
    torchgen_rs.generate(source_path="curves", install_dir="forked")
    os._exit(0)
assert os.waitpid(child, 0)[1] == 0

# Runs in threads do not meet: each has its version of torch, its tables of facts, its errors and its
# files.
for name in "ab":
    pathlib.Path(f"facts-{name}/torch").mkdir(parents=True)
    pathlib.Path(f"facts-{name}/torch/reserved_names.yaml").write_text(f"declarations: [{name}]\n")
pathlib.Path("wrong").mkdir()
pathlib.Path("wrong/native_functions.yaml").write_text("- func: curves::f(Tenser self) -> Tensor\n")


def library(into, **flags):
    torchgen_rs.generate(source_path="curves", install_dir=into, force=True, **flags)


def first_facts(into):
    library(into, data_dir="facts-a")


def second_facts(into):
    library(into, data_dir=["facts-b"])


def aten(into, version):
    torchgen_rs.generate(
        source_path=sys.argv[2],
        install_dir=into,
        torch=version,
        aoti_install_dir=f"{into}/aoti",
        update_aoti_c_shim=True,
        force=True,
    )


def older(into):
    aten(into, "2.10")


def newer(into):
    aten(into, "2.15")


def refused(into):
    try:
        torchgen_rs.check("wrong")
    except TorchgenError as error:
        pathlib.Path(into).mkdir(exist_ok=True)
        pathlib.Path(into, "error").write_text(str(error))


ALL = [library, first_facts, second_facts, older, newer, refused]
KINDS = {kind.__name__: kind for kind in ALL}
for name, kind in KINDS.items():
    kind(f"alone-{name}")
failures = []


def work(name, index):
    try:
        for _ in range(2):
            KINDS[name](f"{name}-{index}")
    except BaseException as error:
        failures.append((name, error))


threads = [threading.Thread(target=work, args=(name, index)) for name in KINDS for index in range(3)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
assert not failures, failures
for name in KINDS:
    for index in range(3):
        assert contents(f"{name}-{index}") == contents(f"alone-{name}"), (name, index)
assert contents("alone-older") != contents("alone-newer")
different = [contents(f"alone-{kind.__name__}") for kind in (library, first_facts, second_facts)]
assert all(different[index] != different[index - 1] for index in range(3))

# Other threads of Python go on during a run.
steps, over = 0, threading.Event()


def count():
    global steps
    while not over.is_set():
        steps += 1
        time.sleep(0.0005)


counting = threading.Thread(target=count)
counting.start()
library("counted")
seen = steps
over.set()
counting.join()
assert seen > 2, seen

# A fork after runs in threads.
child = os.fork()
if child == 0:
    library("forked-later")
    os._exit(0)
assert os.waitpid(child, 0)[1] == 0
assert contents("forked") == contents("forked-later") == contents("counted")


# Runs leave nothing in memory.
def pages():
    return int(pathlib.Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()


def many(times):
    for _ in range(times):
        try:
            torchgen_rs.check("wrong", threads=1)
        except TorchgenError:
            pass
        assert torchgen_rs.generate(source_path="curves", install_dir="forked", threads=1).skipped


many(100)
before = pages()
many(500)
grown = pages() - before
assert grown < 2_000_000, f"1,000 runs left {grown} bytes"
