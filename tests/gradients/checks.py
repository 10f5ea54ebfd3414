"""The checks of one operator. Each raises an error, or returns facts that both ABIs have to share."""

import functools
import inspect
import itertools
import zlib

import torch
from torch.autograd import forward_ad

from inputs import SITUATIONS, Arguments

counted = {"gradients": 0}
PLAIN = SITUATIONS[0]


def results(outputs):
    """As a tuple. A result that is None becomes a zero, which has no gradient."""
    outputs = tuple(outputs) if isinstance(outputs, (tuple, list)) else (outputs,)
    return tuple(torch.zeros((), dtype=torch.double) if out is None else out for out in outputs)


class Composite:
    """The operator in Python. What it computes is kept for all variants and both ABIs, since it takes longer."""

    def __init__(self, operator, function):
        self.operator, self.function = operator, function
        self.differentiable = operator["differentiable"]
        self._kept = {}

    def __call__(self, arguments, values):
        # Its states are its own.
        values = [
            value.clone() if argument["kind"] == "State" else value
            for argument, value in zip(self.operator["arguments"], values)
        ]
        outputs = results(self.function(*values))
        return tuple(out if flag else out.detach() for out, flag in zip(outputs, self.differentiable))

    def once(self, key, compute):
        if key not in self._kept:
            self._kept[key] = compute()
        return self._kept[key]

    def outputs(self, situation):
        one = Arguments(self.operator, situation)
        return self.once(("outputs", situation.name), lambda: self(one, one.values))

    def gradients(self, situation, chosen, used):
        def compute():
            one = Arguments(self.operator, situation)
            outputs, first, second = gradients(self, one, tracked(one, chosen), used)
            return tuple([one if one is None else one.detach() for one in all] for all in (outputs, first, second))

        return self.once((situation.name, *sorted(chosen), "outputs", *used), compute)

    def tangents(self, situation, chosen):
        """As `tangents`, with zeros for what has none: torch computes without them by slow functions in Python."""
        one = Arguments(self.operator, situation)
        key = ("tangents", situation.name, *sorted(chosen))
        return self.once(key, lambda: tangents(self, one, chosen, zeros=True))


class Subject:
    """An operator on one ABI, its variants, and its composite."""

    def __init__(self, operator, operators, package, composite):
        self.operator = operator
        self.function = getattr(operators, operator["name"])
        self.package = getattr(package, operator["name"])
        self.inplace = getattr(operators, operator["name"] + "_") if operator["inplace"] else None
        self.composite = composite
        self.derived = operator["derivative"] in ("Each", "Joint")
        self.differentiable = operator["differentiable"]
        self.mutates = any(argument["kind"] == "State" for argument in operator["arguments"])
        self.is_view = operator["form"] == "View"

    def call(self, arguments, values):
        return results(arguments.call(self.function, values))

    def call_inplace(self, arguments, values):
        first, *rest = values
        first = first.clone()
        counts = not first.is_inference()
        version = first._version if counts else 0
        output = arguments.call(self.inplace, [first, *rest])
        assert output is first, "an inplace operator returns self"
        if counts:
            assert first._version > version, "the version of self is the same"
        return (output,)

    def call_inplace_on_view(self, arguments, values):
        first, *rest = values
        view = torch.stack([first, first])[0]
        assert arguments.call(self.inplace, [view, *rest]) is view, "an inplace operator returns self"
        return (view,)

    def calls(self):
        return [self.call, self.call_inplace, self.call_inplace_on_view] if self.inplace else [self.call]


def close(found, wanted, what):
    """Both are the same, where no gradient is zero."""
    if found is None or wanted is None:
        other = wanted if found is None else found
        assert other is None or not other.detach().any(), f"{what}: {found} and {wanted}"
        return
    assert found.shape == wanted.shape, f"{what}: {tuple(found.shape)} and {tuple(wanted.shape)}"
    assert torch.allclose(found, wanted, rtol=1e-9, atol=1e-11), f"{what}: {found.tolist()} and {wanted.tolist()}"


def refuses(call, words):
    try:
        call()
    except RuntimeError as error:
        assert words in str(error), str(error)
    else:
        raise AssertionError(f"no error: {words}")


