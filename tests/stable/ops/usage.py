"""Checks the values of usage.cpp, the text of an error, and that failed calls release their arguments.

    python usage.py LIBRARY
"""

import sys

import torch

torch.ops.load_library(sys.argv[1])
x = torch.arange(6.0).reshape(2, 3)
total = x.cumsum(0).cumsum(-1, dtype=torch.float64).sum()
assert torch.equal(torch.ops.usage.calls(x), (total * total).float().reshape(1)), torch.ops.usage.calls(x)
signal, weight = x.reshape(2, 1, 3), torch.tensor([[[1.0, 2.0, 3.0]]])
convolved = [torch.nn.functional.conv1d(signal, weight, padding=padding) for padding in (0, "same", 0)]
assert torch.equal(torch.ops.usage.convolves(signal, weight), torch.cat(convolved, -1))
try:
    torch.ops.usage.fails(x)
    sys.exit("topk takes too many")
except RuntimeError as error:
    text = str(error).splitlines()[0]
    assert text.startswith("aten::topk"), text
    print(text)
before = x._use_count()
assert torch.ops.usage.releases(x) == 100
assert x._use_count() == before, (before, x._use_count())
print("usage ok")
