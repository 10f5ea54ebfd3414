// Functions of instructions for Graphviz.
#include "IRSupport.h"

namespace torchgen_support {

void IRFunction::dumpDAG(raw_ostream &os) const {
  os << "digraph ir {\n  rankdir = TB;\n  node [shape = box, fontname = Helvetica];\n";
  std::unordered_map<const Value *, std::size_t> numbers;
  auto declare = [&](const Value &value, const char *shape) {
    const std::size_t number = numbers.size();
    numbers[&value] = number;
    os << "  v" << number << " [shape = " << shape << ", label = \"" << value.getKindName() << "\\n"
       << legalizeName(value.getName()) << "\"];\n";
  };
  for (const WeightVar *weight : weights_) {
    declare(*weight, "cylinder");
  }
  for (const Instruction &instruction : instructions_) {
    declare(instruction, instruction.isMemory() ? "ellipse" : "box");
  }
  for (const Instruction &instruction : instructions_) {
    for (unsigned i = 0; i < instruction.getNumOperands(); ++i) {
      const Instruction::Operand operand = instruction.getOperand(i);
      if (!operand.first) {
        continue;
      }
      const bool out = operand.second == OperandKind::Out;
      os << "  v" << numbers[out ? &instruction : operand.first] << " -> v"
         << numbers[out ? operand.first : &instruction] << " [label = \"" << instruction.getOperandName(i)
         << (operand.second == OperandKind::InOut ? "\", dir = both];\n" : "\"];\n");
    }
  }
  os << "}\n";
}

} // namespace torchgen_support
