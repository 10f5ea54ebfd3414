import torch


def like(self, *arguments):
    return torch.empty_like(self)


def blend(self, other, weight=None, *, alpha=1.0):
    return torch.empty_like(self)


def moments(self):
    return self.new_empty([]), self.new_empty([]), torch.empty_like(self)


def total(tensors, by):
    return torch.empty_like(tensors[0])


def rows(self):
    return [self.new_empty(self.shape[1:]) for _ in range(self.shape[0])]


def gated(self, gate):
    return torch.empty_like(self)


def crop(self, n):
    return self.new_empty([n])


def update(state, x):
    return torch.empty_like(x)
