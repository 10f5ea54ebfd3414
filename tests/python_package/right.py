# Every line is a correct use of the generated stubs.
import torch

import opkit
from opkit import rms_norm, topk_gating

x = torch.randn(4, 8)
y: torch.Tensor = rms_norm(x, torch.ones(8), eps=1e-5)
rms_norm(x, torch.ones(8), out=y)
weights, indices = topk_gating(x, 2)
gates: opkit.return_types.topk_gating = topk_gating(x, 2)
y = gates.weights
mask: torch.Tensor = opkit.causal_mask(4, device="cpu", dtype=torch.float32)
opkit.soft_cap_(x, 30)
opkit.ema_update_([x], (y,), decay=0.9)
