#!/usr/bin/env python3
"""What a release needs beside its files; `.github/workflows/release.yml` calls it.

    .ci/release.py check v0.1.0      the version and the CHANGELOG agree with the tag
    .ci/release.py notes v0.1.0      prints the notes of the version, from the CHANGELOG
    .ci/release.py checksums DIR     writes DIR/SHA256SUMS, which `sha256sum --check` reads

`notes` without a tag prints those of the next version.
"""

import hashlib
import pathlib
import re
import sys
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent
SUMS = "SHA256SUMS"
UNRELEASED = "Unreleased"


def sections() -> dict[str, tuple[str, str]]:
    """What the CHANGELOG has on each version: what follows it in its heading, and the text below."""
    parts = re.split(r"^## (.+)$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), flags=re.MULTILINE)
    headings = (heading.partition(" - ") for heading in parts[1::2])
    return {version.strip("[] "): (date.strip(), text) for (version, _, date), text in zip(headings, parts[2::2])}


def notes(version: str) -> str:
    """The text on a version, with one line for each paragraph, as releases show lines that break."""
    if version not in sections():
        sys.exit(f"CHANGELOG.md has no section `## {version} - YYYY-MM-DD`")
    blocks = re.split(r"(```.*?```)", sections()[version][1].strip(), flags=re.DOTALL)
    within = r"(?<=\S)\n *(?![-*] |\d+\. |[#|\n])"
    joined = (block if block.startswith("```") else re.sub(within, " ", block) for block in blocks)
    return "".join(joined) + "\n"


def check(version: str) -> None:
    """Ends with an error if the sources are not those of the version."""
    workspace = tomllib.loads((ROOT / "Cargo.toml").read_text(encoding="utf-8"))["workspace"]
    has = workspace["package"]["version"]
    if has != version:
        sys.exit(f"Cargo.toml has version {has}, not {version}")
    for name, entry in workspace["dependencies"].items():
        if isinstance(entry, dict) and "path" in entry and entry.get("version", version) != version:
            sys.exit(f"[workspace.dependencies] of Cargo.toml has {name} {entry['version']}, not {version}")
    if not notes(version).strip():
        sys.exit(f"CHANGELOG.md has nothing on {version}")
    date = sections()[version][0]
    if not re.fullmatch(r"\d{4}-\d{2}-\d{2}", date):
        sys.exit(f"CHANGELOG.md has no date in its section on {version}: `## {version} - YYYY-MM-DD`")
    if sections().get(UNRELEASED, ("", ""))[1].strip():
        sys.exit(f"CHANGELOG.md has lines below `## {UNRELEASED}`: the release has them too")


def checksums(directory: pathlib.Path) -> None:
    """Writes the checksums of the files of a directory."""
    files = sorted(path for path in directory.iterdir() if path.is_file() and path.name != SUMS)
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files]
    if not lines:
        sys.exit(f"{directory} has no files")
    with open(directory / SUMS, "w", encoding="utf-8", newline="\n") as file:
        file.writelines(lines)


def main() -> None:
    match sys.argv[1:]:
        case ["check", tag]:
            check(tag.removeprefix("v"))
        case ["notes"]:
            print(notes(UNRELEASED), end="")
        case ["notes", tag]:
            print(notes(tag.removeprefix("v")), end="")
        case ["checksums", directory]:
            checksums(pathlib.Path(directory))
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main()
