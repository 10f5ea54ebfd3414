"""Makes operators.txt, overloads.yaml, shim.yaml and cpp_only.yaml beside this file: what each version of
torch has.

    python3 make.py [CACHE]
    python3 make.py --cpp-only 2.10.0=SITE-PACKAGES 2.15.0=SITE-PACKAGES   # the last table, of installed ones

Downloads the macOS wheel of each version with pip, the smallest that PyPI has, into CACHE (default: a new
temporary directory). Operators and the headers of the C shim do not depend on the platform. It needs
Python 3.9 or newer, PyYAML, pip, and about 700 MB.

* Operators come from native_functions.yaml in the wheel, each with all its keys. operators.txt has the lines
  of all versions in one list, and says of a line that not all have which ones do; entries.py makes it.
* Operators that torchgen adds are declared by the headers in ATen/ops, each with its schema.
* Symbols of the C shim are the functions that its headers export. A test compares them with what the
  libraries of two installed versions export.
* C++ has overloads that no schema has: two headers write them by hand, and each calls another overload. A
  test of tests/slow calls them.

A schema is in the tables once for each range of versions in which its text is the same.
"""

import glob
import os
import re
import subprocess
import sys
import tempfile
import zipfile

import entries
import yaml

HERE = os.path.dirname(os.path.abspath(__file__))
VERSIONS = ["2.10.0", "2.11.0", "2.12.1", "2.13.0", "2.14.1", "2.15.0"]
PLATFORMS = ["macosx_11_0_arm64", "macosx_14_0_arm64"]

INCLUDE = "torch/include/"
SHIM_HEADERS = (
    "torch/csrc/inductor/aoti_torch/c/",
    "torch/csrc/inductor/aoti_torch/generated/",
    "torch/csrc/stable/c/",
)
SCHEMA = re.compile(r'schema_str\b[^"]*"((?:[^"\\]|\\.)*)"')
EXPORT = re.compile(r"^(?:extern \"C\" )?AOTI_TORCH_EXPORT\b([^;{]*)", re.MULTILINE)
# An overload by hand: its name, its parameters, and the arguments that it calls an overload of the name with.
WRITTEN = re.compile(r"\b(\w+)\(([^()]*)\)(?: const)? \{\s*return (?:at::|this->)?(\w+)\(([^;]*)\);\s*\}")
OF_FUNCTIONS, OF_METHODS = "ATen/Functions.h", "ATen/core/TensorBody.h"
# Both take what `to` takes, and formulas have one type for dtypes.
TAKES_TYPE_META = ["Device device, caffe2::TypeMeta type_meta", "caffe2::TypeMeta type_meta"]
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)


def wheel(version: str, cache: str) -> str:
    """The path of a version's wheel, which pip downloads if the cache does not have it."""
    pattern = os.path.join(cache, f"torch-{version}-*macosx*.whl")
    if not glob.glob(pattern):
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:", "--python-version", "3.11"]
        for platform in PLATFORMS:
            command += ["--platform", platform]
        subprocess.run([*command, "--dest", cache, f"torch=={version}"], check=True)
    return glob.glob(pattern)[0]


class Facts:
    """What one wheel has."""

    def __init__(self, path: str) -> None:
        with zipfile.ZipFile(path) as archive:
            text = archive.read("torchgen/packaged/ATen/native/native_functions.yaml").decode()
            self.operators = yaml.load(text, yaml.CSafeLoader)
            self.overloads = [operator["func"] for operator in self.operators]
            self.generated = self.headers(archive)
            self.symbols = self.shim(archive)
            headers = [archive.read(INCLUDE + header).decode() for header in (OF_FUNCTIONS, OF_METHODS)]
            self.cpp_only = cpp_only(*headers)

    def headers(self, archive: zipfile.ZipFile) -> list:
        """The schemas that native_functions.yaml lacks."""
        own = {name(schema) for schema in self.overloads}
        found = []
        for path in sorted(archive.namelist()):
            if path.startswith(INCLUDE + "ATen/ops/") and path.endswith("_ops.h"):
                schemas = SCHEMA.findall(archive.read(path).decode())
                found += [re.sub(r"\\(.)", r"\1", schema) for schema in schemas]
        return [schema for schema in found if name(schema) not in own]

    @staticmethod
    def shim(archive: zipfile.ZipFile) -> dict:
        """The header of each function of the C shim."""
        found = {}
        for path in sorted(archive.namelist()):
            header = path[len(INCLUDE) :]
            if path.startswith(INCLUDE) and header.startswith(SHIM_HEADERS) and header.endswith(".h"):
                text = COMMENT.sub("", archive.read(path).decode())
                for declaration in EXPORT.findall(text):
                    names = re.findall(r"(\w+)\s*\(", declaration)
                    if names:
                        found.setdefault(names[0], header.removeprefix("torch/csrc/"))
        return found


def cpp_only(functions: str, methods: str) -> list:
    """The overloads that the headers write by hand: name, whether functions or methods, the parameter besides
    the tensor, and what it is passed on as."""
    found = []
    for is_method, text in [(False, functions), (True, methods)]:
        for own, parameters, called, arguments in WRITTEN.findall(COMMENT.sub("", text)):
            if own != called or parameters.startswith(tuple(TAKES_TYPE_META)):
                continue
            taken = [part.strip() for part in parameters.split(",") if part.strip()]
            passed = [part.strip() for part in arguments.split(",")]
            if not is_method:
                if not taken or taken.pop(0) != "const Tensor& self" or passed.pop(0) != "self":
                    sys.exit(f"at::{own}({parameters}) is written by hand in a form that the table cannot express")
            if len(taken) != 1 or passed != [f"IntArrayRef{{{taken[0].removeprefix('int ')}}}"]:
                sys.exit(f"{own}({parameters}) is written by hand in a form that the table cannot express")
            found.append((own, "method" if is_method else "function", taken[0]))
    return found


