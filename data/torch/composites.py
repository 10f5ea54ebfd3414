"""Makes composites.yaml beside this file: what composite kernels of torch do that no YAML says.

    python3 composites.py                 # two minutes; needs torch with the version of the tables, and PyYAML

Each operator with a composite kernel is called with some hundred small inputs, in a process of its own,
since some inputs crash torch.

* `without_gradient`: no result of a call required a gradient, although inputs did.
* `differentiated`: torch has a derivative for the operator as a whole, which is registered for each key.
  Listed are the operators that its formulas call.
* `calls`: most calls without data reached an operator that has no kernel for that in C++.
* `raise`: the kernel only says that a backend must have one.
"""

import itertools
import os
import pathlib
import random
import re
import signal
import sys
import types

# Meta kernels in Python must not hide that C++ has none.
sys.modules["torch._meta_registrations"] = types.ModuleType("torch._meta_registrations")

import torch  # noqa: E402
import torchgen  # noqa: E402
import yaml  # noqa: E402

HERE = pathlib.Path(__file__).parent
PACKAGED = pathlib.Path(torchgen.__file__).parent / "packaged"
SIZES = [(3, 3), (2, 3), (4,), (2, 3, 4), (2, 2, 3), (2, 4, 6, 6), (2, 2, 3, 3), (2, 2, 2, 3, 3), (1, 2, 6, 6, 6), ()]
TRIES = 400
SECONDS = 20

X, W = (2, 2, 3), (2, 2, 1)
# Arguments that a random search does not find: sizes are tensors.
SAMPLES = {
    "convolution_backward": [X, X, W, [2], [1], [0], [1], False, [0], 1, [True, True, True]],
    "_convolution": [X, W, None, [1], [0], [1], False, [0], 1, False, False, False, False],
    "_convolution.deprecated": [X, W, None, [1], [0], [1], False, [0], 1, False, False, False],
    "_convolution_mode": [X, W, None, [1], "valid", [1], 1],
    "_convolution_double_backward": [X, W, None, X, W, X, [1], [0], [1], False, [0], 1, [True, True, True]],
    "conv_transpose1d": [X, W],
    "conv2d.padding": [(2, 2, 3, 3), (2, 2, 1, 1)],
    "conv_transpose3d.input": [(2, 2, 3, 3, 3), (2, 2, 1, 1, 1)],
}


def tensor(size, dtype, meta):
    if meta:
        return torch.empty(size, dtype=dtype, device="meta")
    if dtype.is_floating_point or dtype.is_complex:
        return (torch.rand(size, dtype=dtype) + 0.1).requires_grad_()
    return torch.ones(size, dtype=dtype)


def value(kind, name, rng, size, dtype, meta):
    """A value of a type of a schema."""
    text = str(kind)
    if name == "dtype":
        return dtype
    if text.startswith("Optional["):
        return None if rng.random() < 0.4 else value(kind.getElementType(), name, rng, size, dtype, meta)
    if text.startswith("List["):
        element = kind.getElementType()
        if str(element) in ("int", "SymInt"):
            length = rng.choice([1, 1, 2, 2, 3, 0, len(size)])
            return [rng.choice([1, 1, 1, 2, 0, 3]) for _ in range(length)]
        return [value(element, name, rng, size, dtype, meta) for _ in range(rng.choice([1, 2, 3]))]
    if text == "Tensor":
        other = dtype if rng.random() < 0.85 else rng.choice([torch.long, torch.bool, torch.int32])
        if "ind" in name or name in ("target", "offsets"):
            other = torch.long if rng.random() < 0.8 else dtype
        shape = size if rng.random() < 0.7 else rng.choice([*SIZES, size[-1:], size[:1]])
        return tensor(shape, other, meta)
    values = {
        "int": [0, 1, 1, 2, -1, 3],
        "SymInt": [0, 1, 1, 2, -1, 3],
        "bool": [True, False],
        "str": ["mean", "none", "linear", "reflect", "constant", "fro", "ij", "floor"],
    }
    return rng.choice(values.get(text, [0.5, 1.0, 2, 1]))


def arguments(operator, rng, meta, dtypes):
    """Positional and named arguments of a call."""
    schema = operator._schema
    size, dtype = rng.choice(SIZES), rng.choice(dtypes)
    name = schema.name.removeprefix("aten::") + ("." + schema.overload_name if schema.overload_name else "")
    sample = SAMPLES.get(name) if rng.random() < 0.5 else None
    positional, named = [], {}
    for place, argument in enumerate(schema.arguments):
        if sample is not None:
            if place < len(sample):
                given = sample[place]
                positional.append(tensor(given, dtype, meta) if isinstance(given, tuple) else given)
            continue
        if argument.has_default_value():
            if rng.random() < 0.5 or argument.name in ("dtype", "layout", "device", "pin_memory", "memory_format"):
                if not argument.kwarg_only:
                    positional.append(argument.default_value)
                continue
        made = value(argument.type, argument.name, rng, size, dtype, meta)
        if argument.kwarg_only:
            named[argument.name] = made
        else:
            positional.append(made)
    return positional, named


def tensors(result):
    if isinstance(result, torch.Tensor):
        return [result]
    if isinstance(result, (list, tuple)):
        return list(itertools.chain.from_iterable(map(tensors, result)))
    return []


