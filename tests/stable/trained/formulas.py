import torch


def spread(gradient, count):
    return [gradient] * count


def stacked(gradients, shape, options):
    zeros = torch.zeros(shape[1:], **options)
    return torch.stack([zeros if gradient is None else gradient for gradient in gradients])


def products(gradient, tensors):
    return [2 * gradient * tensor for tensor in tensors]
