"""Kernels of the operators that the libraries of both ABIs have."""


def mix_(self, x):
    return self.mul_(x)


def mix_list(state, xs):
    state.add_(1)
    return sum(x * x for x in xs)


def picked(self, index, other):
    return self * index + other


def gate(self, bias):
    return self * (self if bias is None else self + bias).sigmoid()


def gate_backward(grad, self, bias):
    sigmoid = (self if bias is None else self + bias).sigmoid()
    slope = self * sigmoid * (1 - sigmoid)
    return grad * (sigmoid + slope), grad * slope


def weighed(self, by):
    return self * (3 if by is None else by)


def weighed_backward(grad, by):
    return grad * (3 if by is None else by)


def both_ways(self):
    return self * 2, self * -1


def both_ways_backward(up, down, self):
    return (0 if up is None else up * 2) - (self.new_zeros(()) if down is None else down)


def turned(self, by):
    return self * by


def doubled(self):
    return self * 2
