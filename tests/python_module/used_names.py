"""Lists the names of torchgen that projects use, and says which of them `torchgen_rs` has.

    python3 used_names.py --record NAMES PROJECT=CHECKOUT...
        Writes the names that Python files of checkouts import, or reach by attributes of what they
        import, to the file NAMES. Needs torchgen: a name that it lacks is of another version or of
        the project, and has a `-` before it.

    python3 used_names.py NAMES
        Prints a table in Markdown of the names in this file, and which are missing. Needs torchgen_rs.

Names are found by syntax: what a script reaches by other ways, such as methods of an object that a
function returned, is not seen.
"""

from __future__ import annotations

import ast
import importlib
import os
import sys
from collections.abc import Iterator

PREFIX = "torchgen"


def bound_names(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """The words that imports of torchgen define in a file, and the name that each has there."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for name in node.names:
                if name.name.split(".")[0] == PREFIX:
                    yield (name.asname, name.name) if name.asname else (PREFIX, PREFIX)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and (node.module or "").split(".")[0] == PREFIX:
            for name in node.names:
                if name.name != "*":
                    yield name.asname or name.name, f"{node.module}.{name.name}"


def used_names(tree: ast.AST) -> set[str]:
    """The names of torchgen in a file."""
    bound = dict(bound_names(tree))
    found = set(bound.values())

    def reached(node: ast.expr) -> str | None:
        if isinstance(node, ast.Attribute):
            owner = reached(node.value)
            return owner and f"{owner}.{node.attr}"
        return bound.get(node.id) if isinstance(node, ast.Name) else None

    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            name = reached(node)
            if name is not None:
                found.add(name)
    return found


def names_of(checkout: str) -> list[str]:
    """The names of torchgen in all Python files of a directory."""
    found: set[str] = set()
    for directory, _, files in os.walk(checkout):
        for file in files:
            if file.endswith(".py"):
                with open(os.path.join(directory, file), encoding="utf-8", errors="replace") as text:
                    try:
                        found |= used_names(ast.parse(text.read()))
                    except SyntaxError as error:
                        print(f"{file} is left out: {error}", file=sys.stderr)
    return sorted(found - {PREFIX})


def has(package: str, name: str) -> bool:
    """Whether a package has the name: as a module, an attribute, or a field of a class."""
    path, found = package, importlib.import_module(package)
    for part in name.split(".")[1:]:
        path = f"{path}.{part}"
        try:
            found = getattr(found, part)
        except ModuleNotFoundError as error:
            # Readers of YAML need PyYAML, which is not installed everywhere.
            return error.name == "yaml"
        except AttributeError:
            fields = {field for base in getattr(found, "__mro__", ()) for field in vars(base).get("__annotations__", ())}
            if part not in fields:
                try:
                    found = importlib.import_module(path)
                except ImportError:
                    return False
    return True


def record(file: str, projects: list[str]) -> None:
    """Writes the names of projects to a file."""
    with open(file, "w", encoding="utf-8") as out:
        for project in projects:
            title, _, checkout = project.partition("=")
            names = names_of(checkout)
            out.writelines(f"{title}\t{'' if has(PREFIX, name) else '-'}{name}\n" for name in names)


def shown(names: list[str]) -> str:
    """Names in a cell of a table."""
    return ", ".join(f"`{name.removeprefix('torchgen.')}`" for name in names)


def table(file: str) -> str:
    """The table of the names in a file."""
    by_project: dict[str, list[str]] = {}
    with open(file, encoding="utf-8") as lines:
        for line in lines:
            project, name = line.rstrip("\n").split("\t")
            by_project.setdefault(project, []).append(name)
    rows = ["| project | names | missing | of other versions, or its own |", "| --- | --- | --- | --- |"]
    for project, names in by_project.items():
        others = [name[1:] for name in names if name.startswith("-") and not has("torchgen_rs", name[1:])]
        missing = [name for name in names if not name.startswith("-") and not has("torchgen_rs", name)]
        rows.append(f"| {project} | {len(names)} | {shown(missing)} | {shown(others)} |")
    return "\n".join(rows)


def main(words: list[str]) -> int:
    """Does what the words say. Returns the exit status."""
    if len(words) > 2 and words[0] == "--record" and all("=" in word for word in words[2:]):
        record(words[1], words[2:])
    elif len(words) == 1 and not words[0].startswith("-"):
        print(table(words[0]))
    else:
        print(__doc__, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
