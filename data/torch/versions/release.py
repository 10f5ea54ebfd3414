"""Shows what a release of torch changed in its code generator, and changes the tables of facts.

    python3 release.py OLD NEW            # print what changed
    python3 release.py OLD NEW --write    # also change the tables in data/torch, and tables.yaml
    python3 release.py OLD NEW --check    # fail unless tables.yaml has these changes

OLD and NEW are unpacked wheels, or versions, whose macOS wheels pip downloads. OLD is the version before NEW.
Nothing of a wheel is run or imported. It needs Python 3.9 or newer, and PyYAML.

A table that is a list or a mapping in torchgen's Python is changed by itself. All other differences of Python are
printed with the rules of rules.yaml that name the file: they are read by a person, who adds rules.
"""

import argparse
import ast
import difflib
import glob
import io
import os
import re
import subprocess
import sys
import tempfile
import tokenize
import zipfile

import yaml

HERE = os.path.dirname(os.path.abspath(__file__))
DATA = os.path.dirname(os.path.dirname(HERE))
PLATFORMS = ["macosx_14_0_arm64", "macosx_11_0_arm64"]
AUTOGRAD = "packaged/autograd/"

# A constant of the reference, by file and name, and the list or mapping that has its items.
TABLES = {
    (AUTOGRAD + "gen_inplace_or_view_type.py", "VIEW_FUNCTIONS"): ("torch/autograd_kernels.yaml", "views"),
    (AUTOGRAD + "gen_inplace_or_view_type.py", "VIEW_FUNCTIONS_WITH_METADATA_CHANGE"): ("torch/autograd_kernels.yaml", "views_with_metadata_change"),
    (AUTOGRAD + "gen_python_functions.py", "SKIP_PYTHON_BINDINGS_SIGNATURES"): ("torch/python_bindings.yaml", "without_binding_schemas"),
    (AUTOGRAD + "gen_python_functions.py", "_SKIP_PYTHON_BINDINGS"): ("torch/python_bindings.yaml", "without_binding"),
    (AUTOGRAD + "gen_trace_type.py", "DONT_RECORD_TRACE"): ("torch/tracing.yaml", "untraced"),
    (AUTOGRAD + "gen_trace_type.py", "MANUAL_AUTOGRAD_AND_TRACER"): ("torch/autograd_kernels.yaml", "manual_autograd_and_tracer"),
    (AUTOGRAD + "gen_trace_type.py", "MANUAL_BACKEND"): ("torch/autograd_kernels.yaml", "manual_backend"),
    (AUTOGRAD + "gen_variable_type.py", "DONT_ENFORCE_SAME_TENSOR_IMPL_OR_STORAGE"): ("torch/variable_type.yaml", "dont_enforce_same_tensor_impl_or_storage"),
    (AUTOGRAD + "gen_variable_type.py", "DONT_ENFORCE_TENSOR_IMPL_USE_COUNT"): ("torch/variable_type.yaml", "dont_enforce_tensor_impl_use_count"),
    (AUTOGRAD + "gen_variable_type.py", "DONT_REQUIRE_DERIVATIVE"): ("torch/variable_type.yaml", "dont_require_derivative"),
    (AUTOGRAD + "gen_variable_type.py", "GRADIENT_IMPLEMENTED_FOR_COMPLEX"): ("torch/variable_type.yaml", "gradient_implemented_for_complex"),
    (AUTOGRAD + "gen_variable_type.py", "RESET_GRAD_ACCUMULATOR"): ("torch/variable_type.yaml", "reset_grad_accumulator"),
    ("aoti/fallback_ops.py", "aten_shimified_ops"): ("torch/aoti_fallback_ops.yaml", "through_dispatcher"),
    ("aoti/fallback_ops.py", "inductor_fallback_ops"): ("torch/aoti_fallback_ops.yaml", "fallback"),
    ("api/autograd.py", "_foreach_with_tensor_overload"): ("torch/foreach.yaml", "with_tensor_overload"),
    ("api/autograd.py", "_skip_argument_len_check"): ("torch/foreach.yaml", "skip_argument_len_check"),
    ("api/python.py", "SUPPORTED_RETURN_TYPES"): ("torch/wrapped_returns.yaml", None),
    ("dest/native_functions.py", "_CPU_DLL_CUDA_KERNELS"): ("torch/native_functions.yaml", "cuda_kernels_in_cpu_library"),
    ("gen_functionalization_type.py", "CUMULATIVE_OUT_OPS_PRESERVING_OUT_DTYPE"): ("torch/functionalization.yaml", "computed_in_type_of_out"),
    ("gen_functionalization_type.py", "MUTABLE_OPS_NOT_USING_FUNCTIONALIZATION"): ("torch/functionalization.yaml", "left_alone"),
    ("native_function_generation.py", "FUNCTIONAL_OPS_THAT_CANNOT_GET_AN_OUT_VARIANT"): ("torch/variants.yaml", "functional_without_out"),
    ("native_function_generation.py", "MUTABLE_OPS_THAT_CANNOT_GET_AN_OUT_VARIANT"): ("torch/variants.yaml", "mutable_without_out"),
    ("native_function_generation.py", "OUT_OPS_THAT_DONT_GET_GROUPED_PROPERLY"): ("torch/variants.yaml", "out_without_group"),
    ("static_runtime/config.py", "is_hand_written_ops_"): ("torch/static_runtime.yaml", "hand_written"),
    ("static_runtime/generator.py", "BLOCKED_OPS"): ("torch/static_runtime.yaml", "blocked"),
    ("static_runtime/generator.py", "no_memory_resize_ops"): ("torch/static_runtime.yaml", "no_resize"),
}  # fmt: skip


