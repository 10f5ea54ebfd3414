"""What the functions of the installed package return and raise. The argument is a scratch directory."""

import copy
import dataclasses
import json
import os
import pickle
import pathlib
import sys

import torchgen_rs
from torchgen_rs import Diagnostic, Run, Span, TorchgenError, commands

os.chdir(sys.argv[1])
assert torchgen_rs.__version__ == "0.1.0"
assert "torch" not in sys.modules


def failure(function, *arguments, **flags) -> TorchgenError:
    try:
        done = function(*arguments, **flags)
    except TorchgenError as error:
        return error
    raise AssertionError(f"{function.__name__} did not fail: {done}")


# What is written, and what is not.
made = commands.new("curves", namespace="curves")
assert isinstance(made, Run) and "curves/native_functions.yaml" in made.written, made
assert made.output == "" and "curves" in made.messages
first = torchgen_rs.generate(source_path="curves", install_dir=pathlib.Path("curves/generated"))
assert first.written and not first.unchanged and not first.skipped
assert all(os.path.isfile(path) for path in first.written)
again = torchgen_rs.generate(source_path=["curves"], install_dir="curves/generated")
assert again.skipped and not again.written and again.unchanged == len(first.written)
forced = torchgen_rs.generate(source_path="curves", install_dir="curves/generated", force=True, threads=1)
assert not forced.skipped and not forced.written and forced.unchanged == again.unchanged
os.remove(first.written[0])
listed = torchgen_rs.generate(source_path="curves", install_dir="curves/generated", dry_run=True)
assert listed.listed == first.written[:1] and not listed.written
assert not os.path.exists(first.written[0])

# Several values of one flag, and arguments that are no flags.
some = torchgen_rs.generate(source_path="curves", install_dir="headers", generate=["headers"])
assert 0 < len(some.written) < len(first.written)
checked = torchgen_rs.check(["curves"], strict=True)
assert checked.messages.startswith("torchgen-rs: checked ") and not checked.diagnostics

# Text and JSON.
assert torchgen_rs.explain("TG0203").startswith("TG0203")
assert '"code":"TG0203"' in torchgen_rs.explain("TG0203", json=True).replace(": ", ":")
assert commands.json_schema("library").output.startswith("{")
assert torchgen_rs.run(["--version"]).output.startswith("torchgen-rs ")
assert "Usage" in torchgen_rs.run(["generate", "--help"]).output

# Errors in the input.
schema = "- func: curves::f(Tenser self) -> Tensor\n  dispatch:\n    CPU: f\n"
pathlib.Path("wrong").mkdir()
pathlib.Path("wrong/native_functions.yaml").write_text(schema)
error = failure(torchgen_rs.check, "wrong")
assert error.status == 1 and error.output == ""
[found] = [found for found in error.diagnostics if found.code == "TG0203"]
assert found.name == "unknown-type" and found.severity == "error"
assert found.message == "unknown type `Tenser`" and found.help == ("did you mean `Tensor`?",)
edit = torchgen_rs.Edit(found.file, found.span, "Tenser", "Tensor")
assert found.fixes == (torchgen_rs.Fix("did you mean `Tensor`?", "certain", (edit,)),), found.fixes
assert found.file == "wrong/native_functions.yaml" and found.span == Span(1, 19, 1, 25)
assert str(found).startswith("error[TG0203]: unknown type `Tenser`\n --> wrong/native_functions.yaml:1:19\n")
assert str(error) == error.messages.rstrip() and str(found) in str(error)
assert str(error).endswith("torchgen-rs: 1 error")
before = sorted(os.listdir("wrong"))
assert failure(torchgen_rs.generate, source_path="wrong", install_dir="wrong/generated").status == 1
assert sorted(os.listdir("wrong")) == before

# Places in several files, and warnings.
pathlib.Path("twice").mkdir()
pathlib.Path("twice/native_functions.yaml").write_text(2 * "- func: curves::f(Tensor self) -> Tensor\n  dispatch:\n    CPU: f\n")
twice = failure(torchgen_rs.check, "twice").diagnostics
assert any(label.message and label.file == found.file for found in twice for label in found.labels), twice

# A diagnostic has all that its JSON has.
pathlib.Path("before").mkdir()
two = "- func: curves::{}(Tensor self) -> Tensor\n  dispatch:\n    CPU: f\n"
pathlib.Path("before/native_functions.yaml").write_text(two.format("f") + two.format("g"))
pathlib.Path("after").mkdir()
pathlib.Path("after/native_functions.yaml").write_text(two.format("f"))