def weights(outputs, seed=0):
    generator = torch.Generator().manual_seed(seed)
    return [torch.randn(out.shape, dtype=torch.double, generator=generator) for out in outputs]


def subsets(count, limit=8):
    """Sets of places: all of few, else each one alone and all."""
    if 2**count - 1 <= limit:
        return [
            set(one) for size in range(1, count + 1) for one in itertools.combinations(range(count), size)
        ]
    return [{one} for one in range(count)] + [set(range(count))]


def cases(subject, situation, count):
    """Sets of inputs and of outputs: all of both for the plain situation, and some for the others.

    The others differ in what kernels and formulas read, hardly in what is tracked. Which they have
    depends on the names of operator and situation, so that all occur in some library.
    """
    pairs = list(itertools.product(subsets(count), used_outputs(subject)))
    if situation is PLAIN or len(pairs) < 4:
        return pairs
    number = zlib.crc32(f"{subject.operator['name']} {situation.name}".encode())
    return [(set(range(count)), used_outputs(subject)[0]), pairs[number % len(pairs)]]


def tracked(arguments, chosen):
    return [leaf.detach().requires_grad_(place in chosen) for place, leaf in enumerate(arguments.leaves)]


def gradients(call, arguments, leaves, used):
    """Outputs, gradients, and gradients of these, for a loss of some outputs."""
    wanted = [leaf for leaf in leaves if leaf.requires_grad]
    outputs = call(arguments, arguments.replaced(leaves))
    factors = weights(outputs)
    losses = [(outputs[place] * factors[place]).sum() for place in used if outputs[place].requires_grad]
    if not losses:
        return outputs, [None] * len(wanted), [None] * len(wanted)
    first = torch.autograd.grad(sum(losses), wanted, create_graph=True, allow_unused=True)
    again = [(one * one.detach().cos()).sum() for one in first if one is not None and one.requires_grad]
    if not again:
        return outputs, first, [None] * len(wanted)
    counted["gradients"] += 0 if isinstance(call, Composite) else 2 * len(wanted)
    return outputs, first, torch.autograd.grad(sum(again), wanted, allow_unused=True)


def used_outputs(subject):
    places = [place for place, flag in enumerate(subject.differentiable) if flag]
    return [list(reversed(places))] + ([[place] for place in places] if len(places) > 1 else [])


def values(subject):
    """Values with and without gradients, in all modes, by the operator and by the package's function."""
    for situation in SITUATIONS:
        def arguments():
            return Arguments(subject.operator, situation)

        one = arguments()
        wanted = subject.composite.outputs(situation)
        states = [2 * state + 1 for state in one.states]
        for call in subject.calls():
            for mode in (torch.no_grad, torch.enable_grad, torch.inference_mode):
                one = arguments()
                leaves = [leaf.detach().requires_grad_(True) for leaf in one.leaves]
                tracked_too = mode is torch.enable_grad
                with mode():
                    found = call(one, one.replaced([one.detach() for one in leaves] if tracked_too else leaves))
                for place, (out, right) in enumerate(zip(found, wanted, strict=True)):
                    close(out, right, f"{situation.name} {mode.__name__} output {place}")
                    # As of torch's own views, which require one in all modes.
                    wanted_flag = subject.is_view and not tracked_too
                    assert out.requires_grad == wanted_flag, f"{mode.__name__}: output {place} requires a gradient"
                for state, right in zip(one.states, states):
                    close(state, right, f"{situation.name} state")
        one = arguments()
        # The package's function has other names for parameters that Python would take for private.
        parameters = inspect.signature(subject.package).parameters
        # A function of several overloads may pass all on.
        passes_on = any(one.kind is one.VAR_KEYWORD for one in parameters.values())
        names = None if passes_on else list(parameters)
        found = one.call(subject.package, one.values, names=names)
        found = results(found)
        for out, right in zip(found, wanted, strict=True):
            close(out, right, f"{situation.name} package")


