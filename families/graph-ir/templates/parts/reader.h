// Graphs as they are read, line by line.
#pragma once

#include "attributes.h"
#include "proto.h"

#include <cstring>
#include <unordered_map>
#include <type_traits>

namespace torchgen_support {
namespace {

/// Reads the lines of a graph. What reads a node depends on its class.
class GraphReader {
protected:
  Module &module_;
  Function *G_;
  Diagnostics &diagnostics_;
  const GraphUpgrade &upgrade_;
  unsigned version_ = graphVersion;
  std::unordered_map<std::string, NodeValue> values_;
  // The storage of the module by name, the first of each name.
  std::unordered_map<std::string, Placeholder *> placeholders_;
  std::unordered_map<std::string, Constant *> constants_;

  ~GraphReader() = default;

  virtual Node *loadNode(const NodeProto &op) = 0;

public:
  GraphReader(Module &module, Function *function, Diagnostics &diagnostics, const GraphUpgrade &upgrade)
      : module_(module), G_(function), diagnostics_(diagnostics), upgrade_(upgrade) {
    for (Placeholder *placeholder : module.getPlaceholders()) {
      placeholders_.emplace(placeholder->getName(), placeholder);
    }
    for (Constant *constant : module.getConstants()) {
      constants_.emplace(constant->getName(), constant);
    }
  }

  Expected<NodeValue> getNodeValueByName(const std::string &name) const {
    auto found = values_.find(name);
    if (found == values_.end()) {
      return {NodeValue(), "there is no value '" + name + "'"};
    }
    return {found->second, ""};
  }

  Expected<TypeRef> readType(const std::string &text) const {
    const std::vector<std::string> parts = splitAt(text, ',');
    unsigned kind = 0;
    std::uint32_t scale = 0;
    std::int32_t offset = 0;
    std::vector<dim_t> dims(parts.size() < 3 ? 0 : parts.size() - 3);
    bool good = parts.size() >= 3 && decodeNumber(parts[0], kind) && decodeNumber(parts[1], scale) &&
                decodeNumber(parts[2], offset) && kind <= static_cast<unsigned>(ElemKind::Int64QTy);
    for (std::size_t i = 0; good && i < dims.size(); ++i) {
      good = decodeNumber(parts[i + 3], dims[i]);
    }
    if (!good) {
      return {nullptr, "'" + text + "' is not a type"};
    }
    const auto element = static_cast<ElemKind>(kind);
    if (!isQuantizedElemKind(element)) {
      return {module_.uniqueType(element, dims), ""};
    }
    float real;
    std::memcpy(&real, &scale, sizeof(real));
    return {module_.uniqueType(element, dims, real, offset), ""};
  }

  Expected<TypeRef> loadTypeFromAttributes(unsigned index, const Dictionary &dict, const std::string &prefix = "") const {
    return readType(dict.at("type:" + prefix + std::to_string(index)));
  }

  bool read(const std::string &text, bool &value) const {
    value = text == "1";
    return text == "0" || text == "1";
  }
  bool read(const std::string &text, std::string &value) const {
    value = unescaped(text);
    return text != "(missing)";
  }
  bool read(const std::string &text, TypeRef &value) const {
    value = readType(text).value;
    return value != nullptr;
  }
  bool read(const std::string &text, NodeValue &value) const {
    const Expected<NodeValue> found = getNodeValueByName(unescaped(text));
    value = found.value;
    return found.error.empty() || text == "-";
  }
  template <typename T> bool read(const std::string &text, std::vector<T> &values) const {
    if (text.size() < 2 || text.front() != '[' || text.back() != ']') {
      return false;
    }
    const std::string inside = text.substr(1, text.size() - 2);
    if (inside.empty()) {
      return true;
    }
    for (const std::string &part : splitAt(inside, ';')) {
      T value{};
      if (!read(part, value)) {
        return false;
      }
      values.push_back(value);
    }
    return true;
  }
  template <typename T> bool read(const std::string &text, T &value) const {
    if constexpr (std::is_floating_point_v<T>) {
      decltype(bitsOf(value)) bits = 0;
      if (!decodeNumber(text, bits)) {
        return false;
      }
      std::memcpy(&value, &bits, sizeof(value));
      return true;
    } else if constexpr (std::is_enum_v<T>) {
      long long number = 0;
      if (!decodeNumber(text, number)) {
        return false;
      }
      value = static_cast<T>(number);
      return true;
    } else if constexpr (std::is_arithmetic_v<T>) {
      return decodeNumber(text, value);
    } else if constexpr (CanPrint<T>::value && CanScan<T>::value) {
      std::istringstream words(unescaped(text));
      return static_cast<bool>(words >> value) && (words >> std::ws).eof();
    } else {
      return false;
    }
  }

