"""Writes schemas, and how PyTorch parses them.

    python corpus.py ODD COUNT OUT

OUT gets one JSON object per line: the text; whether c10 accepts it; and how c10 prints it, which shows
whether two texts mean the same. The texts are those of the file ODD, between lines of dashes, and then COUNT
texts that a generator with a fixed seed makes from a grammar, about half of them with a mistake.
"""

import json
import random
import re
import sys

import torch

BASES = [
    *["Tensor"] * 12, *["int"] * 8, *["float"] * 4, *["bool"] * 3, *["str", "SymInt"] * 2, "Scalar", "ScalarType", "Device", "Generator", "str", "SymInt", "SymBool", "Scalar", "ScalarType", "Layout", "Device",
    "DeviceIndex", "MemoryFormat", "QScheme", "Generator", "Storage", "Stream", "complex", "Any", "None", "NoneType", "Capsule", "Quantizer",
    "ConstQuantizerPtr", "AnyClassType", "AnyEnumType", "t", "tVar",
]  # fmt: skip
KEYS = ["str", "int", "float", "bool", "Tensor", "complex", "Device", "Any"]
CLASS = "__torch__.torch.classes.quantized.LinearPackedParamsBase"
NAMES = ["x", "y", "self", "out", "other", "dtype", "layout", "device", "pin_memory", "a1", "_b", "n_", "default", "int", "inplace"]
OPERATORS = ["f", "f_", "add", "ns::f", "__iadd__", "__and__", "_x", "f_out", "f_functional", "ns::f_", "a1"]
NUMBERS = ["0", "1", "-1", "42", "1.5", "-0.5", "1e-6", "1e3", "2.", ".25", "1E5", "0x10", "1j", "- 3", "007", "1e400", "99999999999999999999"]
WORDS = ["None", "True", "False", "float", "complex", "long", "strided", "Mean", "contiguous_format", "banana", "inf", "Sum"]
STRINGS = ['"a"', "'a, b'", '"x=y"', '""', '"it\'s"', "'\\''", '"\\n\\t"', '"\\101"', '"\\q"', '"a::b"', '"""a"b"""', '"->"', '"("', "'#'"]
SLIPS = list("()[]!?*|,=.:# ") + ["->", "...", "é", ";", "Foo", "if", "in", "2"]


