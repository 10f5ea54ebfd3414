"""The operators, kernels and classes that a build selects."""
