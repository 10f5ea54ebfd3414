"""Builds and checks the library of tests/gpu/library: run.sh runs this.

    main.py                        # builds it with nvcc, and checks it on GPUs
    main.py --package DIR          # checks the package in DIR, on the CPU: tests/torch/gpu.rs has built it
"""

import argparse
import pathlib
import sys
import tempfile

import build
from table import NotRun, Table

# Seconds for all rows.
LIMIT = 420


def imported(torch, packages):
    """The operators of the package in a directory."""
    sys.path.insert(0, str(packages))
    import gpu_checks  # noqa: F401

    return torch.ops.gpu_checks


def gpus(torch):
    """The GPUs of this machine, as a line."""
    version = tuple(int(part) for part in torch.__version__.split(".")[:2])
    if version < (2, 11):
        raise NotRun(f"torch is {torch.__version__}, and 2.11 is the oldest for this")
    if torch.version.cuda is None:
        raise NotRun(f"torch {torch.__version__} is one without CUDA")
    if not torch.cuda.is_available():
        raise NotRun("torch finds no GPU")
    names = [torch.cuda.get_device_name(index) for index in range(torch.cuda.device_count())]
    print(f"torch {torch.__version__}, CUDA {torch.version.cuda}, {', '.join(names)}")
    return names


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--package", type=pathlib.Path, help="the directory of a package that is built")
    given = parser.parse_args()
    import torch

    import checks
    import on_gpu
    from operators import all_of

    table = Table(LIMIT)
    on_cpu = given.package is not None
    device = torch.device("cpu" if on_cpu else "cuda")
    work = tempfile.TemporaryDirectory()
    root = pathlib.Path(work.name)
    found = None
    if on_cpu:
        packages = given.package
    else:
        out = root / "out"
        packages = out / "python"
        found = table.row("a GPU, and torch for it", lambda: gpus(torch))
        generated = table.row("the program generates it without a warning", lambda: build.generate(out) or True)
        (root / "objects").mkdir()
        made = generated and table.row("nvcc compiles it", lambda: build.compile_all(torch, out, root / "objects") or True)
        if generated:
            table.row("CMake builds it", lambda: build.by_cmake(torch, root))
        if not made or not found:
            status = table.status()
            sys.exit(status or 77)
    ops = table.row("the package is imported", lambda: imported(torch, packages))
    if ops is None:
        sys.exit(table.status() or 77)
    operators = all_of(ops)

    def on_a_gpu(name, check):
        def run():
            if on_cpu:
                raise NotRun("it needs a GPU")
            check()
            torch.cuda.synchronize()

        table.row(name, run)

    table.row("values of each dtype and size", lambda: checks.values(operators, device))
    table.row("values of tensors with strides", lambda: checks.strides(operators, device))
    table.row("gradients against PyTorch's on the CPU", lambda: checks.gradients_of_reference(operators, device))
    table.row("gradcheck, gradgradcheck, forward mode", lambda: checks.numeric_gradients(operators, device))
    table.row("gradients of one result of two", lambda: checks.unused_results(operators, device))
    table.row("versions of arguments that are changed", lambda: checks.mutation(ops, device))
    table.row("vmap and jvp", lambda: checks.transforms(operators, device))
    table.row("fakes", lambda: checks.fakes(operators, device))
    table.row("opcheck", lambda: checks.opcheck(ops, operators, device))
    table.row("torch.compile, aot_eager", lambda: checks.compiled(operators, device, "aot_eager", dynamic=True))
    on_a_gpu("torch.compile, inductor", lambda: checks.compiled(operators, device, "inductor"))
    graphed = {"mode": "reduce-overhead"}
    on_a_gpu("torch.compile, inductor with CUDA graphs", lambda: checks.compiled(operators, device, "inductor", **graphed))
    on_a_gpu("tensors on the CPU are refused", lambda: on_gpu.mixed_with_cpu(ops))
    on_a_gpu("two devices: guards", lambda: on_gpu.devices(ops, operators))
    on_a_gpu("the current stream: order", lambda: on_gpu.order_on_a_stream(operators))
    on_a_gpu("the current stream: no other is waited for", lambda: on_gpu.only_the_stream(operators))
    on_a_gpu("the host does not wait", lambda: on_gpu.no_synchronization(operators))
    on_a_gpu("CUDA graphs", lambda: on_gpu.graphs(operators))
    on_a_gpu("CUDA graphs of gradients", lambda: on_gpu.graphs_of_gradients(operators))
    on_a_gpu("memory", lambda: on_gpu.memory(operators))
    on_a_gpu("more than 2**31 elements", lambda: on_gpu.large(ops))
    sys.stdout.flush()
    sys.exit(table.status())


main()
