# Annotated assignments, single quotes, an overload's name, and kernels that are the implementation.
ATEN_OP: str = 'zq_extremes.dim'
DISPATCH_KEY: str = 'CUDA'
KERNEL_MODULE = "kernels.py"
ARCHS = ("sm_100a",)
UNCONDITIONAL = True


def kernel_precompile_grid():
    ATEN_OP = "not this one"
    return [{"op": ATEN_OP}]


def covered_axes(self, dim, keepdim=False):
    return {}


def cpp_dispatch(spec):
    return "true"


def cpp_launch(spec, launch_fn):
    return launch_fn
