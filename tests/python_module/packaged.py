"""The operators of versions of torch without its files, and files of them. The arguments are a scratch
directory and `torchgen/packaged/ATen` of a wheel of the newest torch."""

import dataclasses
import os
import pathlib
import subprocess
import sys

from expect import equal, raises
from torchgen_rs import gen, packaged
from torchgen_rs.model import DispatchKey, Location

scratch, wheel = map(pathlib.Path, sys.argv[1:])
NOWHERE = Location("", 0)
LOCATE = "import os, torchgen; print(os.path.join(os.path.dirname(torchgen.__file__), 'packaged/ATen/native/tags.yaml'))"


def read(directory, **flags):
    return gen.parse_native_yaml(directory / "native/native_functions.yaml", directory / "native/tags.yaml", **flags)


def compare(ours, theirs):
    """The same but for places."""
    functions = [[dataclasses.replace(f, loc=NOWHERE) for f in read.native_functions] for read in (ours, theirs)]
    equal(len(functions[0]), len(functions[1]))
    for pair in zip(*functions):
        equal(*pair)
    indices = [{key: index.index for key, index in read.backend_indices.items()} for read in (ours, theirs)]
    equal(*indices)


def operators():
    known = gen.parse_native_yaml(torch="2.15")
    compare(known, read(wheel))
    equal(str(known[0][0].loc), "native_functions.yaml of torch 2.15:1")
    written = gen.parse_native_yaml(torch="2.15", skip_native_fns_gen=True, ignore_keys={DispatchKey.CPU})
    assert len(written[0]) < len(known[0])
    assert len(written[1][DispatchKey.CPU].index) < 10 < len(known[1][DispatchKey.CPU].index)
    assert "cholesky" in {str(f.func.name) for f in gen.parse_native_yaml(torch="2.13")[0]}
    for wrong in ("2.9", "2.16", "nightly"):
        assert "2.10 to 2.15" in raises(ValueError, gen.parse_native_yaml, torch=wrong)
    raises(TypeError, gen.parse_native_yaml)
    raises(TypeError, gen.parse_native_yaml, "native_functions.yaml")
    raises(TypeError, gen.parse_native_yaml, "native_functions.yaml", torch="2.15")


def files():
    older = packaged.path(torch="2.13", into=scratch)
    equal(older, scratch / "torch-2.13/torchgen/packaged/ATen")
    # The version is that of the rules too: torch 2.13 has another name for the same type.
    compare(read(older), gen.parse_native_yaml(torch="2.13"))
    names = gen.parse_tags_yaml(older / "native/tags.yaml")
    assert names == gen.parse_tags_yaml(wheel / "native/tags.yaml"), names
    file = packaged.path("ATen/native/native_functions.yaml", torch="2.13", into=scratch)
    before = file.stat().st_mtime_ns
    equal(packaged.path(file.relative_to(older.parent), torch="2.13", into=scratch).stat().st_mtime_ns, before)
    for other in ("ATen/templates/Functions.h", "autograd/derivatives.yaml"):
        said = raises(FileNotFoundError, packaged.path, other, torch="2.12")
        assert said.endswith("take it from `torchgen/packaged/` in the wheel of torch 2.12"), said


def aliases():
    """Without torch, the alias seems to be beside these files, if they can be written."""

    def located(cache):
        environment = {**os.environ, "XDG_CACHE_HOME": str(cache), "LOCALAPPDATA": str(cache)}
        script = scratch / "locate.py"
        script.write_text(LOCATE)
        words = [sys.executable, "-m", "torchgen_rs.alias", script]
        return subprocess.run(words, capture_output=True, text=True, check=True, env=environment).stdout.strip()

    tags = pathlib.Path(located(scratch / "cache"))
    assert tags.is_file() and tags.is_relative_to(scratch / "cache/torchgen-rs"), tags
    (scratch / "file").write_text("")
    assert not os.path.exists(located(scratch / "file"))


operators()
files()
aliases()
