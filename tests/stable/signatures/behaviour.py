"""What the operators of this library do, behind the package that is generated."""

import torch
import written

x = torch.arange(3.0)
assert written.twice(x).tolist() == [0, 2, 4] and x.tolist() == [0, 1, 2]
assert written.shift(x, -2).tolist() == [-2, -1, 0]
assert written.scaled(x, 0.5).tolist() == [0, 0.5, 1]
assert written.scaled(x, 0.5, torch.float32).tolist() == [0, 1, 2]
long = "a name that no short string holds, so that a dangling view would show"
assert written.greet(long) == long and written.greet("Noether", "Professor") == "Professor Noether"
assert written.total([1, 2]) == 3 and written.total([1, 2], [3]) == 6

# The kernels take fewer bits.
for call, name in ((lambda: written.shift(x, 2**40), "by"), (lambda: written.scaled(x, 1e300), "by")):
    try:
        call()
    except RuntimeError as error:
        assert f"argument `{name}`" in str(error) and "does not fit the kernel" in str(error), error
    else:
        raise AssertionError("a number that does not fit was cut")
print("written ok")
