// The lines of graphs as they are written.
#pragma once

#include "proto.h"

namespace torchgen_support {
namespace {

std::string lineOf(const Placeholder &placeholder) {
  return "placeholder " + escaped(placeholder.getName()) + " " + encode(placeholder.getType()) + " " +
         encode(placeholder.isTraining()) + " " + escaped(placeholder.getLayout()) + "\n";
}

std::string lineOf(const Constant &constant) {
  std::string text = "constant " + escaped(constant.getName()) + " " + encode(constant.getType()) + " " +
                     escaped(constant.getLayout()) + " x";
  for (unsigned char byte : constant.getPayload().bytes()) {
    text += digits[byte >> 4];
    text += digits[byte & 15];
  }
  return text + "\n";
}

std::string linesOf(const GraphProto &graph) {
  std::string text;
  for (const NodeProto &node : graph.nodes) {
    text += "node " + escaped(node.type) + " " + escaped(node.name) + " (";
    for (const std::string &input : node.inputs) {
      text += " " + escaped(input);
    }
    text += " )";
    for (const auto &attribute : node.attributes) {
      text += " " + escaped(attribute.first) + "=" + attribute.second;
    }
    text += '\n';
  }
  return text;
}

} // namespace
} // namespace torchgen_support
