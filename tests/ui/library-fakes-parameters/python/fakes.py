import functools

import torch


def sell(x, by):
    return torch.empty_like(x)


def buy(x, limit=None, *, slow):
    return torch.empty_like(x)


def lend(x, n):
    # int(n)
    return x.new_empty(int(n), 3)


def weigh(x):
    rows, _ = x.shape
    return x.new_empty(int(rows))


@functools.cache
def pack():
    return None
