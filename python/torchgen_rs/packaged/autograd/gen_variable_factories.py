"""The same as ``torchgen_rs.autograd.gen_variable_factories``."""

from ...autograd.gen_variable_factories import gen_variable_factories, is_factory_function, process_function

__all__ = ["gen_variable_factories", "is_factory_function", "process_function"]
