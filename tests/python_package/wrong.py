# Each line that ends in a comment is a wrong use of the generated stubs; the others are correct.
import torch

import opkit
from opkit import rms_norm, topk_gating

x = torch.randn(4, 8)
rms_norm(x, x, eps="small")  # wrong type
rms_norm(x)  # too few
rms_norm(x, x, 1e-5, x)  # too many: out is a keyword
n: int = rms_norm(x, x)  # a tensor
a, b, c = topk_gating(x, 2)  # two tensors
topk_gating(x, 2).weight  # no such result
opkit.rms_nrom(x, x)  # no such function
opkit.ema_update_(x, [x])  # a list is required
opkit.causal_mask(4, dtype="float32")  # torch.float32
