"""Compares the operators of tests/ports with PyTorch's, in any torch from 2.10 on."""

import io
import sys

import torch
from functorch.compile import make_boxed_func
from torch._dynamo.backends.common import aot_autograd
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.library import opcheck

import ports

torch.manual_seed(0)
operators = torch.ops.ports
close = torch.testing.assert_close


class Called(torch.nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, *args):
        return self.function(*args)


def traced(function, *args):
    """Compiles, exports, saves and loads a call, and compares the results."""
    expected = function(*args)
    close(torch.compile(function, fullgraph=True, backend="aot_eager", dynamic=True)(*args), expected)
    saved = io.BytesIO()
    torch.export.save(torch.export.export(Called(function), args), saved)
    saved.seek(0)
    found = torch.export.load(saved).module()(*args)
    close(found, expected)
    assert type(found) is type(expected), type(found)


# Forced alignment: of all paths that collapse to the targets, the one with the highest score.
log_probs = torch.randn(1, 5, 3).log_softmax(-1)
targets = torch.tensor([[1, 2]])
lengths = torch.tensor([5]), torch.tensor([2])
paths, scores = ports.forced_align(log_probs, targets, *lengths, 0)


def collapsed(path):
    kept = [label for i, label in enumerate(path) if i == 0 or label != path[i - 1]]
    return [label for label in kept if label != 0]


every = torch.cartesian_prod(*[torch.arange(3)] * 5).tolist()
best = max((sum(log_probs[0, t, label].item() for t, label in enumerate(path)), path) for path in every if collapsed(path) == [1, 2])
assert paths.tolist() == [best[1]], (paths, best)
close(scores.sum().item(), best[0])
opcheck(operators.forced_align.default, (log_probs, targets, *lengths, 0))
traced(lambda *args: ports.forced_align(*args, 0), log_probs, targets, *lengths)

# A filter, which writes its output.
windows, coefficients = torch.randn(2, 2, 6), torch.randn(2, 3) / 2
output = torch.zeros(2, 2, 8)
version = output._version
operators._lfilter_core_loop(windows, coefficients, output)
assert output._version > version
expected = torch.zeros(2, 2, 8)
for t in range(6):
    expected[..., t + 2] = windows[..., t] - (expected[..., t : t + 2] * coefficients[:, :2]).sum(-1)
close(output, expected)
opcheck(operators._lfilter_core_loop.default, (windows, coefficients, torch.zeros(2, 2, 8)))

# A filter with four results in arguments.
wave, temp = torch.randn(2, 6), torch.randn(2, 6)
written = [torch.zeros(2), torch.zeros(2), torch.zeros(2, 6)]
found = ports._overdrive_core_loop(wave, temp, *written)
assert all(result.data_ptr() == argument.data_ptr() for result, argument in zip(found, written))
close(written[0], temp[:, -1])
state = torch.zeros(2)
for t in range(6):
    state = temp[:, t] - (temp[:, t - 1] if t else 0) + 0.995 * state
    close(written[2][:, t], wave[:, t] / 2 + 0.75 * state)
close(written[1], state)

# Filters with gradients: a kernel in C++, kernels in Python, and a composite of both.
sound = torch.randn(2, 2, 6, dtype=torch.double, requires_grad=True)
a, b = torch.randn(2, 3, dtype=torch.double), torch.randn(2, 2, dtype=torch.double)
a[:, 0] = 2
leaves = sound, a.requires_grad_(), b.requires_grad_()
filtered = torch.zeros(2, 2, 6, dtype=torch.double)
for t in range(6):
    taken = sum(b[:, i] * sound[..., t - i] for i in range(min(t + 1, 2)))
    filtered[..., t] = ((taken - sum(a[:, i] * filtered[..., t - i] for i in range(1, min(t + 1, 3)))) / a[:, 0]).detach()
close(ports._lfilter(*leaves), filtered)
assert torch.autograd.gradcheck(ports._lfilter, leaves)
opcheck(operators._differentiable_fir_apply.default, (sound, b))
opcheck(operators._differentiable_iir_apply.default, (sound, a))
traced(ports._lfilter, *(leaf.detach() for leaf in leaves))

# The loss of a transducer: of all paths through frames and labels.
logits = torch.randn(2, 3, 3, 4, dtype=torch.double, requires_grad=True)
labels, frames, counts = torch.tensor([[1, 2], [3, 0]], dtype=torch.int32), torch.tensor([3, 2]), torch.tensor([2, 1])


def score_of(log_probs, labels):
    """The logarithm of the sum over all paths, which end with a blank."""
    frames, columns = log_probs.shape[0], len(labels) + 1

    def after(t, u):
        ways = []
        if t + 1 < frames:
            ways.append(log_probs[t, u, 0] + after(t + 1, u))
        elif u + 1 == columns:
            ways.append(log_probs[t, u, 0])
        if u + 1 < columns:
            ways.append(log_probs[t, u, labels[u]] + after(t, u + 1))
        return torch.stack(ways).logsumexp(0)

    return after(0, 0)


