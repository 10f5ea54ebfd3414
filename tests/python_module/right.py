"""Correct uses of the package, which type checkers accept."""

from pathlib import Path
from typing import assert_type

import torchgen_rs
from torchgen_rs import Diagnostic, Effect, Facts, Run, SchemaError, Span, TorchgenError, commands, context, gen
from torchgen_rs.api import cpp, translate
from torchgen_rs.api.types import Binding, CppSignatureGroup, DispatcherSignature, Expr
from torchgen_rs.autograd import gen_autograd
from torchgen_rs.model import FunctionSchema, NativeFunction, NativeFunctionsGroup, OptionalType, SchemaKind
from torchgen_rs.selective_build.selector import SelectiveBuilder
from torchgen_rs.things import Operator, Part, Thing


def generated(source: Path) -> tuple[str, ...]:
    run = torchgen_rs.generate(source_path=[source, "more"], generate=["headers", "sources"], torch="2.12", threads=2)
    assert_type(run, Run)
    assert_type(run.skipped, bool)
    return run.written


def first_error(paths: list[str]) -> tuple[str, int] | None:
    try:
        torchgen_rs.check(paths, strict=True)
    except TorchgenError as error:
        found = error.diagnostics[0]
        assert_type(found, Diagnostic)
        assert_type(found.span, Span | None)
        return (found.file or "", found.span.line) if found.span else None
    return None


def breaking(found: Diagnostic) -> list[Effect]:
    return [effect for effect in found.change.effects if effect.level == "breaking"] if found.change else []


def parts(facts: Facts) -> dict[str, list[Part]]:
    add: Operator = facts.operators["aten::add.Tensor"]
    assert_type(add["facts"]["tags"], list[str])
    assert_type(add["facts"]["structured_delegate"], str | None)
    return {name: operator.get("parts", []) for name, operator in facts.operators.items()}


def first_of(things: tuple[Thing, ...]) -> str:
    return things[0]["name"] + things[0].get("schema", "")


@context.with_native_function
def declared(f: NativeFunction) -> str | None:
    first = f.func.arguments.flat_all[0]
    return str(first.type.elem) if isinstance(first.type, OptionalType) else first.default


def grouped(source: Path, selector: SelectiveBuilder) -> list[str | None]:
    functions, indices = gen.parse_native_yaml(source, source.with_name("tags.yaml"))
    groups = gen.get_grouped_native_functions(functions)
    assert_type(groups[0], NativeFunction | NativeFunctionsGroup)
    outs = [group.out for group in groups if isinstance(group, NativeFunctionsGroup)]
    return [declared(f) for f in outs if selector.is_native_function_selected(f)]


@context.with_native_function
def call(f: NativeFunction) -> list[Expr]:
    group = CppSignatureGroup.from_native_function(f, method=False)
    assert_type(group.signature.arguments()[0], Binding)
    return translate.translate(group.signature.arguments(), DispatcherSignature(f.func).arguments())


def returned(f: NativeFunction) -> str:
    return cpp.returns_type(f.func.returns).cpp_type()


def kind_of(text: str) -> SchemaKind | None:
    try:
        schema = FunctionSchema.parse(text)
    except SchemaError as error:
        assert_type(error.diagnostics, tuple[Diagnostic, ...])
        return None
    assert_type(schema.name.name.base, str)
    return schema.kind()


text: str = torchgen_rs.explain("TG0203")
assert_type(commands.backend_stubs(source_yaml="a.yaml", output_dir="out", dry_run=True), Run)
status: int = torchgen_rs.main(["--version"])
status = gen.main(["-s", "aten/src/ATen"]) + gen_autograd.main([])
names = parts(torchgen_rs.facts(torch="2.12", only=["add", "mul.Tensor"]))
text = first_of(torchgen_rs.facts(Path("my-graph"), family="graph-ir").things)