def called_without_data(operator, rng):
    """The operators without a kernel that calls on the device `meta` reach, if most calls do."""
    reached, worked = {}, 0
    for _ in range(TRIES):
        try:
            given, named = arguments(operator, rng, True, [torch.float32] * 4 + [torch.complex64])
            operator(*given, **named)
            worked += 1
        except Exception as error:
            found = re.match(r"(?:aten::)?([\w.]+): attempted to run this operator with Meta", str(error))
            found = found or re.match(r"(\w+_overrideable)(?: not implemented|:)", str(error))
            if found:
                reached[found[1]] = reached.get(found[1], 0) + 1
    return sorted(reached) if sum(reached.values()) > worked else []


def requires_gradient(operator, rng, dtype=torch.float32):
    """Whether a result requires a gradient, after calls that work; None if none does."""
    worked = None
    for _ in range(TRIES):
        try:
            given, named = arguments(operator, rng, False, [dtype])
            is_input = any(one.requires_grad for one in tensors(given))
            if operator._schema.name.endswith("_") and isinstance(given[0], torch.Tensor):
                given[0] = given[0] * 1
            if not is_input and dtype.is_floating_point:
                continue
            result = operator(*given, **named)
        except Exception:
            continue
        if any(one.requires_grad for one in tensors(result)):
            return True
        worked = False
    return worked


def gradient(operator, rng):
    found = requires_gradient(operator, rng)
    # What works for integers alone has no gradient.
    return requires_gradient(operator, rng, torch.long) if found is None else found


def own_derivative(operator, rng):
    """Whether torch has a kernel for autograd of a backend with a kernel of its own."""
    name = operator._schema.name + ("." + operator._schema.overload_name if operator._schema.overload_name else "")
    library = torch.library.Library("aten", "IMPL", "PrivateUse1")
    library.impl(name.removeprefix("aten::"), lambda *_, **__: None)
    lines = torch._C._dispatch_dump_table(name).splitlines()
    return any(line.startswith("AutogradPrivateUse1:") and "[autograd kernel]" in line for line in lines)


def apart(work, operator):
    """The answer of a function in a process of its own; None if it crashes."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        signal.setitimer(signal.ITIMER_PROF, SECONDS)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        torch.set_num_threads(1)
        os.write(write, repr(work(operator, random.Random(0))).encode())
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as answer:
        text = answer.read()
    os.waitpid(child, 0)
    return eval(text) if text else None


def is_composite(entry, kind):
    dispatch = entry.get("dispatch") or {}
    keys = {key.strip() for keys in dispatch for key in keys.split(",")}
    if entry.get("manual_cpp_binding"):
        return False
    has_default = not dispatch and not is_structured(entry) and kind == "CompositeImplicit"
    return has_default or any(key.startswith(kind) for key in keys)


def is_structured(entry):
    return bool(entry.get("structured") or entry.get("structured_delegate"))


def called_by_formulas(name, derivatives, names):
    """The operators that the formulas of a derivative call."""
    for entry in derivatives:
        if entry["name"].split("(")[0] == name:
            texts = [str(text) for key, text in entry.items() if key not in ("name", "dispatch", "output_differentiability")]
            return sorted({word for text in texts for word in re.findall(r"(\w+)\(", text)} & names)
    return []


def main():
    entries = yaml.safe_load((PACKAGED / "ATen/native/native_functions.yaml").read_text())
    derivatives = yaml.safe_load((PACKAGED / "autograd/derivatives.yaml").read_text())
    names = {entry["func"].split("(")[0].split(".")[0] for entry in entries}
    table = {"without_gradient": [], "differentiated": {}, "calls": {}, "raise": []}
    for entry in entries:
        name = entry["func"].split("(")[0]
        implicit = is_composite(entry, "CompositeImplicit")
        if not implicit and not is_composite(entry, "CompositeExplicit"):
            continue
        base, _, overload = name.partition(".")
        operator = getattr(getattr(torch.ops.aten, base, None), overload or "default", None)
        if operator is None:
            continue
        schema = operator._schema
        ends = [schema.arguments, schema.returns]
        if any(one.is_out for one in schema.arguments) or not all(any("Tensor" in str(one.type) for one in end) for end in ends):
            continue
        if base.endswith("_overrideable"):
            table["raise"].append(name)
        if implicit and apart(own_derivative, operator):
            table["differentiated"][name] = called_by_formulas(name, derivatives, names)
        elif implicit and apart(gradient, operator) is False:
            table["without_gradient"].append(name)
        if not base.endswith("_") and not is_structured(entry) and "Meta" not in str(entry.get("dispatch")):
            reached = apart(called_without_data, operator) or []
            if reached and not base.endswith("_overrideable"):
                table["calls"][name] = reached
    table["without_gradient"].sort()
    table["raise"].sort()
    for part in ("differentiated", "calls"):
        table[part] = dict(sorted(table[part].items()))
    comment = f"# What composite kernels of torch {torch.__version__.split('+')[0]} do. composites.py makes this table, and says what is in it.\n"
    text = yaml.safe_dump(table, sort_keys=False, width=100, default_flow_style=None)
    (HERE / "composites.yaml").write_text(comment + text)


main()
