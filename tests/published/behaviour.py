"""Calls every operator of tests/published through its Python function, with arguments of the schema's types.

Each kernel adds one to the tensors that its schema marks as written, so the calls show that arguments arrive,
that written tensors are counted, and that returned ones are the same tensors.
"""

import importlib
import sys

import torch

BUILD, LIBRARY = sys.argv[1:]
NAMESPACES = ["engine", "video", "attn", "embed"]
torch.ops.load_library(LIBRARY)

modules = {}
for namespace in NAMESPACES:
    sys.path.insert(0, f"{BUILD}/{namespace}/python")
    modules[namespace] = importlib.import_module(namespace)


def value(ty: str, name: str):
    if ty.startswith("Optional["):
        return value(ty[len("Optional[") : -1], name)
    if ty.startswith("List["):
        return [value(ty[len("List[") : -1], name)] * (4 if name == "heads" and "bool" in ty else 2)
    if ty.startswith("Tuple["):
        return tuple(value(part, name) for part in ty[len("Tuple[") : -1].split(", "))
    if ty.startswith("Dict["):
        return {"a": torch.ones(2)}
    if ty.startswith("__torch__"):
        return modules["video"].open_reader("clip")
    plain = {
        "int": 2, "SymInt": 2, "float": 0.5, "bool": True, "str": "auto", "number": 3, "Scalar": 3, "complex": 1j,
        "Device": torch.device("cpu"), "ScalarType": torch.float32, "Generator": torch.Generator(),
    }
    return torch.ones(2) if ty == "Tensor" else plain[ty]


def tensors(argument):
    return [argument] if isinstance(argument, torch.Tensor) else list(argument or [])


def call(operator, with_optional: bool):
    schema = operator._schema
    positional, keywords = [], {}
    for argument in schema.arguments:
        optional = str(argument.type).startswith("Optional[")
        given = None if optional and not with_optional else value(str(argument.real_type), argument.name)
        if argument.kwarg_only:
            keywords[argument.name] = given
        else:
            positional.append(given)
    given = dict(zip([a.name for a in schema.arguments], positional)) | keywords
    versions = {name: [t._version for t in tensors(v)] for name, v in given.items() if isinstance(v, (torch.Tensor, list)) and v is not None and all(isinstance(t, torch.Tensor) for t in tensors(v))}
    function = getattr(modules[schema.name.split("::")[0]], schema.name.split("::")[1])
    outs = [a.name for a in schema.arguments if a.is_out]
    if len(outs) > 1:
        keywords["out"] = tuple(keywords.pop(name) for name in outs)
    result = function(*positional, **keywords)
    results = result if isinstance(result, tuple) else (() if result is None else (result,))
    assert len(results) == len(schema.returns), schema
    for argument in schema.arguments:
        written = argument.alias_info is not None and argument.alias_info.is_write
        for tensor, version in zip(tensors(given[argument.name]) if argument.name in versions else [], versions.get(argument.name, [])):
            changed = torch.equal(tensor, torch.ones(2)) is False
            assert changed == written, (schema, argument.name)
            assert (tensor._version > version) == written, (schema, argument.name, "version")
    for ret, out in zip(schema.returns, results):
        if ret.alias_info is None:
            continue
        for argument in schema.arguments:
            if argument.alias_info is not None and argument.alias_info.before_set == ret.alias_info.before_set:
                source = given[argument.name]
                if source is not None:
                    assert out.data_ptr() == source.data_ptr(), (schema, argument.name)
                else:
                    assert out.shape == (2,), schema


called = 0
for namespace in NAMESPACES:
    for name in torch._C._dispatch_get_all_op_names():
        if not name.startswith(namespace + "::"):
            continue
        base, _, overload = name.split("::")[1].partition(".")
        operator = getattr(getattr(getattr(torch.ops, namespace), base), overload or "default")
        for with_optional in (True, False):
            call(operator, with_optional)
        called += 1
print(f"{called} operators called")

# A function without a derivative says so in backward, whatever it returns.
x = torch.ones(2, requires_grad=True)
for with_out in (False, True):
    out = torch.ones(2) if with_out else None
    result, other = modules["attn"].fwd(x * 1, x, x, out)
    for tensor in (result, other):
        try:
            tensor.sum().backward()
        except RuntimeError as error:
            assert "not implemented" in str(error) or "derivative" in str(error), error
        else:
            raise AssertionError("a gradient was lost silently")
print("autograd ok")

assert modules["video"].select_streams(torch.ones(2), [True, False, True]) == 2
assert modules["video"].select_streams(torch.ones(2), [], [True]) == 100
reader = modules["video"].open_reader("clip")
assert modules["video"].read_frame(reader, 3, gray=True).item() == 7
described, schema = modules["video"].open_reader.__doc__.split("\n\n")
assert described == "Opens a file." and schema.strip().startswith("video::open_reader("), (described, schema)
print("values ok")
