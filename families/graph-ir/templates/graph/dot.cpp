// Graphs for Graphviz.
#include "IRSupport.h"

namespace torchgen_support {

static std::string quoted(const std::string &text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
    }
    if (c == '\n') {
      out += "\\n";
    } else {
      out += c;
    }
  }
  return out + "\"";
}

void Function::dumpDAG(std::ostream &os) const {
  os << "digraph " << quoted(getName().str()) << " {\n"
     << "  rankdir = TB;\n  node [shape = box, fontname = Helvetica, style = \"rounded,filled\"];\n";
  std::unordered_map<const Node *, std::size_t> numbers;
  const std::vector<Node *> order = getPostOrder();
  for (const Node *node : order) {
    const std::size_t number = numbers.size();
    numbers[node] = number;
    std::string label = std::string(node->getKindName()) + "\n" + node->getName().str();
    for (const MemberInfo &member : node->getClassInfo().members) {
      label += "\n" + std::string(member.name) + ": " + node->getMemberText(member.name);
    }
    for (unsigned i = 0; i < node->getNumResults(); ++i) {
      label += "\n" + node->getOutputName(i) + ": " + textOf(node->getType(i));
    }
    const char *color = isa<Storage>(node) ? "lightblue" : node->hasSideEffects() ? "salmon" : "lightyellow";
    os << "  n" << number << " [label = " << quoted(label) << ", fillcolor = " << color << "];\n";
  }
  for (const Node *node : order) {
    for (unsigned i = 0; i < node->getNumInputs(); ++i) {
      const NodeValue input = node->getNthInput(i);
      if (!input.getNode()) {
        continue;
      }
      // What a node writes is drawn as an edge that leaves it.
      const bool out = node->isOverwrittenNthInput(i);
      const std::size_t from = out ? numbers[node] : numbers[input.getNode()];
      const std::size_t to = out ? numbers[input.getNode()] : numbers[node];
      os << "  n" << from << " -> n" << to << " [label = " << quoted(node->getInputName(i)) << "];\n";
    }
    if (node->hasPredicate()) {
      os << "  n" << numbers[node->getPredicate().getNode()] << " -> n" << numbers[node]
         << " [label = \"predicate\", style = dashed];\n";
    }
  }
  os << "}\n";
}

} // namespace torchgen_support
