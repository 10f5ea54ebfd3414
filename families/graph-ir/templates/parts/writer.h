// The lines of graphs as they are written.
#pragma once

#include "proto.h"

namespace torchgen_support {
namespace {

std::string lineOf(const Placeholder &placeholder) {
  return "placeholder " + escapedWord(placeholder.getName()) + " " + encode(placeholder.getType()) + " " +
         encode(placeholder.isTraining()) + " " + escapedWord(placeholder.getLayout()) + "\n";
}

std::string lineOf(const Constant &constant) {
  const auto &bytes = constant.getPayload().bytes();
  return "constant " + escapedWord(constant.getName()) + " " + encode(constant.getType()) + " " +
         escapedWord(constant.getLayout()) + " " +
         bytesWord({reinterpret_cast<const char *>(bytes.data()), bytes.size()}) + "\n";
}

std::string linesOf(const GraphProto &graph) {
  std::string text;
  for (const NodeProto &node : graph.nodes) {
    text += "node " + escapedWord(node.type) + " " + escapedWord(node.name) + " (";
    for (const std::string &input : node.inputs) {
      text += " " + escapedWord(input);
    }
    text += " )";
    for (const auto &attribute : node.attributes) {
      text += " " + escapedWord(attribute.first) + "=" + attribute.second;
    }
    text += '\n';
  }
  return text;
}

} // namespace
} // namespace torchgen_support
