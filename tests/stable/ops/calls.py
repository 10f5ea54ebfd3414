"""Calls of torch's operators, chosen so that every type of parameter and of result in the header occurs.

CALLS has the name of each overload and a function that makes its arguments; GENERATOR has those that need a
Generator, which the stable ABI carries since torch 2.13.
"""

import torch

F64, I64, BOOL = torch.float64, torch.int64, torch.bool


def args(*positional, **named):
    return positional, named


def x(*sizes):
    """Numbers that are not symmetric, without zeros."""
    sizes = sizes or (3, 4)
    count = torch.Size(sizes).numel()
    return (torch.arange(count, dtype=torch.float32) * 0.37 - 1.13).reshape(sizes)


def positive(*sizes):
    return x(*sizes).abs() + 0.5


def i(*values):
    return torch.tensor(values, dtype=I64)


def flags(*sizes):
    return x(*sizes) > 0


def square(n=3):
    """A symmetric positive definite matrix."""
    half = x(n, n)
    return half @ half.T + torch.eye(n) * n


def out():
    return torch.empty(0)


def image():
    return x(1, 2, 6, 6)


CALLS = [
    # Numbers, flags and dimensions.
    ("abs", lambda: args(x())),
    ("abs_", lambda: args(x())),
    ("neg.out", lambda: args(x(), out=out())),
    ("cumsum", lambda: args(x(), -1)),
    ("cumsum", lambda: args(x(), 0, dtype=F64)),
    ("cumsum.out", lambda: args(x(), 1, dtype=torch.float32, out=out())),
    ("cumsum_", lambda: args(x(), 0)),
    ("cumprod", lambda: args(x(), 1)),
    ("cummax", lambda: args(x(), 0)),
    ("logcumsumexp", lambda: args(x(), 0)),
    ("mul.Tensor", lambda: args(x(), x())),
    ("mul_.Tensor", lambda: args(x(), x())),
    ("mul.out", lambda: args(x(), x(), out=out())),
    ("div.Tensor", lambda: args(x(), x())),
    ("div.Tensor_mode", lambda: args(x(), x(), rounding_mode="floor")),
    ("div.Tensor_mode", lambda: args(x(), x(), rounding_mode=None)),
    ("pow.Tensor_Tensor", lambda: args(positive(), x())),
    ("atan2", lambda: args(x(), positive())),
    ("maximum", lambda: args(x(), x().flip(0))),
    ("eq.Tensor", lambda: args(x(), x())),
    ("lt.Tensor", lambda: args(x(), x().flip(1))),
    ("where.self", lambda: args(flags(), x(), x() * 2)),
    ("lerp.Tensor", lambda: args(x(), x() + 1, x() * 0.1)),
    ("clamp.Tensor", lambda: args(x(), x() - 1, x() * 0)),
    ("clamp.Tensor", lambda: args(x(), None, x() * 0)),
    ("nan_to_num", lambda: args(torch.tensor([1.0, float("nan"), float("inf")]), 0.5, None, -3.0)),
    ("nan_to_num", lambda: args(torch.tensor([1.0, float("nan"), float("inf")]))),
    ("logit", lambda: args(positive() / 10, 1e-3)),
    ("isclose", lambda: args(x(), x() + 1e-9, 1e-5, 1e-8, True)),
    ("sigmoid", lambda: args(x())),
    ("gelu", lambda: args(x(), approximate="tanh")),
    ("gelu", lambda: args(x())),
    ("glu", lambda: args(x(), -1)),
    ("softmax.int", lambda: args(x(), -1, F64)),
    ("_softmax", lambda: args(x(), 0, False)),
    ("log_softmax.int", lambda: args(x(), 1)),
    ("silu", lambda: args(x())),
    ("prelu", lambda: args(x(), torch.tensor([0.2]))),
    ("round.decimals", lambda: args(x(), decimals=1)),
    ("polygamma", lambda: args(2, positive())),
    ("mvlgamma", lambda: args(positive() + 3, 2)),
    # Reductions.
    ("sum", lambda: args(x())),
    ("sum", lambda: args(x(), dtype=F64)),
    ("sum.dim_IntList", lambda: args(x(), [0], True)),
    ("sum.dim_IntList", lambda: args(x(), None)),
    ("sum.dim_IntList", lambda: args(x(2, 3, 4), [0, -1], dtype=F64)),
    ("sum.IntList_out", lambda: args(x(), [1], out=out())),
    ("mean.dim", lambda: args(x(), [0, 1], True)),
    ("amax", lambda: args(x(), [1])),
    ("amax", lambda: args(x())),
    ("aminmax", lambda: args(x(), dim=1, keepdim=True)),
    ("aminmax", lambda: args(x())),
    ("argmax", lambda: args(x())),
    ("argmax", lambda: args(x(), 1, True)),
    ("max.dim", lambda: args(x(), 1)),
    ("max", lambda: args(x())),
    ("min.dim_min", lambda: args(x(), 0, min=out(), min_indices=torch.empty(0, dtype=I64))),
    ("all.dim", lambda: args(flags(), 1)),
    ("any", lambda: args(flags())),
    ("any.dims", lambda: args(flags(), [0, 1], True)),
    ("prod.dim_int", lambda: args(x(), 0, dtype=F64)),
    ("std.dim", lambda: args(x(), [1], True, True)),
    ("std", lambda: args(x(), False)),
    ("var_mean.dim", lambda: args(x(), [0])),
    ("median.dim", lambda: args(x(), 1, True)),
    ("kthvalue", lambda: args(x(), 2, 1)),
    ("mode", lambda: args(i(1, 2, 2, 3))),
    ("logsumexp", lambda: args(x(), [0, 1])),
    ("count_nonzero.dim_IntList", lambda: args(flags(), [0])),
    ("quantile", lambda: args(x(), torch.tensor([0.25, 0.5]), 1, True, interpolation="lower")),
    ("bincount", lambda: args(i(0, 1, 1, 3), None, 6)),
    ("bincount", lambda: args(i(0, 1, 1, 3), torch.tensor([0.5, 1.0, 2.0, 4.0]))),
    ("trace", lambda: args(square())),
    # Sorting and searching.
    ("topk", lambda: args(x(), 2)),
    ("topk", lambda: args(x(), 3, 0, False, True)),
    ("topk.values", lambda: args(x(), 2, values=out(), indices=torch.empty(0, dtype=I64))),
    ("sort", lambda: args(x(), 0, True)),
    ("sort.stable", lambda: args(x(), stable=True, dim=1, descending=True)),
    ("argsort.stable", lambda: args(x(), stable=True)),
    ("msort", lambda: args(x().flip(0))),
    ("searchsorted.Tensor", lambda: args(torch.tensor([1.0, 3.0, 5.0]), x(), right=True)),
    ("searchsorted.Tensor", lambda: args(torch.tensor([1.0, 3.0]), x(), out_int32=True, side="right")),
    ("bucketize.Tensor", lambda: args(x(), torch.tensor([-1.0, 0.0, 1.0]))),
    ("unique_consecutive", lambda: args(i(1, 1, 2, 2, 1), True, True)),
    ("unique_dim", lambda: args(torch.tensor([[1, 2], [1, 2], [0, 2]]), 0, True, True, True)),
    ("_unique2", lambda: args(i(3, 1, 3), True, True, False)),
    ("nonzero", lambda: args(flags())),
    ("nonzero_numpy", lambda: args(flags())),
    # Shapes and views.
    ("view", lambda: args(x(), [4, 3])),
    ("view.dtype", lambda: args(x(), torch.int32)),
    ("reshape", lambda: args(x(), [2, -1])),
    ("permute", lambda: args(x(2, 3, 4), [2, 0, 1])),
    ("transpose.int", lambda: args(x(), 0, 1)),
    ("movedim.intlist", lambda: args(x(2, 3, 4), [0, 1], [1, 2])),
    ("unsqueeze", lambda: args(x(), -1)),
    ("squeeze.dims", lambda: args(x(1, 3, 1), [0, 2])),
    ("expand", lambda: args(x(1, 4), [3, 4], implicit=False)),
    ("slice.Tensor", lambda: args(x(), 1, None, 3, 2)),
    ("slice.Tensor", lambda: args(x(), 0, 1)),
    ("select.int", lambda: args(x(), 0, -1)),
    ("narrow", lambda: args(x(), 1, 1, 2)),
    ("as_strided", lambda: args(x(), [2, 2], [1, 2], 1)),
    ("as_strided", lambda: args(x(), [2, 2], [1, 2])),
    ("split.Tensor", lambda: args(x(), 2, 1)),
    ("split_with_sizes", lambda: args(x(), [1, 3], 1)),
    ("chunk", lambda: args(x(), 2)),
    ("unbind.int", lambda: args(x(), 1)),
    ("tensor_split.indices", lambda: args(x(), [1, 2])),
    ("unfold", lambda: args(x(), 1, 2, 1)),
    ("diagonal", lambda: args(x(), 1)),
    ("flip", lambda: args(x(), [0, 1])),
    ("roll", lambda: args(x(), [1, -1], [0, 1])),
    ("roll", lambda: args(x(), [2])),
    ("rot90", lambda: args(x(), 1, [0, 1])),
    ("repeat", lambda: args(x(), [2, 1])),
    ("repeat_interleave.self_int", lambda: args(x(), 2, 1, output_size=8)),
    ("repeat_interleave.self_Tensor", lambda: args(x(), i(1, 2, 0), 0)),
    ("tile", lambda: args(x(), [1, 2])),
    ("broadcast_tensors", lambda: args([x(1, 4), x(3, 1)])),
    ("meshgrid.indexing", lambda: args([i(1, 2), i(3, 4, 5)], indexing="xy")),
    ("atleast_2d.Sequence", lambda: args([i(1, 2), x()])),
    # Lists of tensors.
    ("cat", lambda: args([x(), x() + 1], 1)),
    ("cat.out", lambda: args([x(), x()], out=out())),
    ("stack", lambda: args([x(), x()], -1)),
    ("block_diag", lambda: args([x(), x(1, 2)])),
    ("cartesian_prod", lambda: args([i(1, 2), i(3, 4)])),
    ("einsum", lambda: args("ij,kj->ik", [x(), x()])),
    ("einsum", lambda: args("ij,jk,kl->il", [x(), x(4, 3), x()], path=[1, 2, 0, 1])),
    ("_foreach_mul.List", lambda: args([x(), x(2)], [x(), x(2)])),
    ("_foreach_abs_", lambda: args([x(), x(2)])),
    ("index.Tensor", lambda: args(x(), [i(0, 2), None])),
    ("index.Tensor", lambda: args(x(), [None, i(1, 3)])),
    ("index_put", lambda: args(x(), [i(0, 2)], torch.tensor(7.0), True)),
    ("index_put_", lambda: args(x(), [None, i(1)], torch.tensor(7.0))),
    # Indices.
    ("gather", lambda: args(x(), 1, torch.tensor([[0, 3], [1, 1], [2, 0]]), sparse_grad=False)),
    ("scatter.src", lambda: args(x(), 1, torch.tensor([[0], [1], [2]]), x() * 10)),
    ("scatter_add_", lambda: args(x(), 0, torch.tensor([[0, 1, 2, 0]]), x())),
    ("scatter_reduce.two", lambda: args(x(), 0, torch.zeros(3, 4, dtype=I64), x(), "amax", include_self=False)),
    ("index_select", lambda: args(x(), 1, i(3, 0))),
    ("index_copy_", lambda: args(x(), 0, i(2), x(1, 4))),
    ("masked_select", lambda: args(x(), flags())),
    ("masked_fill.Tensor", lambda: args(x(), flags(), torch.tensor(9.0))),
    ("masked_scatter", lambda: args(x(), flags(), x(12) * 5)),
    ("take_along_dim", lambda: args(x(), torch.tensor([[0], [1], [2]]), 1)),
    ("take_along_dim", lambda: args(x(), torch.tensor([[0], [1], [2]]))),
    ("embedding", lambda: args(x(), i(2, 0), -1, False, False)),
    ("embedding_bag.padding_idx", lambda: args(x(), i(0, 1, 2, 0), i(0, 2), False, 0, False, None, True, 1)),
    ("one_hot", lambda: args(i(0, 2, 1), 4)),
    # New tensors.
    ("zeros", lambda: args([2, 3])),
    ("zeros", lambda: args([2], dtype=I64, layout=torch.strided, device=torch.device("cpu"), pin_memory=False)),
    ("ones", lambda: args([2, 1], dtype=BOOL)),
    ("zeros_like", lambda: args(x())),
    ("zeros_like", lambda: args(image(), dtype=F64, memory_format=torch.channels_last)),
    ("ones_like", lambda: args(x(), device=torch.device("cpu"), memory_format=torch.preserve_format)),
    ("new_zeros", lambda: args(x(), [2], dtype=torch.int32)),
    ("eye", lambda: args(3, dtype=F64)),
    ("eye.m", lambda: args(2, 3)),
    ("tril_indices", lambda: args(3, 3, -1, dtype=torch.int32)),
    ("tril_indices", lambda: args(3, 3)),
    ("hann_window.periodic", lambda: args(5, False)),
    ("clone", lambda: args(image(), memory_format=torch.channels_last)),
    ("contiguous", lambda: args(x().t())),
    ("contiguous", lambda: args(image(), memory_format=torch.channels_last)),
    ("to.dtype", lambda: args(x(), F64, False, True)),
    ("to.device", lambda: args(x(), torch.device("cpu"), torch.float16)),
    ("to.dtype_layout", lambda: args(x(), dtype=F64, layout=torch.strided, device=torch.device("cpu"), copy=True)),
    ("_to_copy", lambda: args(x(), dtype=torch.bfloat16, non_blocking=True)),
    ("resize_", lambda: args(x(), [2, 2], memory_format=torch.contiguous_format)),
    ("resize_", lambda: args(x(), [2])),
    ("copy_", lambda: args(x(), x() + 1, False)),
    ("fill_.Tensor", lambda: args(x(), torch.tensor(2.5))),
    ("tril", lambda: args(x(), 1)),
    ("zero_", lambda: args(x())),
    ("complex", lambda: args(x(), x())),
    # Values that are not tensors.
    ("equal", lambda: args(x(), x())),
    ("allclose", lambda: args(x(), x() + 1e-3, 0.0, 1e-2)),
    ("is_nonzero", lambda: args(torch.tensor([2.0]))),
    ("is_same_size", lambda: args(x(), x(4))),
    ("is_floating_point", lambda: args(i(1))),
    ("size.int", lambda: args(x(), 1)),
    ("stride.int", lambda: args(x(), 0)),
    ("result_type.Tensor", lambda: args(x(), i(1))),
    ("promote_types", lambda: args(torch.float16, I64)),
    ("can_cast", lambda: args(F64, I64)),
    ("q_scale", lambda: args(torch.quantize_per_tensor(x(), 0.1, 3, torch.quint8))),
    ("q_zero_point", lambda: args(torch.quantize_per_tensor(x(), 0.1, 3, torch.quint8))),
    ("fake_quantize_per_tensor_affine", lambda: args(x(), 0.1, 0, -128, 127)),
    # Layers.
    ("conv2d", lambda: args(image(), x(3, 2, 3, 3), None, [2, 2], [1, 1])),
    ("conv2d", lambda: args(image(), x(3, 2, 3, 3), x(3))),
    ("conv2d.padding", lambda: args(image(), x(3, 2, 3, 3), None, [1, 1], "same")),
    ("convolution", lambda: args(image(), x(3, 2, 3, 3), None, [1, 1], [0, 0], [1, 1], False, [0, 0], 1)),
    (
        "convolution_backward",
        lambda: args(x(1, 3, 4, 4), image(), x(3, 2, 3, 3), [3], [1, 1], [0, 0], [1, 1], False, [0, 0], 1, [True, False, True]),
    ),
    ("conv_transpose1d", lambda: args(x(1, 2, 5), x(2, 3, 2), stride=[2])),
    ("max_pool2d_with_indices", lambda: args(image(), [2, 2])),
    ("max_pool2d_with_indices", lambda: args(image(), [2, 2], [1, 1], [1, 1], [1, 1], True)),
    ("avg_pool2d", lambda: args(image(), [3, 3], [1, 1], [1, 1], False, False, 5)),
    ("avg_pool2d", lambda: args(image(), [2, 2])),
    ("adaptive_avg_pool2d", lambda: args(image(), [2, 3])),
    ("upsample_bilinear2d.vec", lambda: args(image(), None, True, [2.0, 1.5])),
    ("upsample_bilinear2d.vec", lambda: args(image(), [4, 5], False, None)),
    ("upsample_nearest2d", lambda: args(image(), [4, 4], None, 0.5)),
    ("pad", lambda: args(x(), [1, 2], "constant", 3.5)),
    ("pad", lambda: args(x(1, 3, 4), [1, 1], "reflect")),
    ("reflection_pad1d", lambda: args(x(), [1, 2])),
    ("layer_norm", lambda: args(x(), [4], x(4), None, 1e-3, False)),
    ("native_layer_norm", lambda: args(x(), [4], None, None, 1e-5)),
    ("group_norm", lambda: args(image(), 2, None, None)),
    ("batch_norm", lambda: args(x(), None, None, torch.zeros(4), torch.ones(4), True, 0.1, 1e-5, False)),
    ("native_batch_norm", lambda: args(x(), x(4), x(4), torch.zeros(4), torch.ones(4), False, 0.1, 1e-5)),
    ("rms_norm", lambda: args(x(), [4], x(4), 1e-4)),
    ("linear", lambda: args(x(), x(2, 4), x(2))),
    ("linear", lambda: args(x(), x(2, 4))),
    ("bilinear", lambda: args(x(3, 2), x(3, 4), x(5, 2, 4), None)),
    ("scaled_dot_product_attention", lambda: args(x(1, 2, 3, 4), x(1, 2, 3, 4), x(1, 2, 3, 4), is_causal=True, scale=0.5)),
    ("mse_loss", lambda: args(x(), x() + 1)),
    ("mse_loss", lambda: args(x(), x() + 1, 2)),
    ("huber_loss", lambda: args(x(), x() + 1, 1, 0.7)),
    ("nll_loss", lambda: args(x(), i(0, 3, 1), None, 1, -100)),
    ("cross_entropy_loss", lambda: args(x(), i(0, 3, 1), label_smoothing=0.1)),
    ("ctc_loss.IntList", lambda: args(x(5, 1, 4).log_softmax(-1), i(1, 2).reshape(1, 2), [5], [2])),
    ("cosine_similarity", lambda: args(x(), x() + 1)),
    ("pairwise_distance", lambda: args(x(), x() + 1, 2.0, keepdim=True)),
    ("cdist", lambda: args(x(), x(2, 4), 1.0, None)),
    ("lstm.input", lambda: args(x(2, 1, 3), [x(1, 1, 2), x(1, 1, 2)], [x(8, 3), x(8, 2), x(8), x(8)], True, 1, 0.0, False, False, False)),
    ("pixel_shuffle", lambda: args(x(1, 4, 2, 2), 2)),
    ("grid_sampler", lambda: args(image(), torch.zeros(1, 2, 2, 2), 0, 0, True)),
    # Linear algebra and transforms.
    ("matmul", lambda: args(x(), x(4, 2))),
    ("mm.out", lambda: args(x(), x(4, 2), out=out())),
    ("bmm", lambda: args(x(2, 3, 4), x(2, 4, 2))),
    ("tensordot", lambda: args(x(), x(4, 3), [1, 0], [0, 1])),
    ("linalg_cholesky", lambda: args(square(), upper=True)),
    ("linalg_eigh", lambda: args(square())),
    ("linalg_svd", lambda: args(x(), False, driver=None)),
    ("linalg_solve", lambda: args(square(), x(3), left=True)),
    ("linalg_inv_ex", lambda: args(square(), check_errors=True)),
    ("linalg_matrix_norm.str_ord", lambda: args(x(), "nuc", [-2, -1], True)),
    ("linalg_pinv", lambda: args(square(), 1e-3, True)),
    ("linalg_lstsq", lambda: args(square(), x(3, 1), 1e-4, driver="gelsd")),
    ("linalg_multi_dot", lambda: args([x(), x(4, 2), x(2, 3)])),
    ("cross", lambda: args(x(3, 3), x(3, 3) + 1, 1)),
    ("diff", lambda: args(x(), 1, -1, x(3, 1), None)),
    ("gradient.array", lambda: args(x(), dim=[0, 1])),
    ("trapezoid.x", lambda: args(x(), x() * 2, dim=1)),
    ("cov", lambda: args(x(), correction=0, fweights=i(1, 2, 1, 1))),
    ("fft_fft", lambda: args(x(), None, -1, "ortho")),
    ("fft_rfftn", lambda: args(x(), [2, 4], [0, 1], "forward")),
    ("fft_fftn", lambda: args(x())),
    ("fft_fftshift", lambda: args(x(), [0])),
    ("fft_fftshift", lambda: args(x())),
    ("stft.center", lambda: args(x(16), 8, 4, None, torch.ones(8), True, "reflect", False, True, True)),
    ("special_entr", lambda: args(positive())),
    ("special_logit", lambda: args(positive() / 10, None)),
    ("dropout", lambda: args(x(), 0.5, True)),
    ("native_dropout", lambda: args(x(), 0.5, None)),
    ("to_sparse.sparse_dim", lambda: args(x(), 1)),
    ("_sparse_coo_tensor_unsafe", lambda: args(torch.tensor([[0, 2]]), x(2), [4], is_coalesced=True)),
    ("to_sparse", lambda: args(x(), layout=torch.sparse_csr)),
    (
        "_validate_sparse_compressed_tensor_args",
        lambda: args(i(0, 1, 2), i(1, 0), x(2), [2, 2], torch.sparse_csr, check_pinning=False),
    ),
]


def seeded():
    return torch.Generator().manual_seed(7)


GENERATOR = [
    ("rand.generator", lambda: args([3], generator=seeded())),
    ("rand.generator", lambda: args([3], generator=None, dtype=F64)),
    ("bernoulli.p", lambda: args(x(), 0.5, generator=seeded())),
    ("normal_", lambda: args(x(), 1.0, 2.0, generator=seeded())),
    ("multinomial", lambda: args(positive(), 2, True, generator=seeded())),
    ("randperm.generator", lambda: args(6, generator=seeded())),
]