def gradients_twice(subject):
    """Gradients and second gradients for each set of inputs that require one, and each set of outputs."""
    facts = []
    if not subject.derived:
        return facts
    for situation in SITUATIONS:
        count = len(Arguments(subject.operator, situation).leaves)
        for call in subject.calls():
            for chosen, used in cases(subject, situation, count):
                what = f"{call.__name__} {situation.name} inputs {sorted(chosen)} outputs {used}"
                one = Arguments(subject.operator, situation)
                outputs, first, second = gradients(call, one, tracked(one, chosen), used)
                flags = [out.requires_grad for out in outputs]
                assert flags == one.given(subject.differentiable), f"{what}: outputs require gradients: {flags}"
                right = subject.composite.gradients(situation, chosen, used)
                for out, wanted in zip(outputs, right[0]):
                    close(out, wanted, f"{what} value")
                for found, wanted in zip(first, right[1]):
                    close(found, wanted, f"{what} gradient")
                for found, wanted in zip(second, right[2]):
                    close(found, wanted, f"{what} second gradient")
                facts.append(f"{what}: {[one is None for one in first]} {[one is None for one in second]}")
    return facts


def numerical(subject):
    """Numerical gradients."""
    if not subject.derived or subject.mutates:
        return
    for call in subject.calls():
        one = Arguments(subject.operator, PLAIN)
        leaves = tracked(one, set(range(len(one.leaves))))

        def function(*leaves):
            outputs = call(one, one.replaced(leaves))
            # gradcheck takes outputs by their places among those that require gradients.
            return [out for out, flag in zip(outputs, one.given(subject.differentiable)) if flag]

        forward = subject.operator["forward"]
        assert torch.autograd.gradcheck(
            function, leaves, check_forward_ad=forward, check_batched_grad=False, fast_mode=True
        )


def tangents(call, arguments, chosen, zeros=False):
    with forward_ad.dual_level():
        generator = torch.Generator().manual_seed(1)
        duals = [
            forward_ad.make_dual(leaf, torch.randn(leaf.shape, dtype=torch.double, generator=generator))
            if place in chosen else forward_ad.make_dual(leaf, torch.zeros_like(leaf)) if zeros else leaf
            for place, leaf in enumerate(arguments.leaves)
        ]
        return [forward_ad.unpack_dual(out).tangent for out in call(arguments, arguments.replaced(duals))]


def forward(subject):
    """Tangents for each set of inputs that have one."""
    facts = []
    for situation in SITUATIONS:
        count = len(Arguments(subject.operator, situation).leaves)
        for call in subject.calls():
            for chosen in {frozenset(chosen): chosen for chosen, _ in cases(subject, situation, count)}.values():
                what = f"{call.__name__} {situation.name} inputs {sorted(chosen)}"
                one = Arguments(subject.operator, situation)
                if subject.operator["derivative"] == "Never":
                    found = tangents(call, one, chosen)
                    assert found == [None] * len(found), f"{what}: {found}"
                    continue
                if not subject.operator["forward"]:
                    try:
                        tangents(call, one, chosen)
                    except (NotImplementedError, RuntimeError):
                        facts.append(f"{what}: raises")
                    else:
                        raise AssertionError(f"{what}: no error without a formula")
                    continue
                found = tangents(call, one, chosen)
                for flag, out, right in zip(subject.differentiable, found, subject.composite.tangents(situation, chosen)):
                    close(out, right if flag else None, what)
    return facts


def without_derivative(subject):
    """What has no derivative raises an error, or has no gradients."""
    kind = subject.operator["derivative"]
    if subject.derived:
        return
    one = Arguments(subject.operator, PLAIN)
    leaves = tracked(one, set(range(len(one.leaves))))
    if kind == "Never":
        outputs = subject.call(one, one.replaced(leaves))
        assert not any(out.requires_grad for out in outputs), "differentiable: False"
        return
    try:
        sum(out.sum() for out in subject.call(one, one.replaced(leaves))).backward()
    except (RuntimeError, NotImplementedError) as error:
        assert "derivative" in str(error), str(error)
    else:
        raise AssertionError("no error")