costs, _ = ports.rnnt_loss(logits, labels, frames, counts, 0, -1.0, True)
expected = [-score_of(logits[n, : frames[n], : counts[n] + 1].log_softmax(-1), labels[n, : counts[n]].tolist()) for n in (0, 1)]
close(costs, torch.stack(expected))
assert not ports.rnnt_loss(logits, labels, frames, counts, 0, -1.0, True)[1].requires_grad
for fused in (True, False):
    assert torch.autograd.gradcheck(lambda x: ports.rnnt_loss(x, labels, frames, counts, 0, -1.0, fused)[0], (logits,))
(clamped,) = torch.autograd.grad(ports.rnnt_loss(logits, labels, frames, counts, 0, 0.1, True)[0].sum(), logits)
assert clamped.abs().max() <= 0.1
opcheck(operators.rnnt_loss.default, (logits, labels, frames, counts, 0, -1.0, True))
traced(lambda *args: ports.rnnt_loss(*args, 0, -1.0, True), logits.detach(), labels, frames, counts)

# Reductions over indices and segments.
src, index = torch.randn(4, 5), torch.tensor([0, 2, 0, 1]).unsqueeze(1).expand(4, 5).contiguous()
found = ports.scatter_max(src, index, 0, None, 4)
assert (found._fields, found.arg_out[3].tolist()) == (("out", "arg_out"), [4] * 5)
close(found.out[:3], torch.full((3, 5), -10.0).scatter_reduce(0, index, src, "amax", include_self=False))
close(src.gather(0, found.arg_out[:3]), found.out[:3])
opcheck(operators.scatter_max.default, (src, index, 0, None, 4))
traced(lambda src, index: ports.scatter_max(src, index, 0, None, 4), src, index)
indptr = torch.tensor([0, 2, 2, 4])
sums = ports.segment_sum_csr(src, indptr, None)
close(sums, torch.stack([src[:2].sum(0), torch.zeros(5), src[2:].sum(0)]))
close(ports.gather_csr(sums, indptr, None), sums[[0, 0, 2, 2]])
opcheck(operators.segment_sum_csr.default, (src.clone().requires_grad_(), indptr, None))
double = src.double().requires_grad_()
assert torch.autograd.gradcheck(lambda x: ports.segment_sum_csr(x, indptr, None), (double,))
assert torch.autograd.gradgradcheck(lambda x: ports.segment_sum_csr(x, indptr, None), (double,))
assert torch.autograd.gradcheck(lambda x: ports.gather_csr(x, indptr, None), (sums.detach().double().requires_grad_(),))
traced(lambda src, indptr: ports.segment_sum_csr(src, indptr, None), src, indptr)

# A selective scan.
u, delta, z = torch.randn(2, 3, 7), torch.randn(2, 3, 7), torch.randn(2, 3, 7)
A, B, C, D, bias = -torch.rand(3, 4), torch.randn(2, 4, 7), torch.randn(2, 4, 7), torch.randn(3), torch.randn(3)
step = torch.nn.functional.softplus(delta + bias[:, None])
state, outs = torch.zeros(2, 3, 4), []
for t in range(7):
    state = torch.exp(step[:, :, t, None] * A) * state + step[:, :, t, None] * B[:, None, :, t] * u[:, :, t, None]
    outs.append((state * C[:, None, :, t]).sum(-1) + D * u[:, :, t])
out, last = ports.selective_scan(u, delta, A, B, C, D, z, bias, True, return_last_state=True)
close(out, torch.stack(outs, -1) * torch.nn.functional.silu(z))
close(last, state)
assert ports.selective_scan(u, delta, A, B, C).last_state is None
for flag in (True, False):
    opcheck(operators.selective_scan.default, (u, delta, A, B, C, D, z, bias, True, flag))
traced(lambda *args: ports.selective_scan(*args, True, True), u, delta, A, B, C, D, z, bias)

doubles = [t.double().requires_grad_() for t in (u, delta, A, B, C, D, z, bias)]
assert torch.autograd.gradcheck(lambda *args: ports.selective_scan(*args, True)[0], doubles)
assert torch.autograd.gradcheck(lambda *args: ports.selective_scan(*args)[0], doubles[:5])

# Attention, with fewer heads of k and v, and its gradient, which is written to arguments.
q, k, v = torch.randn(2, 5, 4, 8), torch.randn(2, 6, 2, 8), torch.randn(2, 6, 2, 8)
leaves = [t.clone().requires_grad_() for t in (q, k, v)]
scores = torch.einsum("bihe,bjhe->bhij", leaves[0], leaves[1].repeat_interleave(2, 2)) / 8**0.5
scores = scores.masked_fill(torch.ones(5, 6).tril(1).logical_not(), float("-inf"))
expected = torch.einsum("bhij,bjhe->bihe", scores.softmax(-1), leaves[2].repeat_interleave(2, 2))
out = torch.empty_like(q)
results = ports.fwd(q, k, v, out=out, is_causal=True)
assert type(results) is tuple and results[0].data_ptr() == out.data_ptr()
close(out, expected.detach())
close(results[1], scores.detach().logsumexp(-1))
close(ports.fwd(q, k, v, is_causal=True)[0], out)
softmax_lse = results[1]
grad = torch.randn_like(expected)
expected.backward(grad)
grads = [torch.empty_like(t) for t in (q, k, v)]
ports.bwd(grad, q, k, v, out, softmax_lse, *grads, is_causal=True)
for found, leaf in zip(grads, leaves):
    close(found, leaf.grad)
