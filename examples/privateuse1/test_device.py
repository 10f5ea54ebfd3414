"""The device at work: test_device.py LIBRARY."""

import contextlib
import copy
import io
import sys
import types

import torch

torch.utils.rename_privateuse1_backend("toy")
module = types.ModuleType("toy")
module.is_available = lambda: True
module.device_count = lambda: 1
module.current_device = lambda: 0
module._is_in_bad_fork = lambda: False
module.manual_seed_all = lambda seed: None
# Printing, loading and compiling ask these.
module.is_initialized = lambda: True
module.device = lambda index: contextlib.nullcontext()
torch._register_device_module("toy", module)
torch.ops.load_library(sys.argv[1])

DEVICE = torch.device("toy:0")
X, Y = torch.randn(3, 4), torch.randn(4)


def same(on_device, expected):
    assert on_device.device.type == "toy", on_device.device
    assert on_device.dtype == expected.dtype, (on_device.dtype, expected.dtype)
    torch.testing.assert_close(on_device.cpu(), expected)


def moved():
    same(X.to(DEVICE), X)
    same(X.to(DEVICE, torch.double), X.double())
    same(X.t().to(DEVICE), X.t())
    same(torch.zeros(2, device=DEVICE), torch.zeros(2))
    assert X.to(DEVICE)[1, 2].item() == X[1, 2].item()
    other = torch.empty(0, device=DEVICE)
    same(other.resize_(3, 4).copy_(X), X)


def mixed_dtypes():
    x, n = X.to(DEVICE), torch.arange(4)
    same(x + n.to(DEVICE), X + n)
    same(n.to(DEVICE) * x, n * X)
    same(n.to(DEVICE) + 1.5, n + 1.5)
    same(torch.exp(n.to(DEVICE)), torch.exp(n))
    same(x.half() > n.to(DEVICE), X.half() > n)
    same(torch.add(n.to(DEVICE), n.to(DEVICE), out=torch.empty(4, device=DEVICE)), (n + n).float())
    same(n.to(DEVICE).sum(), n.sum())


def scalars_on_cpu():
    x = X.to(DEVICE)
    same(x + 2, X + 2)
    same(x * torch.tensor(3.0), X * 3.0)
    zero = torch.tensor(0.0)
    same(torch.where(x > zero, x, zero), torch.where(X > 0, X, zero))


def broadcasting():
    x, y = X.to(DEVICE), Y.to(DEVICE)
    same(x + y, X + Y)
    same(x * y, X * Y)
    same(torch.cat([x, y.view(1, 4)]), torch.cat([X, Y.view(1, 4)]))
    same(x @ x.t(), X @ X.t())


def views():
    x = X.to(DEVICE)
    same(x.t(), X.t())
    same(x[1:, ::2] + 1, X[1:, ::2] + 1)
    same(x.view(2, 6), X.view(2, 6))
    row = x[1]
    row.fill_(5)
    expected = X.clone()
    expected[1] = 5
    same(x, expected)
    x += 1
    same(row, torch.full((4,), 6.0))
    same(x.relu(), (expected + 1).relu())


def autograd():
    x = X.to(DEVICE).requires_grad_()
    (torch.exp(x) * 2 + x).sum().backward()
    same(x.grad, torch.exp(X) * 2 + 1)


def printed():
    text = repr(X.to(DEVICE))
    assert "device='toy:0'" in text and f"{X[0, 0]:.4f}" in text, text


def saved():
    x = X.to(DEVICE)
    file = io.BytesIO()
    torch.save({"x": x, "row": x[1]}, file)
    for where in (None, "cpu"):
        file.seek(0)
        loaded = torch.load(file, map_location=where)
        assert loaded["x"].device.type == (where or "toy")
        torch.testing.assert_close(loaded["x"].cpu(), X)
        torch.testing.assert_close(loaded["row"].cpu(), X[1])


def copied():
    x = X.to(DEVICE)
    other = copy.deepcopy(x)
    x.zero_()
    same(other, X)
    layer = torch.nn.Linear(4, 2)
    there = copy.deepcopy(layer).to(DEVICE)
    same(copy.deepcopy(there).weight.detach(), layer.weight.detach())


def compiled():
    function = torch.compile(lambda x: (torch.exp(x) * 2 + x).sum(), backend="aot_eager", fullgraph=True)
    x = X.to(DEVICE).requires_grad_()
    function(x).backward()
    same(x.grad, torch.exp(X) * 2 + 1)


for behaviour in (autograd, moved, mixed_dtypes, scalars_on_cpu, broadcasting, views, printed, saved, copied, compiled):
    behaviour()
    print(behaviour.__name__, "ok")