def versions(subject):
    """An input or output that changed between forward and backward raises an error, if backward needs it."""
    facts = []
    if not subject.derived:
        return facts
    for call in subject.calls():
        count = len(Arguments(subject.operator, PLAIN).leaves)
        right = subject.composite.gradients(PLAIN, set(range(count)), used_outputs(subject)[0])[1]
        outputs = len(subject.differentiable)
        for place in range(count + outputs):
            one = Arguments(subject.operator, PLAIN)
            leaves = tracked(one, set(range(count)))
            # Inputs that are not leaves, so that an inplace operator can change them.
            found = call(one, one.replaced(leaves))
            factors = weights(found)
            changed = leaves[place] if place < count else found[place - count]
            loss = sum((found[used] * factors[used]).sum() for used in used_outputs(subject)[0])
            with torch.no_grad():
                changed.mul_(3)
            what = f"{call.__name__} changed {place}"
            try:
                grads = torch.autograd.grad(loss, leaves, allow_unused=True)
            except RuntimeError as error:
                assert "modified by an inplace operation" in str(error), str(error)
                facts.append(f"{what}: raises")
            else:
                for grad, wanted in zip(grads, right):
                    close(grad, wanted, what)
                facts.append(f"{what}: right")
    return facts


def complex_tensors(subject):
    """Complex tensors have the gradients of the composite, if the entry says so, and raise an error if it does not."""
    if not subject.derived:
        return

    def derived(call):
        one = Arguments(subject.operator, PLAIN)
        leaves = [torch.complex(leaf, leaf.cos()).requires_grad_() for leaf in one.leaves]
        outputs = call(one, one.replaced(leaves))
        used = [outputs[place] for place in used_outputs(subject)[0]]
        factors = [torch.complex(weight, weight.cos()) for weight in weights(used)]
        return [*used, *torch.autograd.grad(used, leaves, factors, allow_unused=True)]

    for call in subject.calls():
        if not subject.operator["complex"]:
            refuses(lambda: derived(call), "complex_gradients: True")
            continue
        right = subject.composite.once("complex", lambda: derived(subject.composite))
        for place, (found, wanted) in enumerate(zip(derived(call), right, strict=True)):
            close(found, wanted, f"{call.__name__} {place}")


def hooks(subject):
    """Hooks of inputs, outputs and saved tensors; backward twice; gradients add up."""
    if not subject.derived:
        return
    for call in subject.calls():
        one = Arguments(subject.operator, PLAIN)
        leaves = tracked(one, set(range(len(one.leaves))))
        right = subject.composite.gradients(PLAIN, set(range(len(leaves))), used_outputs(subject)[0])[1]
        seen = {}

        def note(place, grad):
            # A gradient that is undefined comes as None.
            seen[place] = None if grad is None else grad.clone()

        for place, leaf in enumerate(leaves):
            leaf.register_hook(functools.partial(note, place))
        packed = []

        def pack(tensor):
            packed.append(tensor)
            return len(packed) - 1

        with torch.autograd.graph.saved_tensors_hooks(pack, lambda place: packed[place]):
            outputs = call(one, one.replaced(leaves))
        factors = weights(outputs)
        for place in used_outputs(subject)[0]:
            if outputs[place].requires_grad:
                outputs[place].register_hook(lambda grad: grad * 2)
        loss = sum((outputs[place] * factors[place]).sum() for place in used_outputs(subject)[0])
        loss.backward(retain_graph=True)
        for place, wanted in enumerate(right):
            close(seen.get(place), None if wanted is None else 2 * wanted, f"{call.__name__} hook of input {place}")
        loss.backward()
        for place, wanted in enumerate(right):
            close(leaves[place].grad, None if wanted is None else 4 * wanted, f"{call.__name__} sum of input {place}")
        if packed:
            try:
                loss.backward()
            except RuntimeError as error:
                assert "a second time" in str(error), str(error)
            else:
                raise AssertionError("backward a second time")


def over_reverse(subject):
    """Forward mode over backward, where both exist."""
    if not subject.derived:
        return
    def both(call, arguments):
        generator = torch.Generator().manual_seed(2)
        with forward_ad.dual_level():
            leaves = [leaf.detach().requires_grad_() for leaf in arguments.leaves]
            duals = [
                forward_ad.make_dual(leaf, torch.randn(leaf.shape, dtype=torch.double, generator=generator))
                for leaf in leaves
            ]
            outputs = call(arguments, arguments.replaced(duals))
            factors = weights(outputs)
            loss = sum((outputs[place] * factors[place]).sum() for place in used_outputs(subject)[0])
            grads = torch.autograd.grad(loss, leaves, allow_unused=True)
            return [None if grad is None else forward_ad.unpack_dual(grad).tangent for grad in grads]

    if not subject.operator["forward"]:
        return
    right = subject.composite.once("over reverse", lambda: both(subject.composite, Arguments(subject.operator, PLAIN)))
    for call in subject.calls():
        for found, wanted in zip(both(call, Arguments(subject.operator, PLAIN)), right):
            close(found, wanted, call.__name__)


