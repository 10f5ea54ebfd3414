"""What the operators of the library return, in any torch from 2.10 on."""

import io

import torch

import carried


class Split(torch.nn.Module):
    def forward(self, x):
        return carried.split(x, 1)


operators = torch.ops.carried
x = torch.arange(4.0)


def refused(function, *arguments, **keywords):
    """The first line of the error."""
    try:
        function(*arguments, **keywords)
    except RuntimeError as error:
        return str(error).splitlines()[0]
    raise AssertionError("no error")


def equal(found, wanted):
    assert found == wanted, (found, wanted)


def same(found, wanted):
    torch.testing.assert_close(found, torch.tensor(wanted), rtol=0, atol=0)


same(carried.scale(x, 2.5), [0.0, 2.5, 5.0, 7.5])
changed = x.clone()
returned = carried.scale_(changed, 3.0)
equal(returned.data_ptr(), changed.data_ptr())
same(changed, [0.0, 3.0, 6.0, 9.0])
out = torch.empty(4)
equal(carried.scale(x, 0.5, out=out).data_ptr(), out.data_ptr())
same(out, [0.0, 0.5, 1.0, 1.5])
equal(carried.bump_(out), None)
same(out, [1.0, 1.5, 2.0, 2.5])

# Structured operators: generated code makes outputs, checks and resizes those that are passed.
same(carried.tilt(x, 2.0), [0.0, 2.0, 4.0, 6.0])
changed = x.clone()
equal(carried.tilt_(changed, 3.0).data_ptr(), changed.data_ptr())
same(changed, [0.0, 3.0, 6.0, 9.0])
out = torch.zeros(8)[::2]
carried.tilt(x, 3.0, out=out)
same(out, [0.0, 3.0, 6.0, 9.0])
equal(out.stride(), (2,))
wide, rows = torch.arange(12.0).view(3, 4), [torch.empty(5, 2)]
# (12 - 6) / 2 + 2 * 2 % 3
first, last = carried.ends(wide, 2, rows)
same(first, [[0.0, 1.0], [2.0, 3.0]])
equal((last.dtype, tuple(last.shape)), (torch.int64, (4, 4)))
# Quotients are rounded down: (5 - 6) / 2 is -1.
equal(tuple(carried.ends(torch.empty(1, 5), 2, rows)[1].shape), (0, 5))
equal(tuple(operators.ends(torch.empty(1, 5, device="meta"), 2, [torch.empty(5, 2, device="meta")])[1].shape), (0, 5))
gaps, empty = torch.zeros(2, 4)[:, ::2], torch.empty(0, dtype=torch.int64)
equal(operators.ends.out(wide, 2, rows, first=gaps, last=empty)[0].data_ptr(), gaps.data_ptr())
same(gaps, [[0.0, 1.0], [2.0, 3.0]])
equal(tuple(empty.shape), (4, 4))
assert "argument `out` has dtype Long" in refused(operators.tilt.out, x, 2.0, out=x.long())
assert "would be -1" in refused(operators.ends, torch.empty(1, 3), 2, rows)
assert "a list needs more than 0 tensors" in refused(operators.ends, wide, 2, [])
if hasattr(torch.Tag, "inplace"):
    assert torch.Tag.inplace in operators.tilt_.default.tags and torch.Tag.out in operators.ends.out.tags

# Numbers are those of the schema: 64 bits, and no bits of another type.
equal(operators.numbers(2**40, -1, 1.5, True, "häß"), "1099511627776 -1 1.5 1 häß")
equal(operators.optionals(), "none none none none none -1 ")
equal(
    operators.optionals(x, -3, 2.5, False, "s" * 40, torch.int32, [1, 2], [x, x[:2]]),
    "tensor4 -3 2.5 0 " + "s" * 40 + " 3 [1 2 ] [tensor4 tensor2 ] ",
)
lists = ([x, x[:1]], [None, x], [1, -2], [0.5], [True, False, True], ["a" * 40, "b"], [3, 4])
equal(
    operators.lists(*lists),
    "[tensor4 tensor1 ] [none tensor4 ] [1 -2 ] [0.5 ] [1 0 1 ] [" + "a" * 40 + " b ] [3 4 ] ",
)
kinds = operators.kinds(x, dtype=torch.float16, layout=torch.strided, device="meta", format=torch.channels_last)
equal(kinds[2], torch.device("meta"))
kinds = operators.kinds(x, layout=torch.strided, device="meta", format=torch.channels_last)
# The default, as c10 numbers it: float8_e4m3fn.
equal(kinds[0], 24)
# Its source registers it.
same(carried.hidden(x, 2.0), (2 * x).tolist())
# Results with names are named tuples, also in programs that are saved.
named = carried.split(x, 1)
assert (type(named), named._fields) == (carried.return_types.split, ("head", "tail")), named
program = torch.export.export(Split(), (x,))
saved = io.BytesIO()
torch.export.save(program, saved)
saved.seek(0)
equal(type(torch.export.load(saved).module()(x)), carried.return_types.split)
compiled = torch.compile(lambda x: carried.split(x, 1).tail * 2, fullgraph=True, backend="aot_eager")
same(compiled(x), (2 * named.tail).tolist())
assert not hasattr(carried, "__version__")

head, tail = operators.split(x, 1)
same(head, [0.0])
same(tail, [1.0, 2.0, 3.0])
equal([row.tolist() for row in operators.rows(torch.eye(2))], [[1.0, 0.0], [0.0, 1.0]])
equal(operators.counts(x), (4, 2.0, True))
# Through the functions for C++.
same(operators.twice(x), [0.0, 2.0, 4.0, 6.0])

# Generated variants.
same(operators.shift(x, 1.0), [1.0, 2.0, 3.0, 4.0])
same(x, [0.0, 1.0, 2.0, 3.0])
out = torch.empty(0)
equal(operators.shift.out(x, 1.0, out=out).data_ptr(), out.data_ptr())
same(out, [1.0, 2.0, 3.0, 4.0])
low, high = torch.empty(7), torch.empty(2)
operators.halves.out(x, out0=low, out1=high)
same(low, [0.0, 1.0])
equal(high.tolist(), [2.0, 3.0])
assert "argument `out1` has dtype Double" in refused(operators.halves.out, x, out0=low, out1=high.double())
sums, values = [torch.zeros(2), torch.ones(1)], [torch.ones(2), torch.ones(1)]
equal([sum.tolist() for sum in operators.accumulate(sums, values)], [[1.0, 1.0], [2.0]])
outs = [torch.empty(0), torch.empty(0)]
operators.accumulate.out(sums, values, out=outs)
equal([out.tolist() for out in outs], [[1.0, 1.0], [2.0]])
same(sums[0], [0.0, 0.0])
total = torch.zeros(1)
returned, changed = operators.count_functional(total, x)
equal((returned.item(), changed.item(), total.item()), (4.0, 4.0, 0.0))

# Errors name the operator and the argument.
equal(refused(operators.lists, *lists[:-1], [3, 4, 5]), "carried::lists: argument `g` needs 2 elements, not 3")
equal(refused(operators.fails, x), "this kernel fails")

# What a call owns is released, with an error and without.
held = torch.zeros(1)
for _ in range(3):
    carried.scale(held, 1.0)
    operators.lists([held], [held], *lists[2:])
    refused(operators.lists, [held], [held], *lists[2:-1], [1])
equal(held._use_count(), torch.zeros(1)._use_count())
print("values ok in torch", torch.__version__)
