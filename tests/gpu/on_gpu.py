"""The checks of what only a GPU has: streams, graphs, several devices, memory, large tensors."""

import torch

from checks import close
from operators import as_tuple, gradients
from table import NotRun

# Clock cycles that a GPU waits: half a second or less.
LONG = 500_000_000


def devices(ops, operators):
    """Kernels run on the device of their tensors, whichever is current, and leave that as it was."""
    count = torch.cuda.device_count()
    if count < 2:
        raise NotRun("this machine has one GPU")
    here, there = torch.device("cuda", 0), torch.device("cuda", 1)
    for current, other in ((here, there), (there, here)):
        with torch.cuda.device(current):
            for operator in operators:
                arguments, numbers = operator.arguments((7, 300), other)
                results = as_tuple(operator.function(*arguments, *numbers))
                assert all(one.device == other for one in results), operator.name
                assert torch.cuda.current_device() == current.index, operator.name
                wanted = operator.same(*(one.cpu() for one in arguments), *numbers)
                close(results, wanted, operator.name)
                grads = gradients(operator.function, arguments, numbers)
                assert all(one.device == other for one in grads), operator.name
                assert torch.cuda.current_device() == current.index, operator.name
    x, y = torch.ones(4, device=here), torch.ones(4, device=there)
    refused(lambda: ops.soft_threshold(x, y), "other")
    refused(lambda: ops.add_scaled_(y, x, 1.0), "other")


def mixed_with_cpu(ops):
    """A tensor on the CPU beside one on a GPU is refused by name, and not read."""
    x = torch.ones(4, device="cuda")
    refused(lambda: ops.soft_threshold(x, torch.ones(4)), "other")
    refused(lambda: ops.soft_threshold(torch.ones(4), x), "self")
    refused(lambda: ops.row_norms(torch.ones(4, 4)), "CPU")


def refused(call, word):
    """A call raises an error that has the word."""
    try:
        call()
    except (RuntimeError, NotImplementedError) as error:
        assert word in str(error), f"the error does not name {word}: {error}"
    else:
        raise AssertionError(f"tensors of two devices were taken; {word} should be refused")


def order_on_a_stream(operators):
    """On the current stream, a kernel runs after what was started there before."""
    side = torch.cuda.Stream()
    for operator in operators:
        old, numbers = operator.arguments((7, 300), "cuda", seed=1)
        new, _ = operator.arguments((7, 300), "cuda", seed=2)
        wanted = operator.function(*new, *numbers)
        torch.cuda.synchronize()
        with torch.cuda.stream(side):
            torch.cuda._sleep(LONG)
            for one, other in zip(old, new, strict=True):
                one.copy_(other)
            got = operator.function(*old, *numbers)
        side.synchronize()
        close(got, wanted, operator.name)


def only_the_stream(operators):
    """A kernel does not wait for another stream, and the host does not wait for it: forward and backward."""
    busy, side = torch.cuda.Stream(), torch.cuda.Stream()
    for operator in operators:
        arguments, numbers = operator.arguments((7, 300), "cuda")
        # What is allocated and loaded for the first time waits for the device.
        with torch.cuda.stream(side):
            gradients(operator.function, arguments, numbers)
        torch.cuda.synchronize()
        with torch.cuda.stream(busy):
            torch.cuda._sleep(4 * LONG)
            end = torch.cuda.Event()
            end.record()
        with torch.cuda.stream(side):
            got = gradients(operator.function, arguments, numbers)
            side.synchronize()
        assert not end.query(), f"{operator.name} waited for another stream"
        torch.cuda.synchronize()
        close(got, gradients(operator.same, [one.cpu() for one in arguments], numbers), operator.name)


def no_synchronization(operators):
    """Neither kernels nor gradients make the host wait."""
    for operator in operators:
        arguments, numbers = operator.arguments((7, 300), "cuda")
        gradients(operator.function, arguments, numbers)
        torch.cuda.set_sync_debug_mode("error")
        try:
            gradients(operator.function, arguments, numbers)
        finally:
            torch.cuda.set_sync_debug_mode("default")


def graphs(operators):
    """A kernel is captured in a CUDA graph, which computes new values when it is replayed."""
    for operator in operators:
        places, numbers = operator.arguments((7, 300), "cuda", seed=1)
        warm = torch.cuda.Stream()
        warm.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(warm):
            operator.function(*places, *numbers)
        torch.cuda.current_stream().wait_stream(warm)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            results = as_tuple(operator.function(*places, *numbers))
        for seed in (2, 3):
            values, _ = operator.arguments((7, 300), "cuda", seed=seed)
            for place, value in zip(places, values, strict=True):
                place.copy_(value)
            graph.replay()
            torch.cuda.synchronize()
            close(results, operator.same(*(one.cpu() for one in values), *numbers), f"{operator.name}, {seed}")


def graphs_of_gradients(operators):
    """Forward and backward are captured too."""
    for operator in operators:
        arguments, numbers = operator.arguments((7, 300), "cuda", seed=1)

        def function(*tensors, operator=operator, numbers=numbers):
            return as_tuple(operator.function(*tensors, *numbers))

        inputs = tuple(one.requires_grad_() for one in arguments)
        captured = torch.cuda.make_graphed_callables(function, inputs)
        values, _ = operator.arguments((7, 300), "cuda", seed=2)
        got = gradients(captured, values, [])
        torch.cuda.synchronize()
        close(got, gradients(operator.same, [one.cpu() for one in values], numbers), operator.name)


def memory(operators):
    """Calls keep no memory."""
    for operator in operators:
        arguments, numbers = operator.arguments((64, 300), "cuda")
        gradients(operator.function, arguments, numbers)
        torch.cuda.synchronize()
        before = torch.cuda.memory_allocated()
        for _ in range(50):
            gradients(operator.function, arguments, numbers)
        torch.cuda.synchronize()
        after = torch.cuda.memory_allocated()
        assert after == before, f"{operator.name} keeps {after - before} bytes"


def large(ops):
    """Indices have 64 bits: a tensor of more than 2**31 elements."""
    count = 2**31 + 256
    free, _ = torch.cuda.mem_get_info()
    if free < 8 * count:
        raise NotRun(f"this GPU has {free / 2**30:.0f} GiB free, and {8 * count / 2**30:.0f} are needed")
    x = torch.ones(count, device="cuda", dtype=torch.float16)
    x[-1] = 3
    got = ops.soft_threshold(x, x)
    close(got[-2:].double(), torch.tensor([0.5, 7.5], dtype=torch.float64), "the last elements")
    close(got[:2].double(), torch.tensor([0.5, 0.5], dtype=torch.float64), "the first elements")
    rows = ops.row_norms(x[: 2**31].view(2**16, 2**15))
    close(rows[-1:].double(), torch.tensor([2.0**7.5], dtype=torch.float64), "the last row", rtol=1e-3, atol=0.1)
