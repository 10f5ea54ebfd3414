"""The libraries of bench/loop.py as they are written by hand, on each ABI.

A library has one source with the schemas, and one for each operator, with its kernel, its fake and, on libtorch's
C++ API, its gradient. On the stable ABI, fakes and gradients are Python, which nothing compiles. As in bench/loop.py,
a kernel only says that it is not written.
"""

import pathlib
import re

# The schemas of an operator by its number, the parameters of its kernel on each ABI, and what it returns.
KINDS = [
    ("Tensor self, float scale=1.0", "const Tensor& self, double scale", "Tensor"),
    ("Tensor(a!) self, float scale=1.0", "Tensor self, double scale", "void"),
    ("Tensor self, Tensor? weight=None", "const Tensor& self, const std::optional<Tensor>& weight", "Tensor"),
    ("Tensor self, Tensor[] others", "const Tensor& self, {list} others", "Tensor"),
    ("Tensor self, Tensor other", "const Tensor& self, const Tensor& other", "Tensor"),
]
LISTS = {"unstable": "at::TensorList", "stable": "std::vector<Tensor>"}

SCHEMAS = {
    "unstable": "#include <torch/library.h>\n\nTORCH_LIBRARY(mine, m) {{\n{schemas}}}\n",
    "stable": "#include <torch/csrc/stable/library.h>\n\nSTABLE_TORCH_LIBRARY(mine, m) {{\n{schemas}}}\n",
}
KERNELS = {
    "unstable": """{includes}
#include <torch/library.h>

namespace {{

using at::Tensor;

{returns} {name}_cpu({parameters}) {{
  TORCH_CHECK(false, "{name}_cpu is not written");
}}
{more}
}} // namespace

TORCH_LIBRARY_IMPL(mine, CPU, m) {{
  m.impl("{name}", &{name}_cpu);
}}
{registrations}""",
    "stable": """#include <torch/csrc/stable/library.h>
#include <torch/csrc/stable/tensor.h>
#include <torch/headeronly/util/Exception.h>

#include <optional>
#include <vector>

namespace {{

using torch::stable::Tensor;

{returns} {name}_cpu({parameters}) {{
  STD_TORCH_CHECK(false, "{name}_cpu is not written");
}}

}} // namespace

STABLE_TORCH_LIBRARY_IMPL(mine, CPU, m) {{
  m.impl("{name}", TORCH_BOX(&{name}_cpu));
}}
""",
}
FAKE = """
Tensor {name}_meta({parameters}) {{
  return at::empty_like(self);
}}
"""
GRADIENT = """
class {name}_gradient : public torch::autograd::Function<{name}_gradient> {{
 public:
  static Tensor forward(torch::autograd::AutogradContext* context, {parameters}) {{
    at::AutoDispatchBelowADInplaceOrView below;
    {save}
    static auto below_autograd =
        c10::Dispatcher::singleton().findSchemaOrThrow("mine::{name}", "").typed<Tensor({parameters})>();
    return below_autograd.call({arguments});
  }}

  static torch::autograd::variable_list backward(
      torch::autograd::AutogradContext* context, torch::autograd::variable_list gradients) {{
    const Tensor grad = gradients[0];
    {formula}
  }}
}};

Tensor {name}_autograd({parameters}) {{
  return {name}_gradient::apply({arguments});
}}
"""
REGISTRATION = '\nTORCH_LIBRARY_IMPL(mine, {key}, m) {{\n  m.impl("{name}", &{name}_{kernel});\n}}\n'
FORMULAS = {
    0: ('context->saved_data["scale"] = scale;', 'return {grad * context->saved_data["scale"].toDouble(), Tensor()};'),
    4: (
        "context->save_for_backward({self, other});",
        "const auto saved = context->get_saved_variables();\n    return {grad * saved[1], grad * saved[0]};",
    ),
}


class ByHand:
    """Such a library in a directory of its own, with what bench/loop.py asks of one."""

    def __init__(self, root: pathlib.Path, operators: int, abi: str) -> None:
        self.root, self.abi, self.names = root, abi, [f"op{at}" for at in range(operators)]
        (root / "kernels").mkdir(parents=True)
        for at, name in enumerate(self.names):
            self.write_kernel(name, at % 5)
        self.write_schemas()

    def write_schemas(self) -> None:
        lines = ""
        for at, name in enumerate(self.names):
            arguments, _, returns = KINDS[at % 5]
            lines += f'  m.def("{name}({arguments}) -> {"()" if returns == "void" else returns}");\n'
        (self.root / "kernels/schemas.cpp").write_text(SCHEMAS[self.abi].format(schemas=lines))

    def write_kernel(self, name: str, kind: int) -> None:
        _, parameters, returns = KINDS[kind]
        parameters = parameters.format(list=LISTS[self.abi])
        fields = {"name": name, "parameters": parameters, "returns": returns}
        fields["arguments"] = ", ".join(re.findall(r"(\w+)(?:,|$)", parameters))
        more, registrations, includes = "", "", "#include <ATen/core/Tensor.h>"
        if returns == "Tensor":
            more, includes = FAKE.format(**fields), "#include <ATen/ATen.h>"
            registrations = REGISTRATION.format(key="Meta", kernel="meta", **fields)
        if kind in FORMULAS:
            save, formula = FORMULAS[kind]
            more += GRADIENT.format(save=save, formula=formula, **fields)
            registrations += REGISTRATION.format(key="Autograd", kernel="autograd", **fields)
            includes += "\n#include <torch/csrc/autograd/custom_function.h>"
        text = KERNELS[self.abi].format(includes=includes, more=more, registrations=registrations, **fields)
        (self.root / f"kernels/{name}.cpp").write_text(text)

    def generate(self) -> dict[pathlib.Path, str]:
        """All files, with their texts."""
        return {path: path.read_text() for path in sorted((self.root / "kernels").glob("*.cpp"))}

    def edit(self, edit: str) -> None:
        first, schemas = self.root / "kernels/op0.cpp", self.root / "kernels/schemas.cpp"
        if edit == "a kernel":
            first.write_text(first.read_text() + "// changed\n")
        elif edit == "a default":
            schemas.write_text(schemas.read_text().replace("scale=1.0", "scale=0.75", 1))
        elif edit == "a formula":
            first.write_text(first.read_text().replace("return {grad * ", "return {grad * 1 * ", 1))
        else:
            self.names.append("one_more")
            self.write_kernel("one_more", 4)
            schemas.write_text(schemas.read_text().replace("}\n", '  m.def("one_more(Tensor self, Tensor other) -> Tensor");\n}\n'))
