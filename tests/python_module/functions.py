"""What the functions of the installed package return and raise. The argument is a scratch directory."""

import copy
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