def out_variant(subject):
    """Out arguments have the value and a new version, and no gradients."""
    if not subject.operator["out"]:
        return
    # `out_1` beside an input `out`.
    name = subject.function.out._schema.arguments[-1].name
    for situation in SITUATIONS:
        one = Arguments(subject.operator, situation)
        wanted = subject.composite.outputs(situation)[0]
        out = torch.empty_like(wanted)
        version = out._version
        assert one.call(subject.function.out, one.values, **{name: out}) is out, "an out variant returns out"
        close(out, wanted, situation.name)
        assert out._version > version, "the version of out is the same"
    # The call raises an error, or backward does.
    one = Arguments(subject.operator, PLAIN)
    leaves = tracked(one, {0})
    out = torch.empty_like(subject.composite.outputs(PLAIN)[0])
    try:
        one.call(subject.function.out, one.replaced(leaves), **{name: out})
        if subject.operator["derivative"] == "Never" and not out.requires_grad:
            return
        out.sum().backward()
    except (RuntimeError, NotImplementedError) as error:
        assert "out" in str(error) or "derivative" in str(error), str(error)
    else:
        raise AssertionError("no error for an input that requires a gradient")


def mutated(subject):
    """A mutated argument has a new version, and cannot require a gradient."""
    if subject.inplace:
        one = Arguments(subject.operator, PLAIN)
        leaves = tracked(one, {0})
        try:
            one.call(subject.inplace, one.replaced(leaves))
        except RuntimeError as error:
            assert "a leaf Variable that requires grad" in str(error), str(error)
        else:
            raise AssertionError("no error for a leaf")
    if not subject.mutates:
        return
    one = Arguments(subject.operator, PLAIN)
    versions = [state._version for state in one.states]
    subject.call(one, one.values)
    for state, version in zip(one.states, versions):
        assert state._version > version, "the version of the state is the same"
    if not subject.derived:
        return
    one = Arguments(subject.operator, PLAIN)
    for state in one.states:
        state.requires_grad_()
    try:
        subject.call(one, one.values)
    except RuntimeError as error:
        assert "gradient" in str(error) or "requires" in str(error), str(error)
    else:
        raise AssertionError("no error for a state that requires a gradient")


def fakes(subject):
    """Fake outputs have the shape, strides, dtype and device of real ones."""
    from torch._subclasses.fake_tensor import FakeTensorMode

    for situation in SITUATIONS:
        one = Arguments(subject.operator, situation)
        real = subject.call(Arguments(subject.operator, situation), Arguments(subject.operator, situation).values)
        with FakeTensorMode() as mode:
            leaves = [mode.from_tensor(leaf) for leaf in one.leaves]
            faked = one.replaced(leaves)
            of_kind = {"State": mode.from_tensor, "MaybeList": lambda list: list and [mode.from_tensor(one) for one in list]}
            faked = [
                of_kind.get(argument["kind"], lambda value: value)(value)
                for argument, value in zip(subject.operator["arguments"], faked)
            ]
            for call in subject.calls():
                for fake, out in zip(call(one, faked), real, strict=True):
                    for what in ("shape", "dtype", "device"):
                        assert getattr(fake, what) == getattr(out, what), f"{situation.name} {what}: {fake} and {out}"
                    # An inplace operator has the strides of self.
                    if call == subject.call:
                        assert fake.stride() == out.stride(), f"{situation.name}: {fake.stride()} and {out.stride()}"


