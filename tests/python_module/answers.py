"""What the model says about all operators of a file, as a hash. It runs with the reference too:

    python answers.py torchgen_rs native_functions.yaml tags.yaml
    python answers.py torchgen native_functions.yaml tags.yaml

With `--text`, it prints what the hash is of.
"""

import dataclasses
import importlib
import sys
from enum import Enum

from told import tell

package, native, tags, *rest = sys.argv[1:]
model, gen = (importlib.import_module(f"{package}.{name}") for name in ("model", "gen"))


def shown(value) -> str:
    """The `repr` of a value, with sets in order."""
    if dataclasses.is_dataclass(value):
        fields = (f"{field.name}={shown(getattr(value, field.name))}" for field in dataclasses.fields(value))
        return f"{type(value).__name__}({', '.join(fields)})"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{shown(key)}: {shown(item)}' for key, item in value.items())}}}"
    if isinstance(value, (set, frozenset)):
        return f"{{{', '.join(sorted(map(shown, value)))}}}"
    if isinstance(value, (list, tuple)):
        return f"({', '.join(map(shown, value))})"
    if type(value).__name__ == "OrderedSet":
        return f"({', '.join(map(shown, value))})"
    return repr(value)


def of_schema(schema):
    """What a schema says of itself."""
    arguments = schema.arguments
    yield repr(schema)
    yield str(schema), str(arguments), schema.kind(), schema.aliased_return_names()
    for flags in (
        {},
        {"strip_default": True},
        {"strip_view_copy_name": True},
        {"keep_return_names": True},
    ):
        yield repr(schema.signature(**flags))
    yield str(schema.view_signature()), str(arguments.signature(strip_default=True))
    yield schema.is_mutable, schema.modifies_arguments, schema.returns_are_aliased(), schema.has_symint()
    yield schema.is_functional_fn(), schema.is_out_fn(), list(map(str, schema.schema_order_arguments()))
    yield schema.name.unambiguous_name(), str(schema.name.remove_inplace()), str(schema.name.with_overload("x"))
    for name in ("flat_positional", "flat_kwarg_only", "flat_non_out", "flat_all", "post_self_positional_mutable"):
        yield [argument.name for argument in getattr(arguments, name)]
    for name in ("positional", "kwarg_only", "non_out", "all"):
        yield [type(argument).__name__ for argument in getattr(arguments, name)]
    yield arguments.mutable_arg_names(), arguments.has_tensor_arg(), arguments.has_generator_arg()
    for item in (*arguments.flat_all, *schema.returns):
        kind = item.type
        yield str(item), str(kind), str(item.annotation), item.is_write, item.alias_info
        yield kind.is_tensor_like(), kind.is_generator_like(), kind.is_symint_like(), kind.is_nullable()
        yield repr(kind.is_list_like())


def consistent(schema) -> None:
    """Equal schemas have equal hashes, however they were made."""
    again = model.FunctionSchema.parse(str(schema))
    parts = {field.name: getattr(schema, field.name) for field in dataclasses.fields(schema)}
    made = [schema, again, dataclasses.replace(schema), model.FunctionSchema(**parts)]
    assert len(set(made)) == 1, str(schema)
    other = schema.with_name(schema.name.with_overload("another"))
    assert other != schema and {schema: 1}.get(other) is None, str(schema)
    for part in (*schema.arguments.flat_all, *schema.returns):
        parsed = type(part).parse(str(part))
        assert parsed == part and hash(parsed) == hash(part), str(part)
        assert model.Type.parse(str(part.type)) == part.type, str(part)
    assert model.Arguments.parse(str(schema.arguments)) == schema.arguments, str(schema)
    assert model.OperatorName.parse(str(schema.name)) == schema.name, str(schema)


def of_function(f):
    """What an operator says of itself."""
    located = f.loc.line
    yield shown(dataclasses.replace(f, loc=model.Location("", located)))
    yield f.is_view_op, f.view_schema_kind, f.has_composite_kernel, f.root_name, f.part_of_structured_group
    yield model.gets_generated_view_copy(f), f.precomputed and f.precomputed.to_list()
    if model.gets_generated_view_copy(f):
        yield str(model.get_view_copy_name(f))
    yield from of_schema(f.func)


def of_group(group):
    """The members of a group, or an operator by itself."""
    if isinstance(group, model.NativeFunction):
        return str(group.func.name)
    members = {field.name: getattr(group, field.name) for field in dataclasses.fields(group)}
    names = {name: f and str(f.func.name) for name, f in members.items()}
    assert type(group)(**members) == group
    if isinstance(group, model.NativeFunctionsGroup):
        by_kind = {f.func.kind(): f for f in group.functions()}
        assert model.NativeFunctionsGroup.from_dict(by_kind) == group
        return names, group.structured, str(group.signature()), group.root_name
    order = [str(f.func.name) for f in group.functions()], [str(f.func.name) for f in group.functions(include_copy=False)]
    return names, group.composite, group.root_name, order


def answers():
    """All answers."""
    parsed = gen.parse_native_yaml(native, tags)
    functions, indices = parsed
    for f in functions:
        consistent(f.func)
        yield from of_function(f)
    groups = gen.get_grouped_native_functions(functions)
    yield from map(of_group, groups)
    yield from map(of_group, gen.get_grouped_by_view_native_functions(functions))
    for key, index in indices.items():
        yield str(key), shown(index), index.native_function_class_name()
        for group in groups:
            kernel = index.get_kernel(group)
            assert index.has_kernel(group) == (kernel is not None)
            yield kernel and (kernel.kernel, kernel.supports_symint())
    missing = indices[model.DispatchKey.QuantizedVE]
    yield shown(missing)
    yield sorted(gen.parse_tags_yaml(tags))
    for name in ("AUTOGRAD_KEYS", "BACKEND_COMPONENTS", "FUNCTIONALITY_KEYS", "dispatch_keys", "DTYPE_CLASSES"):
        yield name, shown(getattr(model, name))
    for name in ("STRUCTURED_DISPATCH_KEYS", "UFUNC_DISPATCH_KEYS", "FRAGMENT_NAMESPACES"):
        yield name, shown(getattr(model, name))
    for key in model.DispatchKey:
        yield repr(key), str(key), key.lower(), [device for is_of, device in model.dispatch_device_map.items() if is_of(key)]
        for kind in ("cuda", "xpu", "generic", "structured", "ufunc"):
            yield getattr(model, f"is_{kind}_dispatch_key")(key)
    for enum in ("Variant", "SchemaKind", "ViewSchemaKind", "DeviceCheckType", "UfuncKey", "ScalarType"):
        yield [repr(member) for member in getattr(model, enum)]


def lines():
    for answer in answers():
        yield answer if isinstance(answer, str) else repr(answer)


tell(lines(), rest)
