"""A library that registers itself, as those that are adopted do: each operator has another trap."""

import torch

library = torch.library.Library("oldlib", "DEF")


def double(x):
    return x * 2


# It has its own kernel for autograd, with gradients of its own: 100.
class Own(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        with torch._C._AutoDispatchBelowAutograd():
            return torch.ops.oldlib.own(x)

    @staticmethod
    def backward(ctx, grad):
        return grad * 100


library.define("own(Tensor x) -> Tensor")
library.impl("own", double, "CPU")
library.impl("own", Own.apply, "Autograd")

# Only one device has such a kernel.
library.define("partly(Tensor x) -> Tensor")
library.impl("partly", double, "CPU")
library.impl("partly", Own.apply, "AutogradCUDA")

# Its kernel is for all devices, and computes gradients by those of the operators that it calls.
library.define("composite(Tensor x) -> Tensor")
library.impl("composite", double, "CompositeImplicitAutograd")
library.define("untouched(Tensor x) -> Tensor")
library.impl("untouched", double, "CompositeImplicitAutograd")

# Its kernel records nothing.
library.define("rounded(Tensor x) -> Tensor")
library.impl("rounded", lambda x: x.detach() * 1, "CPU")

# It has a fake of its own, or a meta function.
library.define("faked(Tensor x) -> Tensor")
library.impl("faked", double, "CPU")
seen = []


@torch.library.register_fake("oldlib::faked")
def faked(x):
    seen.append("faked")
    return torch.empty_like(x)


def meta(x):
    seen.append("meta")
    return torch.empty_like(x)


library.define("meta(Tensor x) -> Tensor")
library.impl("meta", double, "CPU")
library.impl("meta", meta, "Meta")

# It takes a scalar of another device.
library.define("scaled(Tensor x, Tensor factor) -> Tensor")
library.define("checked(Tensor x, Tensor factor) -> Tensor")
for name in ("scaled", "checked"):
    library.impl(name, lambda x, factor: x * factor, "CPU")

# They mutate, as kernels in C++ do: nothing counts it.
def shift(x):
    with torch._C._AutoDispatchBelowADInplaceOrView():
        return x.add_(1)


for name in ("shift_", "uncounted_", "counted_"):
    library.define(f"{name}(Tensor(z!) x) -> Tensor(z!)")
    library.impl(name, shift, "CPU")


# It counts by itself, and twice.
def counted(keys, x):
    torch.ops.oldlib.counted_.default.redispatch(keys & torch._C._after_ADInplaceOrView_keyset, x)
    torch.autograd.graph.increment_version((x, x))
    return x


library.impl("counted_", counted, "ADInplaceOrView", with_keyset=True)

# Its schema has a default, which its entry spells differently.
library.define("spelled(Tensor x, float a=2., int[] sizes=[1, 2], bool flag=False) -> Tensor")
library.define("changed(Tensor x, int n=1) -> Tensor")
for name in ("spelled", "changed"):
    library.impl(name, lambda x, *_: x * 2, "CPU")

# Types that generated C++ cannot carry.
library.define("nested(Tensor x, int[][] sizes) -> Tensor")
library.impl("nested", lambda x, sizes: x * len(sizes), "CPU")
