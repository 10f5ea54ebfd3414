"""Wrong uses of the package, which type checkers refuse: one in each line with the mark."""

import torchgen_rs
from torchgen_rs import commands, gen, model

torchgen_rs.generate("ops")  # wrong
torchgen_rs.generate(source_path=1)  # wrong
torchgen_rs.generate(generate=["everything"])  # wrong
torchgen_rs.check(strict="yes")  # wrong
torchgen_rs.explain("TG0203").written  # wrong
commands.backend_stubs(output_dir="out")  # wrong
torchgen_rs.check().written[0] += "x"  # wrong
torchgen_rs.facts(torch=2.12)  # wrong
torchgen_rs.facts().operators["aten::relu"]["fact"]  # wrong
torchgen_rs.facts().operators["aten::relu"]["facts"]["tags"] + 1  # wrong
model.FunctionSchema.parse("f() -> ()").nam  # wrong
model.FunctionSchema.parse("f() -> ()").returns = ()  # wrong
gen.parse_native_yaml("native_functions.yaml")  # wrong
model.BackendIndex(model.DispatchKey.CPU)  # wrong