  template <typename T> static Expected<T> loadAttribute(const std::string &text, const GraphReader &reader) {
    Expected<T> result;
    if (!reader.read(text, result.value)) {
      result.error = "'" + text + "' is not a value of the attribute's type";
    }
    return result;
  }

  bool addNodeAsOutput(const NodeProto &op, Node *node) {
    for (unsigned i = 0; i < node->getNumResults(); ++i) {
      values_[NodeValue::generateNodeOutputName(op.name, i, true)] = node->getNthResult(i);
    }
    return true;
  }

  Node *addStorage(Storage *storage, const std::string &name) {
    values_[name] = storage->getOutput();
    return storage;
  }

  bool loadLine(const std::string &line);

private:
  bool loadHead(std::istream &words);
  bool loadNodeLine(std::istream &words, const std::string &type);
};

bool GraphReader::loadLine(const std::string &line) {
  std::istringstream words(line);
  std::string what;
  std::string name;
  words >> what >> name;
  if (what == "graph") {
    return loadHead(words);
  }
  if (what == "placeholder" || what == "constant") {
    std::string type;
    std::string third;
    std::string fourth;
    words >> type >> third >> fourth;
    name = unescaped(name);
    const Expected<TypeRef> read = readType(type);
    if (!read.error.empty()) {
      diagnostics_.report(what + " '" + name + "'", read.error);
      return false;
    }
    if (what == "placeholder") {
      const auto known = placeholders_.find(name);
      if (known != placeholders_.end() && sameType(known->second->getType(), read.value)) {
        return addStorage(known->second, name);
      }
      Placeholder *made = module_.createPlaceholder(read.value, name, third == "1", unescaped(fourth));
      placeholders_.emplace(made->getName(), made);
      return addStorage(made, name);
    }
    Tensor tensor(*read.value);
    std::string bytes;
    if (!bytesOf(fourth, bytes) || bytes.size() != tensor.bytes().size()) {
      diagnostics_.report("constant '" + name + "'", "the bytes do not fit the type");
      return false;
    }
    std::copy(bytes.begin(), bytes.end(), tensor.bytes().begin());
    const auto known = constants_.find(name);
    if (known != constants_.end() && known->second->getPayload().isEqual(tensor)) {
      return addStorage(known->second, name);
    }
    Constant *made = module_.createConstant(name, tensor, unescaped(third));
    constants_.emplace(made->getName(), made);
    return addStorage(made, name);
  }
  if (what != "node") {
    diagnostics_.report("line", "'" + what + "' is not a kind of line");
    return false;
  }
  return loadNodeLine(words, name);
}

bool GraphReader::loadHead(std::istream &words) {
  std::string version;
  // Graphs had no versions once.
  version_ = 0;
  if (words >> version && !decodeNumber(version, version_)) {
    diagnostics_.report("graph", "'" + version + "' is not a version");
    return false;
  }
  if (version_ > graphVersion) {
    diagnostics_.report("graph", "version " + version + " wrote it, and this program is of version " +
                                     std::to_string(graphVersion));
    return false;
  }
  return true;
}

bool GraphReader::loadNodeLine(std::istream &words, const std::string &type) {
  NodeProto op;
  op.type = unescaped(type);
  std::string word;
  words >> word;
  op.name = unescaped(word);
  words >> word;
  while (words >> word && word != ")") {
    op.inputs.push_back(unescaped(word));
  }
  while (words >> word) {
    const std::size_t at = word.find('=');
    const std::string key = unescaped(word.substr(0, at));
    op.attributes[key] = at == std::string::npos ? std::string() : word.substr(at + 1);
  }
  if (version_ < graphVersion && upgrade_ && !upgrade_(op, version_)) {
    diagnostics_.report("node '" + op.name + "'", "it is of version " + std::to_string(version_) +
                                                      ", and cannot be upgraded");
    return false;
  }
  for (const auto &attribute : op.attributes) {
    if (attribute.first.rfind("type:", 0) == 0) {
      op.outputs.push_back(attribute.first);
    }
  }
  Node *made = loadNode(op);
  const auto location = op.attributes.find(locationKey);
  if (made && location != op.attributes.end()) {
    const std::vector<std::string> parts = splitAt(location->second, ',');
    SourceLocation place;
    if (parts.size() != 3 || !decodeNumber(parts[0], place.line) || !decodeNumber(parts[1], place.column)) {
      diagnostics_.report("node '" + op.name + "'", "'" + location->second + "' is not a location");
      return false;
    }
    place.file = unescaped(parts[2]);
    made->setLocation(std::move(place));
  }
  return made != nullptr;
}

} // namespace
} // namespace torchgen_support