def unpacked(release: str, into: str) -> str:
    """The directory of an unpacked wheel: that one, or a new one for a version."""
    if os.path.isdir(release):
        return release
    for platform in PLATFORMS:
        command = [sys.executable, "-m", "pip", "download", f"torch=={release}", "--no-deps", "--only-binary=:all:", "--implementation", "cp",
                   "--python-version", "3.11", "--abi", "cp311", "--abi", "none", "--platform", platform, "--dest", into, "--quiet"]  # fmt: skip
        if subprocess.run(command, check=False).returncode == 0:
            break
    else:
        sys.exit(f"pip finds no wheel of torch {release} for macOS")
    (wheel,) = glob.glob(os.path.join(into, f"torch-{release}-*.whl"))
    target = os.path.join(into, release)
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(target, [name for name in archive.namelist() if name.startswith(("torchgen/", "torch/version.py"))])
    return target


def version(root: str, name: str) -> str:
    """`2.14`, from the files or the argument."""
    path = os.path.join(root, "torch", "version.py")
    text = open(path, encoding="utf-8").read() if os.path.exists(path) else f"'{os.path.basename(name.rstrip('/'))}'"
    found = re.search(r"'(\d+\.\d+)", text)
    return found.group(1) if found else name


def value(node: ast.expr, names: dict):
    """A constant, with the operators that it names as strings; None for what is not constant."""
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.Name):
        return names.get(node.id)
    if isinstance(node, (ast.List, ast.Tuple, ast.Set)):
        items = []
        for item in node.elts:
            one = value(item.value if isinstance(item, ast.Starred) else item, names)
            items.extend(one or [] if isinstance(item, ast.Starred) else [one])
        return items
    if isinstance(node, ast.Dict):
        return {value(key, names): value(item, names) for key, item in zip(node.keys, node.values) if key}
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "parse" and node.args:
        return value(node.args[0], names)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("frozenset", "set", "list", "tuple") and node.args:
        return value(node.args[0], names)
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.BitOr)):
        return [*(value(node.left, names) or []), *(value(node.right, names) or [])]
    if isinstance(node, (ast.ListComp, ast.SetComp, ast.GeneratorExp)):
        return value(node.generators[0].iter, names)
    return None


def constants(root: str) -> dict:
    """The constants of TABLES in a version: strings in order, or a mapping."""
    found = {}
    for file in {file for file, _ in TABLES}:
        path = os.path.join(root, "torchgen", file)
        if not os.path.exists(path):
            continue
        names: dict = {}
        for statement in ast.parse(open(path, encoding="utf-8").read()).body:
            target = statement.targets[0] if isinstance(statement, ast.Assign) else getattr(statement, "target", None)
            if isinstance(target, ast.Name) and getattr(statement, "value", None) is not None:
                names[target.id] = value(statement.value, names)
        found.update({key: names[key[1]] for key in TABLES if key[0] == file and names.get(key[1]) is not None})
    return found


def shim(entry: dict) -> dict:
    """What aoti_fallback_ops.yaml says of an operator."""
    versions = {}
    for name, form in entry.items():
        if name != "since":
            form = form if isinstance(form, dict) else {"new_args": form}
            versions[int(name[1:])] = {"new_arguments": form["new_args"], **({"since": form["since"]} if "since" in form else {})}
    return {**({"since": entry["since"]} if "since" in entry else {}), **({"versions": versions} if versions else {})}


def entry_change(new, old):
    """How a value of a mapping becomes the older one."""
    if isinstance(new, dict) and isinstance(old, dict):
        keys = list(dict.fromkeys([*new, *old]))
        return {key: entry_change(new[key], old[key]) if key in new and key in old else old.get(key) for key in keys if new.get(key) != old.get(key)}
    return old


def changes(new: dict, old: dict) -> dict:
    """table -> key -> the change that makes the older table of the newer one."""
    found: dict = {}
    for name, (table, key) in TABLES.items():
        mine, theirs = new.get(name, []), old.get(name, [])
        if name[0].startswith("aoti/"):
            mine, theirs = ({op: shim(entry) for op, entry in dict(side).items()} for side in (mine, theirs))
            change = entry_change(mine, theirs)
        else:
            mine, theirs = list(mine), list(theirs)
            without, with_ = [item for item in mine if item not in theirs], [item for item in theirs if item not in mine]
            change = {**({"without": without} if without else {}), **({"with": with_} if with_ else {})}
        if change:
            found.setdefault(table, {}).update({key: change} if key else change)
    return found


