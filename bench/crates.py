#!/usr/bin/env python3
"""Prints the crates as a table in Markdown: lines of Rust, of those lines of tests, and imports.

Imports are the crates of this workspace that the manifest names for the product, not for tests.
"""

import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent
TESTS = re.compile(r"(^|/)(tests?|testing|\w+_tests)(/|\.rs$)")


def imports(manifest: str) -> list[str]:
    """The crates that `[dependencies]` names."""
    section = manifest.split("[dependencies]\n")[-1].split("\n[")[0]
    return re.findall(r"^torchgen-([\w-]+)", section, re.MULTILINE)


def lines(crate: pathlib.Path) -> tuple[int, int]:
    """The lines of product code and of tests below `src`."""
    product = tests = 0
    for path in sorted((crate / "src").rglob("*.rs")):
        text = path.read_text()
        inline = re.search(r"^#\[cfg\(test\)\]\nmod \w+ \{", text, re.MULTILINE)
        count = text.count("\n")
        if TESTS.search(str(path.relative_to(crate / "src"))):
            tests += count
        else:
            cut = text[: inline.start()].count("\n") if inline else count
            product += cut
            tests += count - cut
    return product, tests


def main() -> None:
    crates = [path for name in ("crates", "families") for path in sorted((ROOT / name).iterdir()) if path.is_dir()]
    folders = [ROOT / "data", ROOT / "templates", *crates, ROOT]
    names = {folder: "the program" if folder == ROOT else folder.name for folder in folders}
    used = {folder: imports((folder / "Cargo.toml").read_text()) for folder in folders}
    # From the bottom up.
    done: list[pathlib.Path] = []
    while len(done) < len(folders):
        known = {names[folder] for folder in done}
        done.append(next(f for f in folders if f not in done and known.issuperset(used[f])))
    print("| crate | lines | of tests | imports |\n| --- | --- | --- | --- |")
    total = [0, 0]
    for folder in done:
        product, tests = lines(folder)
        total = [total[0] + product, total[1] + tests]
        print(f"| {names[folder]} | {product:,} | {tests:,} | {', '.join(used[folder])} |")
    print(f"| all | {total[0]:,} | {total[1]:,} | |")


if __name__ == "__main__":
    main()
