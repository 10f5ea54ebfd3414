"""An attention block of library operators on four processes: results and gradients are those of one process."""

import datetime
import os
import socket

import torch
import torch.distributed as dist
import torch.multiprocessing


def kernels():
    """True kernels and formulas, which call operators with lines."""
    import dims_ops  # noqa: F401
    from torch.ops import dims_ops as ops

    library = torch.library.Library("dims_ops", "IMPL")
    norm = lambda x, w: x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1) * w
    for name, function in {
        "linear": lambda x, w, bias: x @ w.T + (0 if bias is None else bias),
        "softmax": lambda x, dim: x.softmax(dim),
        "norm": norm,
    }.items():
        library.impl(name, function, "CPU", allow_override=True)

    def save(ctx, inputs, output):
        ctx.save_for_backward(*[each for each in inputs if isinstance(each, torch.Tensor)], output)

    def linear_backward(ctx, g):
        x, w, bias, _ = ctx.saved_tensors
        rows = lambda y: y.flatten(0, -2).mT
        return ops.linear(g, w.mT, None), ops.linear(rows(g), rows(x), None), g.flatten(0, -2).sum(0)

    def softmax_backward(ctx, g):
        _, y = ctx.saved_tensors
        return y * (g - (g * y).sum(-1, keepdim=True)), None

    def norm_backward(ctx, g):
        x, w, _ = ctx.saved_tensors
        r = torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1)
        gw = g * w
        return r * gw - x * r.pow(3) * (gw * x).mean(-1, keepdim=True), (g * x * r).flatten(0, -2).sum(0)

    for name, formula in (("linear", linear_backward), ("softmax", softmax_backward), ("norm", norm_backward)):
        torch.library.register_autograd(f"dims_ops::{name}", formula, setup_context=save)
    return library


def block(x, w, wq, wk, wv, wo, bias):
    ops = torch.ops.dims_ops
    y = ops.norm(x, w)
    heads = lambda z: z.unflatten(-1, (4, -1)).transpose(1, 2)
    q, k, v = (heads(ops.linear(y, each, bias)) for each in (wq, wk, wv))
    mixed = ops.softmax(q @ k.mT, -1) @ v
    return x + ops.linear(mixed.transpose(1, 2).flatten(2), wo, bias)


def work(rank, port):
    torch.set_num_threads(1)
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port), RANK=str(rank), WORLD_SIZE="4")
    dist.init_process_group("gloo", rank=rank, world_size=4, timeout=datetime.timedelta(seconds=60))
    library = kernels()  # noqa: F841
    from torch.distributed.tensor import Replicate, Shard, distribute_tensor, init_device_mesh

    mesh, R, S = init_device_mesh("cpu", (2, 2)), Replicate(), Shard
    generator = torch.Generator().manual_seed(0)
    make = lambda *sizes: torch.randn(sizes, generator=generator, dtype=torch.float64)
    inputs = [make(4, 6, 16), make(16), make(16, 16), make(16, 16), make(16, 16), make(16, 16), make(16)]
    weights = torch.linspace(-1, 2, inputs[0].numel(), dtype=torch.float64).view(4, 6, 16)
    own = [x.clone().requires_grad_() for x in inputs]
    expected = block(*own)
    (expected * weights).sum().backward()
    columns, rows = (R, S(0)), (R, S(1))
    placements = {
        # Batches along one dimension of the mesh, heads along the other.
        "heads": [(S(0), R), (R, R), columns, columns, columns, rows, (R, R)],
        "batches": [(S(0), S(0)), *[(R, R)] * 6],
        "nothing": [(R, R)] * 7,
    }
    # Each takes seconds on four processes: PLACEMENTS=heads,batches,nothing tries all of them.
    chosen = os.environ.get("PLACEMENTS", "heads").split(",")
    for compiled, names in ((False, chosen), (True, ("heads",))):
        for name in names:
            each = placements[name]
            call = torch.compile(block, backend="aot_eager", fullgraph=True) if compiled else block
            given = [distribute_tensor(x.clone(), mesh, place).requires_grad_() for x, place in zip(inputs, each)]
            found = call(*given)
            (found * distribute_tensor(weights, mesh, (R, R))).sum().backward()
            torch.testing.assert_close(found.full_tensor(), expected)
            for one, other in zip(given, own):
                torch.testing.assert_close(one.grad.full_tensor(), other.grad)
            if name == "heads":
                # Nothing was gathered: each rank has a summand of its rows.
                assert found.placements[0] == S(0) and found.placements[1].is_partial(), found.placements
    dist.destroy_process_group()


if __name__ == "__main__":
    # Once, and not in each process.
    import torch._dynamo
    import torch._functorch.aot_autograd
    import torch.distributed.tensor
    import torch.fx.experimental.symbolic_shapes  # noqa: F401

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    torch.multiprocessing.start_processes(work, args=(port,), nprocs=4, start_method="fork")
    print("dims sharded")