def code(path: str) -> list[str]:
    """The lines of a Python file without comments; those of another file as they are."""
    text = open(path, encoding="utf-8").read()
    if not path.endswith(".py"):
        return text.splitlines()
    lines = text.splitlines()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            row, column = token.start
            lines[row - 1] = lines[row - 1][:column]
    return [line.rstrip() for line in lines if line.strip()]


def changed_files(old: str, new: str) -> dict:
    """The files below torchgen/ that differ, and how many lines."""
    counts = {}
    for path in sorted(glob.glob(os.path.join(new, "torchgen", "**", "*"), recursive=True)):
        name = os.path.relpath(path, os.path.join(new, "torchgen"))
        before = os.path.join(old, "torchgen", name)
        if os.path.isfile(path) and path.endswith((".py", ".h", ".cpp", ".in")):
            lines = code(before) if os.path.isfile(before) else []
            count = sum(line[0] in "+-" for line in difflib.unified_diff(lines, code(path), n=0) if not line.startswith(("+++", "---")))
            if count:
                counts[name] = count
    return counts


def edit_list(text: str, key: str, remove: list, add: list) -> str:
    """A table with items removed from a list and others at its end, and all comments."""
    head = re.search(rf"^{re.escape(key)}:\n((?: *[-#].*\n|\n)*)", text, re.M)
    if not head:
        raise SystemExit(f"there is no list `{key}`")
    lines = head.group(1).rstrip("\n").split("\n")
    lines = [line for line in lines if line.strip().removeprefix("- ").strip("'\"") not in remove]
    lines += [f"  - {item}" for item in add]
    return text[: head.start(1)] + "\n".join(lines) + "\n" + text[head.start(1) + len(head.group(1).rstrip("\n")) + 1 :]


def write(found: dict, release: str) -> None:
    """Makes the tables those of the new version, and adds the way back to tables.yaml."""
    for table, keys in found.items():
        path = os.path.join(DATA, table)
        for key, change in keys.items():
            if not isinstance(change, dict) or not set(change) <= {"with", "without"}:
                print(f"  {table}, {key}: change it by hand")
                continue
            text = edit_list(open(path, encoding="utf-8").read(), key, change.get("with", []), change.get("without", []))
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
    path = os.path.join(HERE, "tables.yaml")
    text = open(path, encoding="utf-8").read()
    added = yaml.safe_dump({release: found}, sort_keys=False, width=110, default_flow_style=None)
    at = re.search(r'^"', text, re.M)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text[: at.start()] + added.replace(f"'{release}'", f'"{release}"') + text[at.start() :] if at else text + added)


def check(found: dict, release: str) -> bool:
    """Whether tables.yaml has these changes, in any order of items."""

    def sets(change):
        if isinstance(change, list):
            return sorted(map(str, change))
        return {key: sets(inner) for key, inner in change.items()} if isinstance(change, dict) else change

    recorded = yaml.safe_load(open(os.path.join(HERE, "tables.yaml"), encoding="utf-8")).get(release, {})
    tables = {(table, key) for table, key in TABLES.values()}
    kept = {table: {key: change for key, change in keys.items() if (table, key) in tables} for table, keys in recorded.items()}
    kept = {table: keys for table, keys in kept.items() if keys}
    if sets(kept) == sets(found):
        return True
    print(f"tables.yaml, {release}: it has\n{yaml.safe_dump(kept)}and the wheels have\n{yaml.safe_dump(found)}")
    return False


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--version", help="that of OLD, if its files do not have it")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        old, new = (unpacked(release, scratch) for release in (arguments.old, arguments.new))
        before, after = version(old, arguments.version or arguments.old), version(new, arguments.new)
        found = changes(constants(new), constants(old))
        if arguments.check:
            sys.exit(0 if check(found, before) else 1)
        print(f"What {before} had in the tables of {after}:")
        print(yaml.safe_dump({before: found}, sort_keys=False, width=110, default_flow_style=None) if found else "  the same")
        rules = yaml.safe_load(open(os.path.join(HERE, "rules.yaml"), encoding="utf-8"))["rules"]
        print("Files that changed, with the lines of code, and the rules that name them:")
        for name, count in changed_files(old, new).items():
            upstream = name.replace(AUTOGRAD, "tools/autograd/") if name.startswith(AUTOGRAD) else f"torchgen/{name}"
            named = [rule for rule, entry in rules.items() if entry["file"] == upstream]
            new_here = [rule for rule in named if rules[rule].get("since") == after or rules[rule].get("until") == before]
            marks = ", ".join(f"{rule}{' (new)' if rule in new_here else ''}" for rule in named)
            print(f"  {count:5} {name}{': ' + marks if marks else ''}")
        if arguments.write:
            write(found, before)
            print("The tables are changed. CONTRIBUTING.md has the next steps.")


if __name__ == "__main__":
    main()
