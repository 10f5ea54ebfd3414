// Names and functions, the parts with a body.
#include "IRSupport.h"

#include <cctype>
#include <sstream>

namespace torchgen_support {

// Names.

std::string legalizeName(StringRef name) {
  std::string legal;
  for (char c : name) {
    legal += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  }
  if (legal.empty() || std::isdigit(static_cast<unsigned char>(legal[0]))) {
    legal = "A" + legal;
  }
  return legal;
}

/// FNV-1a, with its bits mixed: the lowest of them choose a place. The same on all machines, as
/// names are.
static std::uint64_t hashOf(const std::string &name) {
  std::uint64_t hash = 0xcbf29ce484222325ull;
  for (unsigned char c : name) {
    hash = (hash ^ c) * 0x100000001b3ull;
  }
  hash = (hash ^ (hash >> 32)) * 0x9e3779b97f4a7c15ull;
  hash ^= hash >> 29;
  return hash ? hash : 1;
}

bool NameTable::place(std::uint64_t hash) {
  const std::size_t last = hashes_.size() - 1;
  std::size_t at = static_cast<std::size_t>(hash) & last;
  while (hashes_[at] != 0 && hashes_[at] != hash) {
    at = (at + 1) & last;
  }
  const bool isNew = hashes_[at] == 0;
  hashes_[at] = hash;
  return isNew;
}

bool NameTable::add(const std::string &name) {
  if (4 * (size_ + 1) > 3 * hashes_.size()) {
    std::vector<std::uint64_t> old(std::max<std::size_t>(16, 2 * hashes_.size()));
    old.swap(hashes_);
    for (std::uint64_t hash : old) {
      if (hash != 0) {
        place(hash);
      }
    }
  }
  const bool isNew = place(hashOf(name));
  size_ += isNew;
  return isNew;
}

std::string NameTable::unique(StringRef wish) {
  const std::string first = legalizeName(wish);
  if (add(first)) {
    return first;
  }
  unsigned &next = next_.emplace(first, 1).first->second;
  std::string name;
  do {
    name = first + "__" + std::to_string(next++);
  } while (!add(name));
  return name;
}

// Functions.

Function::~Function() { clear(); }

void Function::clear() {
  for (Node &node : nodes_) {
    node.releaseUsers();
  }
  while (!nodes_.empty()) {
    Node::destroyNode(&nodes_.back());
  }
  names_.clear();
}

void Function::adopt(Node *node) {
  if (node->getParent()) {
    throw std::logic_error("the node " + node->getName().str() + " belongs to a function already");
  }
  node->setName(names_.unique(node->getName()));
  node->setParent(this);
  nodes_.push_back(node);
}

void Function::eraseNode(Node *node) {
  if (auto *placeholder = dyn_cast<Placeholder>(node)) {
    parent_->erasePlaceholder(placeholder);
    return;
  }
  if (auto *constant = dyn_cast<Constant>(node)) {
    parent_->eraseConstant(constant);
    return;
  }
  if (!nodes_.contains(node)) {
    throw std::logic_error("the node belongs to another function");
  }
  Node::destroyNode(node);
}

Node *Function::getNodeByName(StringRef name) const {
  for (const Node &node : nodes_) {
    if (node.getName() == name) {
      return const_cast<Node *>(&node);
    }
  }
  return nullptr;
}

NodeValue Function::getNodeValueByName(StringRef name) const {
  const std::string text = name.str();
  const std::size_t colon = text.rfind(':');
  const std::string nodeName = text.substr(0, colon);
  unsigned long number = 0;
  if (colon != std::string::npos) {
    const std::string digits = text.substr(colon + 1);
    if (digits.empty() || digits.size() > 6 || digits.find_first_not_of("0123456789") != std::string::npos) {
      return NodeValue();
    }
    number = std::stoul(digits);
  }
  Node *node = getNodeByName(nodeName);
  if (!node) {
    node = parent_->getPlaceholderByNameSlow(nodeName);
  }
  if (!node) {
    node = parent_->getConstantByName(nodeName);
  }
  return node && number < node->getNumResults() ? NodeValue(node, static_cast<unsigned>(number)) : NodeValue();
}

std::vector<Node *> Function::getPostOrder() const {
  PostOrderVisitor visitor;
  for (const Node &node : nodes_) {
    const_cast<Node &>(node).visit(nullptr, &visitor);
  }
  return visitor.getPostOrder();
}

Function *Function::clone(StringRef newName, std::unordered_map<const Node *, Node *> *map) const {
  Function *copy = parent_->createFunction(newName);
  std::unordered_map<const Node *, Node *> own;
  std::unordered_map<const Node *, Node *> &copies = map ? *map : own;
  copies.reserve(copies.size() + nodes_.size());
  for (const Node &node : nodes_) {
    copies[&node] = copy->addNode(node.clone());
  }
  auto moved = [&copies](const NodeValue &value) {
    auto found = copies.find(value.getNode());
    return found == copies.end() ? value : NodeValue(found->second, value.getResNo());
  };
  for (Node &node : copy->nodes_) {
    for (unsigned i = 0; i < node.getNumInputs(); ++i) {
      node.setNthInput(i, moved(node.getNthInput(i)));
    }
    if (node.hasPredicate()) {
      node.setPredicate(moved(node.getPredicate()));
    }
  }
  return copy;
}

void Function::verify(Diagnostics &diagnostics) const {
  std::unordered_map<const Node *, const Node *> writers;
  for (const Node &node : nodes_) {
    const auto report = [&](const std::string &message) { diagnostics.report(whereIs(node), message); };
    if (node.getParent() != this) {
      report("the node does not know its function");
    }
    const std::size_t before = diagnostics.size();
    for (unsigned i = 0; i < node.getNumInputs(); ++i) {
      const NodeHandle &handle = *const_cast<Node &>(node).inputHandle(i);
      const Node *input = handle.getNode();
      if (!input) {
        continue;
      }
      const auto *storage = dyn_cast<Storage>(input);
      if (storage && !parent_->owns(storage)) {
        report("an input is storage of another module");
      } else if (!storage && input->getParent() != this) {
        report("the input " + node.getInputName(i) + " belongs to another function");
      }
      if (!input->hasUse(handle)) {
        report("the input " + node.getInputName(i) + " does not know of its use");
      }
      if (!node.isOverwrittenNthInput(i)) {
        continue;
      }
      if (isa<Constant>(input)) {
        report("the constant '" + input->getName().str() + "' is written");
      }
      if (!writers.emplace(input, &node).second) {
        report("'" + input->getName().str() + "' is written by another node too");
      }
    }
    if (diagnostics.size() == before) {
      node.verify(diagnostics);
    }
  }
}

void Function::verifyOrThrow() const {
  Diagnostics diagnostics;
  verify(diagnostics);
  if (!diagnostics.empty()) {
    throw InvalidIR(diagnostics);
  }
}

void Function::dump(std::ostream &os) const {
  os << "Graph structure " << getName() << ":\n";
  for (Node *node : getPostOrder()) {
    os << *node << "\n";
  }
}

std::string Function::toString() const {
  std::ostringstream os;
  dump(os);
  return os.str();
}

} // namespace torchgen_support
