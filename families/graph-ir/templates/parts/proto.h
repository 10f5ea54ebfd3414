// Graphs as they are written: everything in them is text.
#pragma once

#include "IRSupport.h"

#include "../../../../templates/kit/cpp/words.h"

#include <cctype>
#include <charconv>
#include <sstream>

namespace torchgen_support {

namespace {

/// A node with the methods that the generated code calls.
struct NodeProto : SavedNode {
  std::vector<std::string> outputs;

  void set_op_type(std::string value) { type = std::move(value); }
  void set_name(std::string value) { name = std::move(value); }
  void add_input(std::string value) { inputs.push_back(std::move(value)); }
  void add_output(std::string value) { outputs.push_back(std::move(value)); }
  std::size_t output_size() const { return outputs.size(); }
  std::string input(std::size_t index) const { return index < inputs.size() ? inputs[index] : std::string(); }
};

/// The nodes of a graph as they are written.
struct GraphProto {
  std::list<NodeProto> nodes;
  NodeProto *add_node() {
    nodes.emplace_back();
    return &nodes.back();
  }
};

/// The text of a word; what is no escape stays as it is.
std::string unescaped(const std::string &word) {
  std::string text;
  return unescapeWord(word, text) ? text : word;
}

/// The attribute that says where a node comes from. No part of a node has such a name.
const char locationKey[] = "location:";

// Values to text.

/// Whether a type has an input operator.
template <typename T, typename = void> struct CanScan : std::false_type {};
template <typename T>
struct CanScan<T, std::void_t<decltype(std::declval<std::istream &>() >> std::declval<T &>())>> : std::true_type {};

/// A value of a type without both operators cannot be written: throws `InvalidIR`.
template <typename T> std::string encode(const T &value) {
  if constexpr (std::is_floating_point_v<T>) {
    return std::to_string(bitsOf(value));
  } else if constexpr (std::is_enum_v<T>) {
    return std::to_string(static_cast<long long>(value));
  } else if constexpr (std::is_arithmetic_v<T>) {
    return std::to_string(value);
  } else if constexpr (CanPrint<T>::value && CanScan<T>::value) {
    return escapedWord(textOf(value));
  } else {
    Diagnostics diagnostics;
    diagnostics.report("graph", "a member has a type of yours without the operators << and >>, so it is not written");
    throw InvalidIR(diagnostics);
  }
}
[[maybe_unused]] std::string encode(const std::string &value) { return escapedWord(value); }
[[maybe_unused]] std::string encode(const SourceLocation &location) {
  return std::to_string(location.line) + "," + std::to_string(location.column) + "," + escapedWord(location.file);
}
[[maybe_unused]] std::string encode(const NodeValue &value) {
  return value.getNode() ? escapedWord(value.generateNodeOutputName(/* stripResNoFor0thInput */ true)) : "-";
}
[[maybe_unused]] std::string encode(TypeRef type) {
  std::string text = std::to_string(static_cast<int>(type->getElementType())) + ",";
  text += type->isQuantizedType() ? encode(type->getScale()) + "," + encode(type->getOffset()) : std::string("0,0");
  for (dim_t dim : type->dims()) {
    text += "," + encode(dim);
  }
  return text;
}
template <typename List> std::string encodeList(const List &values) {
  std::string text = "[";
  for (std::size_t i = 0; i < values.size(); ++i) {
    text += (i ? ";" : "") + encode(values[i]);
  }
  return text + "]";
}
template <typename T> std::string encode(const std::vector<T> &values) { return encodeList(values); }
template <typename T> std::string encode(ArrayRef<T> values) { return encodeList(values); }
[[maybe_unused]] std::string encode(const NodeValueArrayRef &values) { return encodeList(values); }

// Text to values; false if it is not one.

template <typename T> bool decodeNumber(const std::string &text, T &value) {
  const char *end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, value);
  return result.ec == std::errc() && result.ptr == end;
}

[[maybe_unused]] std::vector<std::string> splitAt(const std::string &text, char at) {
  std::vector<std::string> parts;
  std::size_t from = 0;
  while (true) {
    const std::size_t to = text.find(at, from);
    parts.push_back(text.substr(from, to == std::string::npos ? to : to - from));
    if (to == std::string::npos) {
      return parts;
    }
    from = to + 1;
  }
}


template <typename T> void addValueAttribute(NodeProto *proto, const std::string &name, const T &value) {
  proto->attributes[name] = encode(value);
}

[[maybe_unused]] void addTypeAttributes(NodeProto *proto, const Node *node, unsigned index, bool isInput) {
  if (!isInput) {
    proto->attributes["type:" + std::to_string(index)] = encode(node->getType(index));
  }
}

[[maybe_unused]] void addTypeAttributes(NodeProto *proto, const NodeValue &value, unsigned index, bool isInput,
                       const std::string &prefix) {
  if (!isInput) {
    proto->attributes["type:" + prefix + std::to_string(index)] = encode(value.getType());
  }
}

} // namespace

} // namespace torchgen_support
