"""The checks that need no GPU of their own: values, gradients, fakes, compiled programs."""

import torch

from operators import as_tuple, gradients
from table import NotRun

SIZES = [(1,), (5,), (3, 4), (2, 3, 70), (4, 0, 3)]
# Of several blocks. On the CPU, a barrier of threads takes long.
LARGE = [(257, 33), (2, 3, 1025)]


def close(got, wanted, what, **tolerance):
    """Compares tensors, wherever they are."""
    def message(text):
        return f"{what}: {text}"

    for one, other in zip(as_tuple(got), as_tuple(wanted), strict=True):
        torch.testing.assert_close(one.detach().cpu(), other.detach().cpu(), equal_nan=True, msg=message, **tolerance)


def values(operators, device):
    """Values in each dtype are those of double precision, rounded once."""
    for operator in operators:
        for dtype in (torch.float64, torch.float32, torch.float16, torch.bfloat16):
            for sizes in SIZES + (LARGE if device.type == "cuda" else []):
                arguments, numbers = operator.arguments(sizes, device, dtype)
                if operator.name == "moments" and arguments[0].numel() == 0:
                    continue
                got = operator.function(*arguments, *numbers)
                exact = operator.same(*(one.cpu().double() for one in arguments), *numbers)
                wanted = tuple(one.to(dtype) for one in as_tuple(exact))
                close(got, wanted, f"{operator.name} of {dtype} {sizes}")


def strides(operators, device):
    """Tensors that are not contiguous have the values of those that are."""
    for operator in operators:
        arguments, numbers = operator.arguments((6, 8), device)
        turned = [one.t().contiguous().t() for one in arguments]
        parts = [torch.stack([one, one + 1], -1)[..., 0] for one in arguments]
        wanted = operator.function(*arguments, *numbers)
        for others in (turned, parts):
            if operator.name == "add_scaled_":
                others = [arguments[0], others[1]]
            assert not others[-1].is_contiguous()
            close(operator.function(*others, *numbers), wanted, operator.name)


def gradients_of_reference(operators, device):
    """Gradients are those of PyTorch's own operators in double precision on the CPU."""
    for operator in operators:
        for sizes in ((5,), (7, 300) if device.type == "cuda" else (7, 30), (2, 3, 4)):
            arguments, numbers = operator.arguments(sizes, device)
            wanted = gradients(operator.same, [one.cpu() for one in arguments], numbers)
            close(gradients(operator.function, arguments, numbers), wanted, f"{operator.name} of {sizes}")


def numeric_gradients(operators, device):
    """Gradients, tangents and second derivatives are those of differences."""
    for operator in operators:
        arguments, numbers = operator.arguments((3, 4), device)
        inputs = [one.requires_grad_() for one in arguments]

        def function(*tensors, operator=operator, numbers=numbers):
            return operator.function(*tensors, *numbers)

        assert torch.autograd.gradcheck(function, inputs, check_forward_ad=True), operator.name
        assert torch.autograd.gradgradcheck(function, inputs), operator.name


def unused_results(operators, device):
    """A result that the loss does not use has a gradient of zeros."""
    operator = next(one for one in operators if one.name == "moments")
    for at in (0, 1):
        (x,), _ = operator.arguments((5, 6), device)
        x.requires_grad_()
        (got,) = torch.autograd.grad(operator.function(x)[at], x)
        (wanted,) = torch.autograd.grad(operator.same(x)[at], x)
        close(got, wanted, f"result {at}")


def mutation(ops, device):
    """An argument that is changed has a new version, so that autograd does not use what it saved."""
    x = torch.ones(4, device=device, dtype=torch.float64)
    version = x._version
    assert ops.add_scaled_(x, torch.full_like(x, 2), 0.5) is x and x._version == version + 1
    close(x, torch.full((4,), 2.0, dtype=torch.float64), "the value")
    weight = torch.ones(4, device=device, dtype=torch.float64, requires_grad=True)
    hidden = weight * 2
    total = hidden.square().sum()
    ops.add_scaled_(hidden, torch.ones_like(x), 1.0)
    try:
        total.backward()
    except RuntimeError as error:
        assert "modified by an inplace operation" in str(error), error
    else:
        raise AssertionError("backward used a value that was changed")


def transforms(operators, device):
    """torch.vmap, torch.func.grad and torch.func.jvp."""
    for operator in operators:
        if operator.name == "add_scaled_":
            continue
        arguments, numbers = operator.arguments((4, 3, 5), device)
        mapped = torch.vmap(lambda *tensors: operator.function(*tensors, *numbers))(*arguments)
        wanted = torch.vmap(lambda *tensors: operator.same(*tensors, *numbers))(*arguments)
        close(mapped, wanted, f"vmap of {operator.name}")
        tangents = tuple(torch.ones_like(one) for one in arguments)
        got = torch.func.jvp(lambda *tensors: operator.function(*tensors, *numbers), tuple(arguments), tangents)
        wanted = torch.func.jvp(lambda *tensors: operator.same(*tensors, *numbers), tuple(arguments), tangents)
        close(got[1], wanted[1], f"jvp of {operator.name}")


def fakes(operators, device):
    """Fakes have the sizes, strides, dtypes and devices of results."""
    from torch._subclasses.fake_tensor import FakeTensorMode

    for operator in operators:
        for sizes in ((5,), (3, 4), (2, 3, 4)):
            arguments, numbers = operator.arguments(sizes, device, torch.float32)
            results = as_tuple(operator.function(*arguments, *numbers))
            with FakeTensorMode() as mode:
                made = as_tuple(operator.function(*(mode.from_tensor(one) for one in arguments), *numbers))
            for real, fake in zip(results, made, strict=True):
                facts = [(one.shape, one.stride(), one.dtype, one.device) for one in (real, fake)]
                assert facts[0] == facts[1], f"{operator.name}: {facts[0]} and {facts[1]}"


def opcheck(ops, operators, device):
    """torch.library.opcheck of each operator."""
    try:
        import expecttest  # noqa: F401
    except ImportError:
        raise NotRun("torch.library.opcheck needs the package expecttest") from None
    for operator in operators:
        arguments, numbers = operator.arguments((3, 4), device)
        overload = getattr(ops, operator.name).default
        inputs = [one.requires_grad_(not operator.name.endswith("_")) for one in arguments]
        torch.library.opcheck(overload, (*inputs, *numbers))


def compiled(operators, device, backend, **options):
    """Compiled programs without breaks have the values and the gradients of eager ones."""
    if backend == "inductor" and device.type == "cuda":
        try:
            import triton  # noqa: F401
        except ImportError:
            raise NotRun("inductor needs triton for GPUs") from None
    for operator in operators:
        torch._dynamo.reset()

        def function(*arguments, operator=operator):
            return tuple(one * 2 for one in as_tuple(operator.function(*arguments)))

        program = torch.compile(function, fullgraph=True, backend=backend, **options)
        for sizes in ((3, 4), (6, 5)):
            arguments, numbers = operator.arguments(sizes, device, torch.float32)
            for _ in range(3 if options.get("mode") else 1):
                got = program(*arguments, *numbers)
                close(got, function(*arguments, *numbers), operator.name)
                eager = gradients(function, arguments, numbers)
                close(gradients(program, arguments, numbers), eager, f"the gradient of {operator.name}")
