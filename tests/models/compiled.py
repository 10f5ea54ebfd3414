"""What a model that AOTInductor compiled calls of a library on the stable ABI and of one on libtorch's C++ API."""

import sys
import tempfile
import zipfile
from pathlib import Path

import carried
import silent
import torch
import torch._inductor

assert "carried.aoti" not in sys.modules

import carried.aoti
import silent.aoti

# The C++ compiler need not optimise the model.
QUICKLY = {"aot_inductor.compile_wrapper_opt_level": "O0"}
CPU, FORMAT = torch.device("cpu"), torch.contiguous_format


class Model(torch.nn.Module):
    def forward(self, x, y):
        results = []
        for bump_, scale, mixed in (
            (carried.bump_, carried.scale, carried.mixed),
            (silent.increase_, silent.times, silent.blend),
        ):
            given = x.clone()
            bump_(given)
            scaled = scale(given, 0.5)
            full, doubled = mixed(
                scaled, y, None, 3, 4, 5.5, True, "six", "seven", torch.float16, torch.int64, [8, 9], [10],
                [11.5, 12.5], [True, False, True], [x, y], [x, None], [y], CPU, CPU, True, x.shape[0], torch.strided,
                FORMAT,
            )
            bare, _ = mixed(
                doubled, None, None, 3, None, None, None, "", None, torch.float16, None, [], None, [], [False] * 3, [],
                [], None, CPU, None, False, 13, torch.strided, FORMAT,
            )
            results += [given, full, bare]
        results += [carried.hidden(carried.tilt(x, 2.0), 3.0), silent.padded(x, x.shape[0])]
        total = x.clone()
        carried.accumulate_([total], [x])
        return [*results, total]


x, y = torch.rand(8, 8), torch.rand(3)
expected = Model()(x, y)
program = torch.export.export(Model(), (x, y), dynamic_shapes={"x": {0: torch.export.Dim("rows", min=8)}, "y": {}})
options = silent.aoti.options(carried.aoti.options(QUICKLY, device="cpu"), device="cpu")
with tempfile.TemporaryDirectory() as directory:
    path = str(Path(directory) / "model.pt2")
    torch._inductor.aoti_compile_and_package(program, package_path=path, inductor_configs=options)
    with zipfile.ZipFile(path) as files:
        sources = [files.read(name).decode() for name in files.namelist() if name.endswith(".wrapper.cpp")]
    calls = "".join(sources).split("::run_impl(", 1)[1]
    names = "bump_ scale mixed tilt hidden accumulate_ increase_ times blend padded".split()
    missing = [name for name in names if f"aoti_torch_cpu_{name}(" not in calls]
    assert not missing and "proxy_executor_call" not in calls, (missing, calls)
    model = torch._inductor.aoti_load_package(path)
    for found, wanted in zip(model(x, y), expected, strict=True):
        torch.testing.assert_close(found, wanted, rtol=0, atol=0)
    try:
        model(-10 - x, y)
    except RuntimeError as error:
        # On the stable ABI, the kernel's text is on the standard error stream.
        assert "aoti_torch_cpu_mixed" in str(error), error
    else:
        raise AssertionError("the kernel throws")
print("models ok")