def views(subject):
    """A view shares memory and version with its base, and gradients go through what is written to it."""
    if not subject.is_view:
        return

    def written(call):
        leaf = tracked(Arguments(subject.operator, PLAIN), {0})[0]
        base = leaf * 1
        view = call(Arguments(subject.operator, PLAIN), [base])[0]
        assert view._base is base and view.data_ptr() == base.data_ptr(), "no view of its argument"
        version = base._version
        view.mul_(torch.full_like(view, 3).detach()).add_(view.detach().sin())
        assert base._version == view._version > version, "versions differ"
        factors = weights([base, view])
        return torch.autograd.grad((base**2 * factors[0]).sum() + (view * factors[1]).sum(), leaf)[0]

    close(written(subject.call), written(subject.composite), "gradient of a written view")


def transformed(subject):
    """torch.func has the gradients and tangents of the composite, and torch.vmap calls it for each element."""
    one, other = (Arguments(subject.operator, PLAIN) for _ in range(2))
    leaves, outputs = tuple(one.leaves), used_outputs(subject)[0]
    if not leaves:
        return

    def call(*leaves):
        # A transform refuses to mutate what it does not know.
        values = [
            value.clone() if argument["kind"] == "State" else value
            for argument, value in zip(subject.operator["arguments"], one.replaced(leaves))
        ]
        return subject.call(one, values)

    wanted = subject.composite.gradients(PLAIN, set(range(len(leaves))), outputs)
    if subject.derived:
        factors = weights(wanted[0])

        def loss(*leaves):
            results = call(*leaves)
            return sum((results[place] * factors[place]).sum() for place in outputs)

        found = torch.func.grad(loss, argnums=tuple(range(len(leaves))))(*leaves)
        for place, (grad, right) in enumerate(zip(found, wanted[1])):
            close(grad, torch.zeros_like(grad) if right is None else right, f"func.grad {place}")
    if subject.operator["forward"] and subject.derived:
        ones = tuple(torch.ones_like(leaf) for leaf in leaves)
        found = torch.func.jvp(call, leaves, ones)[1]
        right = torch.func.jvp(lambda *leaves: subject.composite(one, one.replaced(leaves)), leaves, ones)[1]
        for place in outputs:
            close(found[place], right[place], f"func.jvp {place}")
    for chosen in (range(len(leaves)), [0], [len(leaves) - 1]) if not subject.mutates else ():
        dims = tuple(1 if place in chosen else None for place in range(len(leaves)))
        batch = [torch.stack([leaf, leaf * 0.5, leaf - 1], 1) if dim else leaf for leaf, dim in zip(leaves, dims)]
        if subject.is_view:
            refuses(lambda: torch.vmap(call, in_dims=dims)(*batch), "Batching rule not implemented")
            continue
        found = torch.vmap(call, in_dims=dims)(*batch)
        for i in range(3):
            each = [leaf.select(1, i) if dim else leaf for leaf, dim in zip(batch, dims)]
            for out, right in zip(found, subject.composite(other, other.replaced(each)), strict=True):
                close(out[i], right.detach(), f"vmap of {list(chosen)}")


def compiled(subject):
    """A compiled function has the values and gradients of the composite."""
    if not subject.derived:
        return
    for call in subject.calls():
        one = Arguments(subject.operator, PLAIN)
        chosen = set(range(len(one.leaves)))

        def function(*leaves):
            return call(one, one.replaced(leaves))

        if call == subject.call_inplace_on_view:
            continue
        if call == subject.call_inplace:
            def function(*leaves):
                first, *rest = one.replaced(leaves)
                return (one.call(subject.inplace, [first * 1, *rest]),)

        torch._dynamo.reset()
        program = torch.compile(function, backend="aot_eager", fullgraph=True)
        leaves = tracked(one, chosen)
        outputs = program(*leaves)
        factors = weights(outputs)
        used = used_outputs(subject)[0]
        grads = torch.autograd.grad(
            sum((outputs[place] * factors[place]).sum() for place in used), leaves, allow_unused=True
        )
        right = subject.composite.gradients(PLAIN, chosen, used)
        for found, wanted in zip(outputs, right[0], strict=True):
            close(found, wanted, f"{call.__name__} value")
        for found, wanted in zip(grads, right[1]):
            close(found, wanted, f"{call.__name__} gradient")


ALL = [
    values,
    gradients_twice,
    numerical,
    forward,
    without_derivative,
    versions,
    complex_tensors,
    hooks,
    over_reverse,
    out_variant,
    mutated,
    fakes,
    views,
    transformed,
    compiled,
]
COMPILING = [compiled]
