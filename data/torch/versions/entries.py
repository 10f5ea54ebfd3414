"""The operators of several versions of torch as one list of lines: the text of operators.txt.

The lines of one version, in order, are YAML: its operators with their keys. A line that some versions lack
begins with those that have it, as `2.11-2.13|`. So reading a version is one pass over the table, and what
does not change is there once.
"""

import difflib
import sys

import yaml

HEAD = """\
# The operators of torch's native_functions.yaml with their keys, for several versions: {versions}.
# A line that some of them lack begins with the first and the last version that have it.
# versions/make.py makes this table; NOTICE says where from.
"""


def table(versions: list, operators: list) -> str:
    """The table of these versions, each with the operators of its native_functions.yaml."""
    lists = [[(operator["func"].split("(")[0], lines(operator)) for operator in all] for all in operators]
    for own, all in zip(lists, operators):
        again = yaml.load("\n".join(line for _, entry in own for line in entry), yaml.CSafeLoader)
        if again != all:
            sys.exit(f"not the same: {next(pair for pair in zip(again, all) if pair[0] != pair[1])}")
    # Entries are matched by name, in order; then their lines.
    woven = [(index, item) for index, item in enumerate(lists[:1]) for item in item]
    woven = [(name, [(0, 0, line) for line in entry]) for _, (name, entry) in woven]
    for version, own in enumerate(lists[1:], 1):
        woven = weave(woven, own, version)
    newest = len(versions) - 1

    def written(first: int, last: int, line: str) -> str:
        return line if (first, last) == (0, newest) else f"{versions[first]}-{versions[last]}|{line}"

    head = HEAD.format(versions=" ".join(versions))
    return head + "".join(written(*line) + "\n" for _, entry in woven for line in entry)


def lines(operator: dict) -> list:
    """An operator as lines of YAML, `func` first and the other keys sorted."""
    found = [f"- func: {operator['func']}"]
    for key in sorted(operator.keys() - {"func"}):
        value = operator[key]
        if isinstance(value, dict) and value:
            found += [f"  {key}:", *(f"    {name}: {kernel}" for name, kernel in value.items())]
        elif isinstance(value, list) and any("," in item for item in value):
            found += [f"  {key}:", *(f"  - {item}" for item in value)]
        elif isinstance(value, list):
            found.append(f"  {key}: [{', '.join(str(item) for item in value)}]")
        else:
            found.append(f"  {key}: {value}")
    return found


def alive(entry: list, version: int) -> bool:
    """Whether the version has the entry."""
    return any(last == version for _, last, _ in entry)


def weave(woven: list, own: list, version: int) -> list:
    """The entries of the versions before, with those of another version."""
    before = [place for place, (_, entry) in enumerate(woven) if alive(entry, version - 1)]
    names = [woven[place][0] for place in before]
    matcher = difflib.SequenceMatcher(None, names, [name for name, _ in own], autojunk=False)
    result, taken = [], 0

    def take(until: int) -> None:
        nonlocal taken
        result.extend(woven[taken:until])
        taken = until

    for tag, start, end, first, last in matcher.get_opcodes():
        if tag == "equal":
            for place, (name, entry) in zip(before[start:end], own[first:last]):
                take(place)
                result.append((name, joined(woven[place][1], entry, version)))
                taken = place + 1
        else:
            take(before[end - 1] + 1 if end > start else taken)
            result += [(name, [(version, version, line) for line in entry]) for name, entry in own[first:last]]
    take(len(woven))
    return result


def joined(entry: list, own: list, version: int) -> list:
    """The lines of an entry in the versions before, with those in another version."""
    before = [place for place, (_, last, _) in enumerate(entry) if last == version - 1]
    matcher = difflib.SequenceMatcher(None, [entry[place][2] for place in before], own, autojunk=False)
    result, taken = [], 0
    for tag, start, end, first, last in matcher.get_opcodes():
        until = before[end - 1] + 1 if end > start else taken
        if tag == "equal":
            for place in before[start:end]:
                result += entry[taken:place] + [(entry[place][0], version, entry[place][2])]
                taken = place + 1
        else:
            result += entry[taken:until] + [(version, version, line) for line in own[first:last]]
            taken = until
    return result + entry[taken:]
