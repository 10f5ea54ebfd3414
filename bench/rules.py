"""How long rules take to rewrite a graph, beside the same five matchers by hand: five rules, and more that match nothing.

    python bench/rules.py --program target/release/torchgen-rs

It needs a C++ compiler.
"""

import argparse
import itertools
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RULES = ROOT / "bench/rules"


def with_more(text, count):
    """The YAML with rules that match no node of the graph, up to this many in all."""
    own = text.count("{rule:")
    outer = ["Add({}, _)", "Mul({}, _)", "Relu({})", "Neg({})", "Transpose({})"]
    chosen = list(itertools.islice(((each, inner) for inner in itertools.count() for each in outer), max(0, count - own)))
    more = 1 + max((inner for _, inner in chosen), default=-1)
    nodes = "".join(f"- node: Other{i}(Tensor Input) -> Tensor Result\n  infer: {{Result: Input}}\n" for i in range(more))
    rules = "".join(
        f"- {{rule: more {at}, match: '{each.format(f'Other{inner}(x)')}', replace: x, priority: {len(chosen) - at}}}\n"
        for at, (each, inner) in enumerate(chosen)
    )
    return text.replace("rules:\n", nodes + "rules:\n") + rules


def measure(torchgen, count):
    """Prints the times with this many rules, of which five match."""
    with tempfile.TemporaryDirectory() as directory:
        out, program, source = (Path(directory) / name for name in ("out", "rules", "ir.yaml"))
        source.write_text(with_more((RULES / "ir.yaml").read_text(), count))
        subprocess.run([torchgen, "graph-ir", "-s", source, "-d", out], check=True, capture_output=True)
        sources = sorted(out.glob("*.cpp"))
        subprocess.run(["c++", "-std=c++17", "-O2", "-DNDEBUG", "-I", out, *sources, RULES / "main.cpp", "-o", program], check=True)
        print(f"{max(count, 5)} rules: ", end="", flush=True)
        subprocess.run([program], check=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--program", type=Path, default=ROOT / "target/release/torchgen-rs", help="the torchgen-rs to use")
    parser.add_argument("--rules", type=int, nargs="*", default=[5, 100, 1000], help="how many rules there are")
    arguments = parser.parse_args()
    for count in arguments.rules:
        measure(arguments.program, count)


if __name__ == "__main__":
    main()