class Writer:
    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    def one(self, options: list[str]) -> str:
        return self.random.choice(options)

    def alias_sets(self) -> str:
        return "|".join(self.one(["a", "b", "c", "alias", "*"]) for _ in range(self.random.choice([1, 1, 1, 2, 3])))

    def annotation(self) -> str:
        if self.chance(0.3):
            return "!"
        write = "!" if self.chance(0.5) else ""
        after = f" -> {self.alias_sets()}" if self.chance(0.2) else ""
        return f"({self.alias_sets()}{write}{after})"

    def type(self, depth: int = 0) -> str:
        kind = self.random.random()
        if depth < 3 and kind < 0.04:
            text = f"Dict({self.one(KEYS)}, {self.type(depth + 1)})"
        elif depth < 3 and kind < 0.06:
            return f"{self.one(['Future', 'RRef', 'Await'])}({self.type(depth + 1)}){self.suffixes()}"
        elif depth < 3 and kind < 0.08:
            return f"({', '.join(self.type(depth + 1) for _ in range(self.random.randint(0, 3)))}){self.suffixes()}"
        elif depth < 3 and kind < 0.09:
            text = f"Union({self.one(['int', 'Tensor'])}, {self.one(['str', 'Device', 'None'])})"
        elif kind < 0.11:
            return CLASS + self.suffixes()
        else:
            text = self.one(BASES)
        if self.chance(0.2):
            text += self.annotation()
        return text + self.suffixes()

    def suffixes(self) -> str:
        text = ""
        while self.chance(0.3):
            text += "?" if self.chance(0.5) else "[]" + (self.annotation() if self.chance(0.05) else "")
        return text

    def outer_type(self) -> str:
        text = self.type()
        if self.chance(0.1):
            text += f"[{self.one(['1', '2', '3', '16'])}]" + (self.annotation() if self.chance(0.05) else "") + ("?" if self.chance(0.3) else "")
        return text

    def constant(self) -> str:
        return self.one(self.random.choice([NUMBERS, WORDS, STRINGS, ["1", "None", "True"]]))

    def default(self, written: str) -> str:
        if self.chance(0.8):
            if written.endswith("?"):
                return self.one(["None"] * 8 + ["1", '"a"'])
            if written.endswith("]"):
                return self.one(["[]", "[1]", "[1, 2]", "[1,2]", "[True]", "[0.5]", "1", "None", "[1j]"])
            fitting = {"int": NUMBERS, "SymInt": NUMBERS, "float": ["1.0", "1e-6", *NUMBERS], "bool": ["True", "False"], "str": STRINGS, "Device": ['"cpu"', '"cuda:1"', '"x"']}
            return self.one(fitting.get(written, ["None", "None", "1", "float", "half"]))
        if self.chance(0.2):
            return f"[{', '.join(self.constant() for _ in range(self.random.randint(0, 3)))}]"
        return self.constant()

    def argument(self, may_default: float) -> str:
        written = self.outer_type()
        text = f"{written} {self.one(NAMES)}"
        return f"{text}={self.default(written)}" if self.chance(may_default) else text

    def schema(self) -> str:
        name = self.one(OPERATORS) + (f".{self.one(['out', 'Tensor', 'x_1', 'functional', 'default', '__a'])}" if self.chance(0.2) else "")
        arguments = [self.argument(0.02) for _ in range(self.random.randint(0, 3))] + [self.argument(0.95) for _ in range(self.random.randint(0, 2))]
        if self.chance(0.3):
            arguments.append("*")
            arguments += [self.argument(0.5) for _ in range(self.random.randint(0, 3))]
        if self.chance(0.03):
            arguments.append("...")
        returns = [self.outer_type() + (f" {self.one(NAMES)}" if self.chance(0.2) else "") for _ in range(self.random.choice([0, 1, 1, 1, 2, 3]))]
        if self.chance(0.02):
            returns.append("...")
        joined = ", ".join(returns)
        if len(returns) != 1 or joined.startswith("(") or self.chance(0.1):
            joined = f"({joined})"
        return f"{name}({', '.join(arguments)}) -> {joined}"

    def slipped(self, text: str) -> str:
        at = self.random.randint(0, len(text))
        kind = self.random.random()
        if kind < 0.4:
            return text[:at] + self.one(SLIPS) + text[at:]
        if kind < 0.7:
            return text[:at] + text[at + 1 :]
        if kind < 0.85:
            return text[:at] + self.one([" ", "  ", "\t", "\n", " # why\n"]) + text[at:]
        return text.replace(", ", ",") if self.chance(0.5) else text[:at]


def verdict(text: str) -> dict:
    try:
        printed = str(torch._C.parse_schema(text))
    except Exception:
        return {"text": text, "accepted": False}
    # Bare annotations are numbered, and printed with an arrow to nothing.
    return {"text": text, "accepted": True, "printed": re.sub(r"\(\$\d+! -> \)", "!", printed)}


def main() -> None:
    odd, count, out = sys.argv[1:]
    with open(odd, encoding="utf-8") as file:
        texts = [text.strip("\n") if text.strip() else text for text in re.split(r"^----\n", file.read(), flags=re.M)]
    texts = [line for text in texts[:1] for line in text.splitlines() if line] + [text.replace("\\n", "\n") for text in texts[1:]]
    writer = Writer(4)
    for _ in range(int(count)):
        text = writer.schema()
        texts.append(text if writer.chance(0.6) else writer.slipped(text))
    with open(out, "w", encoding="utf-8") as file:
        for text in texts:
            file.write(json.dumps(verdict(text)) + "\n")


if __name__ == "__main__":
    main()
