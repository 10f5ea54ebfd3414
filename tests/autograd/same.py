"""What autograd does at run time with operators that the libraries of both ABIs have."""

import torch
from torch.autograd import gradcheck


def leaf(*shape, dtype=torch.double):
    return torch.randn(*shape, dtype=dtype, requires_grad=True)


def fails(message, run):
    try:
        run()
    except RuntimeError as error:
        assert message in str(error), error
    else:
        raise AssertionError(f"no error: {message}")


def gradient(result, of):
    return torch.autograd.grad(result.sum(), of)[0]


def saved_memory_that_is_mutated(operators):
    """A value that a gradient needs and the operator mutates, under any name, is an error in backward."""
    modified = "modified by an inplace operation"
    for other in (lambda y: y, lambda y: y.view(3), lambda y: y.detach()):
        y = leaf(3) * 1
        fails(modified, lambda: operators.mix_(y, other(y)).sum().backward())
    x = leaf(3)
    for state in (lambda x: x.detach(), lambda x: x.detach()[:1]):
        fails(modified, lambda: operators.mix_list(state(x), [leaf(3), x]).sum().backward())
    # The rest is right: another tensor, and a value that no gradient needs.
    y, x = leaf(3), leaf(3)
    found = torch.autograd.grad(operators.mix_(y * 1, x).sum(), (y, x))
    assert torch.equal(found[0], x) and torch.equal(found[1], y)
    assert torch.equal(gradient(operators.mix_list(torch.zeros(3), [x, x]), x), 4 * x)
    y = leaf(3)
    same = (y * 1).detach()
    fails("leaf Variable", lambda: operators.mix_(y, same))
    operators.mix_(same, same)


def inputs_without_a_formula(operators):
    """A result requires a gradient only through an input with a formula."""
    self, index, other = leaf(3), leaf(3), torch.zeros(3, dtype=torch.double)
    assert not operators.picked(self.detach(), index, other).requires_grad
    result = operators.picked(self, index, other)
    assert torch.autograd.grad(result.sum(), (self, index), allow_unused=True)[1] is None
    for first in (self, self.detach()):
        fails("not differentiable with respect to", lambda: operators.picked(first, index, leaf(3)))
    with torch.no_grad():
        operators.picked(self, index, leaf(3))


def helpers_of_formulas(operators):
    """A formula calls a function in C++, which is differentiated again."""
    x = leaf(3)
    assert gradcheck(operators.widened, (x,)) and torch.autograd.gradgradcheck(operators.widened, (x,))


def tensors_that_are_none(operators):
    """None stays None in formulas and in the kernels that they call."""
    self, bias = leaf(3), leaf(3)
    assert gradcheck(operators.gate, (self, bias))
    assert gradcheck(lambda self: operators.gate(self), self)
    assert gradcheck(lambda bias: operators.gate(self.detach(), bias), bias)
    assert torch.equal(gradient(operators.weighed(self), self), torch.full_like(self, 3))
    assert torch.equal(gradient(operators.weighed(self, bias), self), bias)
    for chosen, expected in (((1, 0), 2), ((0, 1), -1), ((1, 1), 1)):
        results = operators.both_ways(self)
        used = sum(result for result, is_used in zip(results, chosen) if is_used)
        assert torch.equal(gradient(used, self), torch.full_like(self, expected)), chosen


def complex_tensors(operators):
    """A complex tensor has a gradient only if the entry says that its formulas hold."""
    a, b = leaf(3, dtype=torch.cdouble), leaf(3, dtype=torch.cdouble)
    assert gradcheck(operators.turned, (a, b))
    unsupported = "complex_gradients: True"
    fails(unsupported, lambda: operators.doubled(a))
    fails(unsupported, lambda: operators.gate(a))
    fails(unsupported, lambda: operators.weighed(leaf(3), a.detach()))
    operators.doubled(a.detach())
    with torch.no_grad():
        operators.doubled(a)


def run(operators):
    torch.manual_seed(0)
    checks = (saved_memory_that_is_mutated, inputs_without_a_formula, tensors_that_are_none, complex_tensors)
    for check in (*checks, helpers_of_formulas):
        check(operators)
