"""Prints the pairs of texts that c10 reads as different schemas.

    python same.py PAIRS
"""

import json
import sys

import torch


def printed(text: str) -> str:
    try:
        return str(torch._C.parse_schema(text))
    except Exception as error:
        return str(error).strip().splitlines()[0]


def main() -> None:
    with open(sys.argv[1], encoding="utf-8") as file:
        for line in file:
            pair = json.loads(line)
            text, ours = pair["text"], pair["ours"]
            if printed(text) != printed(ours):
                print(f"{text!r} means {printed(text)!r}, {ours!r} {printed(ours)!r}")


if __name__ == "__main__":
    main()