def as_json(found):
    """A diagnostic in the words of `--message-format json`."""
    def place(file, span):
        return {"file": file} | dataclasses.asdict(span) if span else {}

    data = {key: value for key, value in dataclasses.asdict(found).items() if key not in ("file", "span", "text")}
    data["labels"] = [place(label.file, label.span) | {"message": label.message} for label in found.labels]
    for fix in data["fixes"]:
        fix["edits"] = [place(edit.pop("file"), Span(**edit.pop("span"))) | edit for edit in fix["edits"]]
    if not data["fixes"]:
        del data["fixes"]
    data |= place(found.file, found.span)
    if found.change:
        data["change"] = {key: value for key, value in data["change"].items() if value is not None}
    else:
        del data["change"]
    return json.loads(json.dumps(data))


for line in (["check", "twice"], ["check", "wrong"], ["breaking", "after", "--against", "before", "--level=any"]):
    said = failure(torchgen_rs.run, [*line, "--message-format=json"])
    objects = [json.loads(text) for text in said.messages.splitlines()]
    assert [as_json(found) for found in said.diagnostics] == objects and objects, (line, objects)
broken = failure(commands.breaking, "after", against="before").diagnostics
[gone] = [found.change for found in broken if found.change and found.change.name == "curves::g"]
assert gone.kind == "operator" and gone.old and gone.new is None
assert {effect.category for effect in gone.effects} >= {"python", "saved"} and gone.effects[0].why

# The model as data.
everything = torchgen_rs.facts("curves")
printed = [json.loads(text) for text in commands.model(source_path="curves").output.splitlines()]
assert [everything.header, *everything.things] == printed
assert everything.header["family"] == "library" and everything.header["things"] == len(everything.things)
assert [*everything.operators.values(), *everything.groups.values()] == list(everything.things)
assert all(name == thing["name"] for name, thing in everything.operators.items())
relu = torchgen_rs.facts(torch="2.12", only=["relu"])
assert relu.header["torch"] == "2.12" and list(relu.operators) == ["aten::relu", "aten::relu.out"]
assert relu.operators["aten::relu"]["facts"]["versions"]["since"] == "2.10"
assert relu.groups["aten::relu"]["relations"][0] == {"kind": "functional", "to": "aten::relu"}
assert "did you mean `relu`?" in str(failure(torchgen_rs.facts, torch="2.12", only="relux"))
assert failure(torchgen_rs.facts, "wrong").diagnostics[0].code == "TG0203"

# Usage, and files that cannot be read or written.
usage = failure(torchgen_rs.run, ["new"])
assert usage.status == 2 and usage.diagnostics[0].code == "TG0001" and "<DIR>" in str(usage)
unknown = failure(torchgen_rs.run, ["generate", "--no-such-flag"])
assert unknown.status == 2 and "--no-such-flag" in unknown.diagnostics[0].message
missing = failure(torchgen_rs.generate, source_path="nowhere", install_dir="out")
assert missing.status == 2 and missing.diagnostics and missing.diagnostics[0].file is None
assert failure(torchgen_rs.explain, "TG9999").status == 2
pathlib.Path("file").write_text("")
unwritable = failure(torchgen_rs.generate, source_path="curves", install_dir="file/out")
assert unwritable.status == 2 and unwritable.diagnostics
stale = failure(torchgen_rs.generate, source_path="curves", install_dir="curves/generated", verify=True)
assert stale.status == 1 and stale.diagnostics[0].name == "out-of-date", stale

# Wrong types are errors of the caller.
for wrong in (lambda: torchgen_rs.generate(source_path=b"curves"), lambda: torchgen_rs.generate(source_path=1.5),
              lambda: torchgen_rs.generate(no_such_flag=1), lambda: torchgen_rs.run(["check", 3])):
    try:
        wrong()
    except TypeError:
        continue
    raise AssertionError("accepted")

# Objects are values.
for value in (found, found.span, first, twice[0]):
    assert copy.deepcopy(value) == value == pickle.loads(pickle.dumps(value)) and hash(value) == hash(copy.copy(value))
same = pickle.loads(pickle.dumps(error))
assert (same.status, same.diagnostics, str(same)) == (error.status, error.diagnostics, str(error))
match found:
    case Diagnostic(code="TG0203", span=Span(line=1)):
        pass
    case _:
        raise AssertionError(found)

# What users can see.
assert set(torchgen_rs.__all__) <= set(dir(torchgen_rs))
for name in torchgen_rs.__all__:
    getattr(torchgen_rs, name)
try:
    torchgen_rs.nothing
except AttributeError as error:
    assert "nothing" in str(error)