# With a formula, also for the argument that it mutates and returns.
for used, given in (("result", False), ("result", True), ("argument", True)):
    inputs = [leaf.detach().requires_grad_() for leaf in leaves]
    place = torch.empty_like(q) if given else None
    results = ports.fwd(*inputs, out=place, is_causal=True)
    assert [result.requires_grad for result in results] == [True, False, False, False]
    assert (results[0] is place) == given
    close(torch.autograd.grad(place if used == "argument" else results[0], inputs, grad), tuple(grads))


def filled(*args):
    place = torch.empty_like(args[0])
    ports.fwd(*args, out=place, is_causal=True)
    return (place * grad).sum()


# Autograd in Python, on the stable ABI.
if "ports._autograd" in sys.modules:
    close(torch.func.grad(filled, (0, 1, 2))(q, k, v), tuple(grads))
results = ports.fwd(*inputs, out=torch.empty_like(q), is_causal=True)
with torch.no_grad():
    results[0].mul_(2)
try:
    results[0].sum().backward()
    raise AssertionError("the saved result has changed")
except RuntimeError as error:
    assert "modified by an inplace operation" in str(error), error
traced(lambda *args: ports.fwd_backward(*args, None, True), grad, q, k, v, out, softmax_lse)
compiled = torch.compile(lambda *args: ports.bwd(*args, is_causal=True)[0], fullgraph=True, backend="aot_eager")
written = [torch.empty_like(t) for t in (q, k, v)]
compiled(grad, q, k, v, out, softmax_lse, *written)
close(written, grads)

# Kernels in Python. Modules are imported at the first call, so that nothing needs Triton.
assert "ports.gates" not in sys.modules
gate, up = torch.randn(3, 4), torch.randn(3, 4)
expected = torch.nn.functional.silu(gate) * up
close(ports.silu_mul(gate, up), expected)
assert sys.modules["ports.gates"].calls == ["Tensor"] and "ports.triton_gates" not in sys.modules
try:
    ports.silu_mul(gate, up.to("meta"))
    raise AssertionError("two devices")
except RuntimeError as error:
    assert "ports::silu_mul: all tensors must be on one device, not on cpu and meta" in str(error), error
leaves = gate.double().requires_grad_(), up.double().requires_grad_()
assert torch.autograd.gradcheck(lambda *args: ports.silu_mul(*args, limit=0.5), leaves)
opcheck(operators.silu_mul.default, leaves, {"limit": 0.5})
opcheck(operators.silu_mul_backward.default, (gate, gate, up, 0.5))
opcheck(operators.update_average.default, (gate.clone(), up))
close(ports.rounded(gate), gate.round().long())
close(ports.rounded(gate, dtype=torch.int64), gate.round().long())
opcheck(operators.rounded.default, (gate,))
close(torch.vmap(ports.silu_mul, (1, 0))(gate, up.t()), expected.t())

# A factory, whose defaults are its own in each call, and outputs without data on each device.
for n in (3, 2):
    close(ports.ramp(n, ends=[0]), torch.arange(n) * 1.0)
    close(ports.ramp(n), torch.arange(n) * 1.0)
found = ports.ramp(2, 2.0, dtype=torch.float64, device="meta")
assert (found.dtype, found.device.type, found.shape) == (torch.float64, "meta", (2,))
opcheck(operators.ramp.default, (3,), {"device": torch.device("cpu")})
traced(lambda x: x + ports.ramp(3, device=x.device), torch.zeros(3))
with FakeTensorMode():
    for device in ("cpu", "cuda"):
        x = torch.empty(3, device=device)
        assert ports.ramp(2, device=device).device.type == ports.rounded(x).device.type == device

# A compiled program has what the functions call, and an exported one has the operator.
graphs = []


def noted(graph, _):
    graphs.append(graph.code)
    return make_boxed_func(graph)


def step(average, gate, up):
    y = ports.silu_mul(gate, up)
    ports.update_average(average, y.detach())
    return y.sin()


compiled = torch.compile(step, fullgraph=True, dynamic=True, backend=aot_autograd(fw_compiler=noted))
average = torch.zeros(3, 4)
compiled(average, *(leaf.float() for leaf in leaves)).sum().backward()
close(average, expected / 10)
other = torch.zeros(2, 4)
compiled(other, gate[:2], up[:2])
close(other, expected[:2] / 10)
for graph in graphs:
    assert "ports" not in graph and ("silu" in graph or "sigmoid" in graph), graph
close(torch.autograd.grad(compiled(average, *leaves).sum(), leaves), torch.autograd.grad(step(average, *leaves).sum(), leaves))
traced(ports.silu_mul, gate, up)
exported = torch.export.export(Called(ports.silu_mul), (gate, up)).run_decompositions()
assert "ports.silu_mul" in exported.graph_module.code, exported

print(f"ports ok in torch {torch.__version__.split('+')[0]}")
