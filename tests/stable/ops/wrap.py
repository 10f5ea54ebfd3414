"""Writes a library that has, for each overload in calls.py, an operator of the same schema, which calls the
function of the header.

    python wrap.py HEADER calls|generator > wrapped.cpp

It reads the schemas in the comments and the declarations below them. What C++ makes of a type is written
here a second time, so that a wrong type in the header does not compile or changes a value. Prints an error if
a type of parameter or result in the header occurs in no call.
"""

import re
import sys

import calls

PLAIN = {"int": "int64_t", "SymInt": "int64_t", "DeviceIndex": "int64_t", "float": "double", "bool": "bool", "str": "std::string"}

HEAD = """#include "stable_ops.h"

#include <torch/csrc/stable/library.h>

#include <deque>
#include <memory>

using namespace aten;
namespace sd = torch::stable::detail;

// std::vector<bool> has no array.
class Flags {
 public:
  explicit Flags(const std::vector<bool>& from) : size_(from.size()), data_(new bool[from.size()]) {
    for (size_t i = 0; i < size_; ++i) data_[i] = from[i];
  }
  const bool* data() const { return data_.get(); }
  size_t size() const { return size_; }

 private:
  size_t size_;
  std::unique_ptr<bool[]> data_;
};

template <class T>
void put(StableIValue* stack, T result) { stack[0] = sd::from(result); }

template <class... T>
void put(StableIValue* stack, std::tuple<T...> results) {
  size_t at = 0;
  std::apply([&](auto&... one) { ((stack[at++] = sd::from(one)), ...); }, results);
}
"""


def parts(text: str) -> list:
    """Splits at commas outside of brackets."""
    found, depth, start = [], 0, 0
    for at, c in enumerate(text):
        depth += (c in "([{<") - (c in ")]}>" and text[at - 1] != "-")
        if c == "," and depth == 0:
            found.append(text[start:at].strip())
            start = at + 1
    return [part for part in [*found, text[start:].strip()] if part]


def decoded(ty: str) -> str:
    if ty.endswith("?"):
        return f"std::optional<{decoded(ty[:-1])}>"
    if ty.endswith("]"):
        return f"std::vector<{decoded(ty[: ty.rindex('[')])}>"
    return PLAIN.get(ty, ty)


def arguments(schema: str) -> list:
    """The type and the name of each argument."""
    inside = schema[schema.index("(") + 1 : schema.rindex(") -> ")]
    found = []
    for part in parts(inside):
        if part != "*":
            ty, name = part.split("=")[0].rsplit(" ", 1)
            found.append((re.sub(r"\([^)]*\)", "", ty), name))
    return found


def in_schema(argument: str) -> str:
    """The schema's name of an argument that C++ calls otherwise: `else_arg`."""
    return argument.removesuffix("_arg")


def main() -> None:
    header, which = sys.argv[1:]
    with open(header, encoding="utf-8") as file:
        text = file.read()
    functions = {}
    used, all_types = set(), set()
    for schema, returns, name, parameters in re.findall(r"^// (\S.*\) -> .*)\ninline (.*?) (\w+)\((.*)\) \{$", text, re.MULTILINE):
        declared = [part.split(" = ")[0].rsplit(" ", 1) for part in parts(parameters)]
        functions[schema.split("(")[0]] = (schema, returns, name, declared)
    names = list(dict.fromkeys(name for name, _ in (calls.CALLS if which == "calls" else calls.GENERATOR)))
    unknown = [name for name in names if name not in functions]
    if unknown:
        sys.exit(f"the header does not have {unknown}")
    out, definitions, implementations = [HEAD], [], []
    for overload, (_, returns, _, declared) in functions.items():
        types = {ty for ty, _ in declared} | {"-> " + re.sub(r"^::std::tuple<.*>$", "::std::tuple", returns)}
        all_types |= types
        used |= types if overload in names else set()
    missing = sorted(all_types - used) if which == "calls" else []
    if missing:
        sys.exit(f"no call has these types: {missing}")
    for at, overload in enumerate(names):
        schema, returns, name, declared = functions[overload]
        lines = [f"  (void)stack;"]
        cpp = {}
        for index, (ty, argument) in enumerate(arguments(schema)):
            lines.append(f"  auto a{index} = sd::to<{decoded(ty)}>(stack[{index}]);")
            cpp[argument] = f"Flags(a{index})" if re.match(r"bool\[\d*\]$", ty) else f"a{index}"
        passed = ", ".join(cpp[argument if argument in cpp else in_schema(argument)] for _, argument in declared)
        call = f"aten::{name}({passed})"
        lines.append(f"  {call};" if returns == "void" else f"  put(stack, {call});")
        body = "\n".join(lines)
        out.append(f"// {schema}\nstatic void f{at}(StableIValue* stack, uint64_t, uint64_t) {{\n{body}\n}}\n")
        quoted = schema.replace("\\", "\\\\").replace('"', '\\"')
        definitions.append(f'  m.def("f{at}{quoted[quoted.index("("):]}");')
        implementations.append(f'  m.impl("f{at}", &f{at});')
    out.append("STABLE_TORCH_LIBRARY(wrapped, m) {\n" + "\n".join(definitions) + "\n}\n")
    out.append("STABLE_TORCH_LIBRARY_IMPL(wrapped, CompositeExplicitAutograd, m) {\n" + "\n".join(implementations) + "\n}\n")
    print("\n".join(out))


if __name__ == "__main__":
    main()
