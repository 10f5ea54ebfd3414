"""Writes two states of a library with random schemas, and prints what PyTorch says about each.

    python schemas.py DIRECTORY CASES SEED

A line has the operator's name, the verdict and both schemas, with tabs between them.
"""

import random
import sys
from pathlib import Path

from torch._C import parse_schema

DEFAULTS = {
    "int": ["1", "2"],
    "int?": ["None", "1"],
    "SymInt": ["1"],
    "float": ["1.0", "0.5", "1"],
    "float?": ["None"],
    "bool": ["True", "False"],
    "Scalar": ["1"],
    "int[]": ["[]", "[1, 2]"],
    "int[2]": ["1"],
    "str": ['"a"', '"b"'],
    "Tensor?": ["None"],
    "ScalarType?": ["None"],
    "Tensor": [],
    "Tensor[]": [],
    "ScalarType": [],
}
Argument = tuple[str, str, str, str | None]  # type, alias, name, default


def text(name: str, positional: list[Argument], keyword: list[Argument], results: list[str]) -> str:
    def one(argument: Argument) -> str:
        ty, alias, own, default = argument
        return f"{ty}{alias} {own}" + (f"={default}" if default is not None else "")

    parts = [one(argument) for argument in positional]
    if keyword:
        parts += ["*"] + [one(argument) for argument in keyword]
    returned = results[0] if len(results) == 1 else f"({', '.join(results)})"
    return f"rand::{name}({', '.join(parts)}) -> {returned}"


def argument(chance: random.Random, name: str) -> Argument:
    ty = chance.choice(list(DEFAULTS))
    default = chance.choice([None, *DEFAULTS[ty]]) if DEFAULTS[ty] else None
    return ty, "", name, default


def edited(chance: random.Random, positional: list, keyword: list, results: list) -> tuple[list, list, list]:
    positional, keyword, results = list(positional), list(keyword), list(results)
    group = chance.choice([positional, keyword])
    at = chance.randrange(len(group)) if group else 0
    match chance.choice(["add", "append", "remove", "rename", "type", "default", "swap", "move", "back", "result"]):
        case "add":
            group.insert(at, argument(chance, "fresh"))
        case "append":
            group.append(argument(chance, "fresh"))
        case "remove" if group:
            del group[at]
        case "rename" if group:
            ty, alias, _, default = group[at]
            group[at] = ty, alias, "renamed", default
        case "type" if group:
            _, alias, name, default = group[at]
            ty = chance.choice(list(DEFAULTS))
            group[at] = ty, alias, name, default if default in DEFAULTS[ty] else None
        case "default" if group:
            ty, alias, name, _ = group[at]
            group[at] = ty, alias, name, chance.choice([None, *DEFAULTS[ty]])
        case "swap" if len(group) > 1:
            other = chance.randrange(len(group))
            group[at], group[other] = group[other], group[at]
        case "move" if positional:
            keyword.insert(0, positional.pop())
        case "back" if keyword:
            positional.append(keyword.pop(0))
        case "result":
            results[chance.randrange(len(results))] = chance.choice(["Tensor", "Tensor?", "int", "Tensor named"])
    return positional, keyword, results


def is_schema(positional: list, keyword: list) -> bool:
    """Positional arguments without defaults come first, as in Python; names differ."""
    names = [name for _, _, name, _ in positional + keyword]
    defaults = [default is not None for _, _, _, default in positional]
    return defaults == sorted(defaults) and len(set(names)) == len(names) and bool(names)


def main() -> None:
    directory, cases, seed = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    chance = random.Random(seed)
    texts = {"old": [], "new": []}
    for case in range(cases):
        name = f"op{case}"
        positional = [("Tensor", "", "x", None)]
        positional += [argument(chance, f"a{i}") for i in range(chance.randrange(4))]
        keyword = [argument(chance, f"k{i}") for i in range(chance.randrange(3))]
        results = ["Tensor"] * chance.choice([1, 1, 2])
        after = edited(chance, positional, keyword, results)
        if chance.random() < 0.3:
            after = edited(chance, *after)
        if not is_schema(positional, keyword) or not is_schema(after[0], after[1]):
            continue
        old, new = text(name, positional, keyword, results), text(name, *after)
        before, now = parse_schema(old), parse_schema(new)
        backward = now.is_backward_compatible_with(before)
        forward, _ = now.check_forward_compatible_with(before)
        verdict = "breaks" if not backward else "compatible" if forward else "risky"
        print(f"rand::{name}\t{verdict}\t{old}\t{new}")
        for state, schema in (("old", old), ("new", new)):
            texts[state].append(f"- func: '{schema}'\n  dispatch:\n    CompositeExplicitAutograd: {name}\n")
    for state, entries in texts.items():
        (directory / state).mkdir()
        (directory / state / "native_functions.yaml").write_text("\n".join(entries))


main()
