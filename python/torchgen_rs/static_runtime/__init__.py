"""The script of ``torchgen.static_runtime``."""
