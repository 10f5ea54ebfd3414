"""The operators with shims for AOTInductor, as in ``torchgen.aoti``."""
