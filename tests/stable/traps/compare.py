"""What operators return, with generated code and with TORCH_BOX. The second is wrong each time."""

import os

import torch

import traps

torch.ops.load_library(os.environ["BOXED"])
x = torch.arange(6.0).reshape(2, 3)

# The operator, the arguments, the result.
TRAPS = {
    "the bits of a float": ("echo", (1.5,), 1.5),
    "a number of more than 32 bits": ("big", (2**33 + 5,), 2**33 + 5),
    "a negative number": ("maybe", (-3,), -3),
    "a missing parameter": ("second", (1, 2), 2),
    "a list of a function that has returned": ("sizes", (x,), [2, 3]),
    "a negative dimension": ("sums", (x, -1), x.cumsum(-1).tolist()),
}


def result(namespace, name, arguments):
    """What the operator returns, or the type of its error."""
    try:
        value = getattr(namespace, name)(*arguments)
    except RuntimeError as error:
        return type(error)
    return value.tolist() if isinstance(value, torch.Tensor) else value


for trap, (name, arguments, wanted) in TRAPS.items():
    found = result(torch.ops.traps, name, arguments)
    assert found == wanted, f"{trap}: generated code returns {found}"
    found = result(torch.ops.boxed, name, arguments)
    assert found != wanted, f"{trap}: TORCH_BOX returns the right value, so this is not a trap"
print(len(TRAPS), "traps in torch", torch.__version__)
