"""Compiled and exported programs with the operators of the library, in any torch from 2.10 on."""

import torch
from torch._dynamo.testing import CompileCounterWithBackend

import trained

operators = torch.ops.trained


def compilations(function, calls):
    torch._dynamo.reset()
    counter = CompileCounterWithBackend("aot_eager")
    compiled = torch.compile(function, fullgraph=True, dynamic=True, backend=counter)
    for arguments in calls:
        torch.testing.assert_close(compiled(*arguments), function(*arguments))
    return counter.frame_count


def doubles(*shape, grad=False):
    return torch.randn(*shape, dtype=torch.double, requires_grad=grad)


# One program for all sizes.
assert compilations(lambda x, n: trained.crop(x, n) * 2, [(doubles(10), n) for n in (5, 6, 7)]) == 1
assert compilations(lambda x: trained.square(x) + 1, [(doubles(n),) for n in (5, 6, 7)]) == 1

# Gradients through compiled programs.
torch._dynamo.reset()


def loss(x, y):
    mean, square, _ = trained.moments(trained.gated(x, y))
    return trained.power(trained.crop(x, 2)).sum() + mean * square


for size in (4, 5, 6):
    x, y = doubles(size, grad=True), doubles(size, grad=True)
    compiled = torch.compile(loss, fullgraph=True, dynamic=True, backend="aot_eager")
    found = torch.autograd.grad(compiled(x, y), [x, y])
    torch.testing.assert_close(found, torch.autograd.grad(loss(x, y), [x, y]))


# Results that may be None: which ones are, is known without data.
def parts(x, y, both):
    product, square = trained.parts(x, y, both)
    masked = trained.masked(product, y if both else None, unused=[x.detach()])
    return product if square is None else product + square + masked


for backend in ("aot_eager", "inductor"):
    torch._dynamo.reset()
    compiled = torch.compile(parts, fullgraph=True, backend=backend)
    for both in (True, False):
        x, y = doubles(4, grad=True), doubles(4, grad=True)
        torch.testing.assert_close(compiled(x, y, both), parts(x, y, both))
        found = torch.autograd.grad(compiled(x, y, both).sum(), [x, y])
        torch.testing.assert_close(found, torch.autograd.grad(parts(x, y, both).sum(), [x, y]))


# Operators that write, in compiled programs.
def written(x):
    y = x * 1
    trained.scale_(y, 3.0)
    trained.square_(y)
    return y


torch._dynamo.reset()
x = doubles(4, grad=True)
compiled = torch.compile(written, fullgraph=True, backend="aot_eager")
torch.testing.assert_close(compiled(x), written(x))
torch.testing.assert_close(torch.autograd.grad(compiled(x).sum(), x), torch.autograd.grad(written(x).sum(), x))


class Model(torch.nn.Module):
    def forward(self, x):
        return trained.power(trained.scale(x, 2.0)).sum()


program = torch.export.export(Model(), (doubles(4),), dynamic_shapes={"x": {0: torch.export.Dim("n")}})
x = doubles(7)
torch.testing.assert_close(program.module()(x), Model()(x))


class Parts(torch.nn.Module):
    def forward(self, x, y):
        return parts(x, y, True), parts(x, y, False)


arguments = doubles(4), doubles(4)
program = torch.export.export(Parts(), arguments)
torch.testing.assert_close(program.module()(*arguments), Parts()(*arguments))

# torch's own tests of operators.
for operator, arguments in (
    (operators.scale.default, (doubles(3, grad=True), 2.0)),
    (operators.square.default, (doubles(3, grad=True),)),
    (operators.blend.default, (doubles(3, grad=True), doubles(3), doubles(3, grad=True))),
    (operators.moments.default, (doubles(3, grad=True),)),
    (operators.total.default, ([doubles(3, grad=True), doubles(3)], 2.0)),
    (operators.crop.default, (doubles(3, grad=True), 2)),
    (operators.gated.default, (doubles(3, grad=True), doubles(3))),
    (operators.masked.default, (doubles(3, grad=True), doubles(3))),
    (operators.masked.default, (doubles(3, grad=True),)),
    (operators.parts.default, (doubles(3, grad=True), doubles(3), False)),
    (operators.bump_.default, (doubles(3),)),
    (operators.scale_.default, (doubles(3), 2.0)),
    (operators.signs.default, (doubles(3),)),
):
    torch.library.opcheck(operator, arguments)

print("programs ok in torch", torch.__version__.split("+")[0])
