"""Functions that formulas of random libraries call on the stable ABI; formulas.h has the same in C++.

The last ones are fakes, on both ABIs.
"""


def added(one, other):
    if one is None or other is None:
        return other if one is None else one
    return one + other


def joined(grads):
    return added(grads[0], None if grads[1] is None else 2 * grads[1])


def product_backward(grad, one, other, mask):
    return grad * other if mask[0] else None, grad * one if mask[1] else None


def spread(grad, count):
    return [grad] * count


def doubled(grad, tensors):
    return [None if grad is None else grad * 2 * tensor for tensor in tensors]


def spread_some(grad, tensors):
    return [None if tensor is None else grad for tensor in tensors]


def summed(tensors):
    return sum(tensors[1:], tensors[0])


def summed_squares(tensors):
    return summed([tensor * tensor for tensor in tensors])


def summed_some(tensors):
    return summed([tensor for tensor in tensors if tensor is not None])


# In formulas for tangents, lists have pairs of a tensor and its tangent.


def primal_sum(pairs):
    return summed([primal for primal, _ in pairs])


def tangent_sum(pairs):
    return summed([tangent for _, tangent in pairs])


def primal_squares(pairs):
    return summed([primal * primal for primal, _ in pairs])


def tangent_squares(pairs):
    return summed([2 * primal * tangent for primal, tangent in pairs])


def primal_some(pairs):
    return summed([primal for primal, _ in pairs if primal is not None])


def tangent_some(pairs):
    return summed([tangent for primal, tangent in pairs if primal is not None])


def two_fakes(*arguments, **keywords):
    first = arguments[0] if arguments else next(iter(keywords.values()))
    return [first.new_empty(first.shape), first.new_empty(first.shape)]


def view_fake(tensor):
    return tensor.transpose(0, 1)
