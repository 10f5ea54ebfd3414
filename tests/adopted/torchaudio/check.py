"""Checks what the operators of torchaudio's wheel get: gradients, fakes, and version counters."""

import adopted_audio as audio
import torch
from torch.library import opcheck

assert audio._registrations.differences() == [], audio._registrations.differences()

BLANK, CLAMP, FUSED = 0, -1.0, True
frames = torch.tensor([5, 4], dtype=torch.int32)
lengths = torch.tensor([3, 2], dtype=torch.int32)
targets = torch.tensor([[1, 2, 3], [2, 1, 1]], dtype=torch.int32)
torch.manual_seed(0)
logits = torch.randn(2, 5, 4, 6)


def costs(values):
    return audio.rnnt_loss_forward(values, targets, frames, lengths, BLANK, CLAMP, FUSED)[0]


# Gradients: those of finite differences.
weights = torch.tensor([0.5, 2.0])
values = logits.clone().requires_grad_()
(costs(values) * weights).sum().backward()
for at in [(0, 0, 0, 1), (0, 3, 2, 0), (1, 2, 1, 5), (1, 4, 3, 0)]:
    step = torch.zeros_like(logits)
    step[at] = 1e-2
    expected = ((costs(logits + step) - costs(logits - step)) * weights).sum() / 2e-2
    torch.testing.assert_close(values.grad[at], expected, atol=2e-3, rtol=2e-3)
assert not audio.rnnt_loss_forward(values, targets, frames, lengths, BLANK, CLAMP, FUSED)[1].requires_grad

# torch.compile, with one graph and symbolic sizes.
compiled = torch.compile(costs, backend="aot_eager", fullgraph=True, dynamic=True)
for batch in (logits, logits.repeat(1, 1, 1, 2)):
    again = batch.clone().requires_grad_()
    torch.testing.assert_close(compiled(again), costs(batch))
    compiled(again).sum().backward()
    assert again.grad is not None

arguments = (values, targets, frames, lengths, BLANK, CLAMP, FUSED)
results = opcheck(torch.ops.torchaudio.rnnt_loss_forward.default, arguments)
assert set(results.values()) == {"SUCCESS"}, results

# What an operator mutates is counted, and must not require a gradient.
windows, coefficients, padded = torch.randn(1, 2, 6), torch.randn(2, 3), torch.zeros(1, 2, 8)
version = padded._version
torch.ops.torchaudio._lfilter_core_loop(windows, coefficients, padded)
assert padded._version == version + 1
try:
    torch.ops.torchaudio._lfilter_core_loop(windows, coefficients.requires_grad_(), padded)
except RuntimeError as error:
    assert "no argument can require a gradient" in str(error), error
else:
    raise AssertionError("a lost gradient was accepted")
# torch cannot compile an operator of others that returns what it mutates.
tests = ("test_schema", "test_autograd_registration", "test_faketensor")
arguments = (windows, coefficients.detach(), padded)
results = opcheck(torch.ops.torchaudio._lfilter_core_loop.default, arguments, test_utils=tests)
assert set(results.values()) == {"SUCCESS"}, results

# A generated test, for an operator with a number that has a fraction.
import test_rnnt_loss_forward as generated  # noqa: E402


def longer(dtype=torch.float32, grad=False, batch=3):
    torch.manual_seed(0)
    frames, lengths = torch.full((batch,), 12, dtype=torch.int32), torch.full((batch,), 10, dtype=torch.int32)
    values = torch.randn(batch, 12, 11, 8, dtype=dtype, requires_grad=grad)
    return (values, torch.ones(batch, 10, dtype=torch.int32), frames, lengths, BLANK, CLAMP, FUSED), {}


generated.rnnt_loss_forward_arguments = longer
generated.test_rnnt_loss_forward_compiled()
print("torchaudio ok")
