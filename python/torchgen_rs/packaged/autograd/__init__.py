"""The scripts of ``torchgen.packaged.autograd``."""
