ATEN_OP = (
    "gt.Tensor"
)
DISPATCH_KEY = "CUDA"
KERNEL_MODULE = """kernels.py"""
UNCONDITIONAL = False


def kernel_precompile_grid():
    return [{"dtype": "float32"}]


def covered_axes(self, other):
    return {}


def cpp_dispatch(spec):
    return "true"


def cpp_launch(spec, launch_fn):
    return launch_fn
