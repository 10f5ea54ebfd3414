"""Functions of Python in a generator's templates. The argument is a scratch directory."""

import os
import pathlib
import sys

from expect import equal
from torchgen_rs import TorchgenError, commands

os.chdir(sys.argv[1])
pathlib.Path("fmt").mkdir()
pathlib.Path("fmt/generator.yaml").write_text(
    """\
family: generator
name: fmt
python: [shape]
options:
  ranks: {type: int, list: true}
  loud: {type: bool, default: false}
entries:
  rows:
    operator: op
    keys:
      op: {type: operator, required: true}
      out: {type: text, default: x}
outputs:
- {file: shapes.txt, template: shapes.j2, over: rows, each: row.j2}
"""
)
pathlib.Path("fmt/shapes.j2").write_text("{{ options.ranks }} {{ options.loud }}\n{{ texts | join }}")
pathlib.Path("fmt/row.j2").write_text("{{ op.facts.cpp_name }}: {{ entry.out | shape(2) }}\n")
pathlib.Path("rows.yaml").write_text("rows:\n- {op: mul.Tensor, out: n}\n- {op: abs}\n- {op: neg}\n")


def made(shape, **more):
    flags = {"generator": "fmt", "source_path": "rows.yaml", "out_dir": "out", **more}
    return commands.generator(functions={"shape": shape} if callable(shape) else shape, **flags)


def text():
    return pathlib.Path("out/shapes.txt").read_text()


asked = []


def shape(text, rank):
    asked.append(text)
    return " x ".join([text] * rank)


made(shape, set={"ranks": [1, 2], "loud": True})
equal(text(), "[1, 2] True\nmul: n x n\nabs: x x x\nneg: x x x\n")
equal(asked, ["n", "x", "x"])
# Values of all kinds.
made(lambda text, rank: {"a": [text, rank, None, True, 1.5]})
equal(text().splitlines()[1], "mul: {'a': ['n', 2, None, True, 1.5]}")


def skipped():
    for fingerprint, is_skipped in ((None, False), ("one", False), ("one", True), ("two", False), ("two", True)):
        run = made(shape, fingerprint=fingerprint)
        equal((fingerprint, run.skipped), (fingerprint, is_skipped))


def error(shape, **more):
    before = text()
    try:
        made(shape, **more)
    except TorchgenError as failed:
        equal(text(), before)
        return failed
    raise AssertionError("no error")


PLACE = """\
 --> fmt/row.j2:1:41
  |
1 | {{ op.facts.cpp_name }}: {{ entry.out | shape(2) }}
  |                                         ^^^^^^^^
  |
 ::: rows.yaml:2:8
  |
2 | - {op: mul.Tensor, out: n}
  |        ---------- for this entry, and 2 more"""


def failures():
    def raising(text, rank):
        raise LookupError("mine\nand more")

    failed = error(raising)
    equal(failed.diagnostics[0].text, f"error[TG7004]: `shape` raised LookupError: mine\n{PLACE}")
    assert isinstance(failed.__cause__, LookupError), failed.__cause__

    failed = error(lambda text, rank: {1, 2})
    said = "a function of a generator returns plain values: Object of type set is not JSON serializable"
    equal(failed.diagnostics[0].text, f"error[TG7004]: `shape` raised TypeError: {said}\n{PLACE}")

    failed = error(lambda text: "")
    assert "takes 1 positional argument but 2 were given" in failed.diagnostics[0].message, failed

    failed = error(lambda text, rank: text * 200_000_000)
    assert "this takes too many steps, or makes too much text" in failed.diagnostics[0].message, failed
    equal((failed.diagnostics[0].file, failed.diagnostics[0].span.line), ("fmt/row.j2", 1))

    equal(error(None).diagnostics[0].message, "the Python function `shape` is not there")
    failed = error({"shape": shape, "shapes": shape})
    equal(failed.diagnostics[0].message, "the generator `fmt` has no Python function `shapes`")
    equal(failed.diagnostics[0].help, ("did you mean `shape`?",))
    pathlib.Path("fmt/row.j2").write_text("{{ shape(op, entry) }} {{ shape(signature(op, 'cpp'), 1) }}\n")
    made(lambda one, other: [one["name"], other["out"] if isinstance(other, dict) else other])
    equal(text().splitlines()[1], "['aten::mul.Tensor', 'n'] ['mul', 1]")
    try:
        made({"shape": 1})
    except TypeError as wrong:
        equal(str(wrong), "`functions` maps names to functions, not 'shape' to 1")
    else:
        raise AssertionError("no error")


skipped()
failures()
