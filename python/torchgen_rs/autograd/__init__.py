"""The scripts of PyTorch's ``tools/autograd``."""