def name(schema: str) -> str:
    return schema.split("(", 1)[0]


def ranges(lists: list) -> list:
    """Each item of the lists, one list a version, with the first and the last version that has it."""
    first, last, order = {}, {}, []
    for index, items in enumerate(lists):
        for item in items:
            if item not in first:
                first[item] = index
                order.append(item)
            elif last[item] < index - 1:
                sys.exit(f"{item} disappears and comes back; the tables cannot express this")
            last[item] = index
    return [(item, first[item], last[item]) for item in order]


def minor(index: int) -> str:
    return VERSIONS[index].rsplit(".", 1)[0]


def entry(schema: str, first: int, last: int) -> str:
    quoted = "'" + schema.replace("'", "''") + "'"
    since = "" if first == 0 else f", since: '{minor(first)}'"
    until = "" if last == len(VERSIONS) - 1 else f", until: '{minor(last)}'"
    return f"- {{schema: {quoted}{since}{until}}}\n" if since or until else f"- schema: {quoted}\n"


def overloads(facts: list) -> str:
    lines = [
        "# The overloads that torchgen adds to torch's operators; operators.txt has those that people wrote.\n",
        "# versions/make.py makes this table; NOTICE says where from.\n",
        "# An entry without `since` is in the first of the versions, one without `until` in the last.\n",
        "generated:\n",
    ]
    found = sorted(ranges([fact.generated for fact in facts]), key=lambda item: (name(item[0]), item[1]))
    lines += [entry(*item) for item in found]
    return "".join(lines)


def shim(facts: list) -> str:
    lines = [
        "# The functions of the C shim, by the version that has them first, and by header below torch/csrc.\n",
        "# versions/make.py makes this table; NOTICE says where from.\n",
        "since:\n",
    ]
    found = ranges([list(fact.symbols) for fact in facts])
    header = {}
    for fact in facts:
        header.update(fact.symbols)
    for index in range(len(VERSIONS)):
        new = [symbol for symbol, first, _ in found if first == index]
        lines.append(f"  '{minor(index)}':{'' if new else ' {}'}\n")
        for path in sorted({header[symbol] for symbol in new}):
            lines.append(f"    {path}:\n")
            lines += [f"    - {symbol}\n" for symbol in sorted(new) if header[symbol] == path]
    gone = sorted((symbol, last) for symbol, _, last in found if last < len(VERSIONS) - 1)
    lines.append("# The last version of those that later ones lack.\n")
    lines.append("until:\n" if gone else "until: {}\n")
    lines += [f"  {symbol}: '{minor(last)}'\n" for symbol, last in gone]
    return "".join(lines)


def written(facts: list, versions: list) -> str:
    """The table of overloads that headers write by hand."""
    lines = [
        "# C++ overloads of torch's operators that no schema has. Each has a number in place of a list, and calls\n",
        "# the overload that takes the list. versions/make.py makes this table; NOTICE says where from.\n",
        "# An entry without `since` is in the first of the versions, one without `until` in the last.\n",
        "cpp_only:\n",
    ]
    for (own, variant, parameter), first, last in sorted(ranges(facts)):
        since = "" if first == 0 else f", since: '{versions[first].rsplit('.', 1)[0]}'"
        until = "" if last == len(facts) - 1 else f", until: '{versions[last].rsplit('.', 1)[0]}'"
        lines.append(f"- {{name: {own}, variant: {variant}, parameter: {parameter}{since}{until}}}\n")
    return "".join(lines)


def of_installed(arguments: list) -> None:
    """Makes the table of overloads by hand of installed versions, `2.10.0=SITE-PACKAGES`."""
    pairs = [argument.split("=", 1) for argument in arguments]
    read = lambda site, header: open(os.path.join(site, INCLUDE, header), encoding="utf-8").read()
    facts = [cpp_only(read(site, OF_FUNCTIONS), read(site, OF_METHODS)) for _, site in pairs]
    write("cpp_only.yaml", written(facts, [version for version, _ in pairs]))


def write(table: str, text: str) -> None:
    with open(os.path.join(HERE, table), "w", encoding="utf-8", newline="\n") as file:
        file.write(text)


def main() -> None:
    if sys.argv[1:2] == ["--cpp-only"]:
        return of_installed(sys.argv[2:])
    cache = sys.argv[1] if len(sys.argv) > 1 else tempfile.mkdtemp()
    facts = [Facts(wheel(version, cache)) for version in VERSIONS]
    operators = entries.table([minor(i) for i in range(len(VERSIONS))], [fact.operators for fact in facts])
    by_hand = written([fact.cpp_only for fact in facts], VERSIONS)
    tables = {"operators.txt": operators, "overloads.yaml": overloads(facts), "shim.yaml": shim(facts), "cpp_only.yaml": by_hand}
    for table, text in tables.items():
        write(table, text)


if __name__ == "__main__":
    main()
