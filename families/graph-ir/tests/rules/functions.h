// Functions that the rules of ir.yaml call.
#pragma once

#include "IRSupport.h"

namespace rewritten {

inline bool fits(NodeValue x, const std::vector<std::int64_t> &p) { return p.size() == x.dims().size(); }

inline NodeValue twice(Function &function, NodeValue x) { return function.createAdd("twice", x, x)->getResult(); }

inline NodeValue foldRelu(Function &function, NodeValue node) {
  const auto *constant = cast<Constant>(node.getNode()->getNthInput(0));
  if (constant->getElementType() != ElemKind::FloatTy) {
    throw std::runtime_error("only floats are folded");
  }
  std::vector<float> elements = constant->getPayload().elements<float>();
  for (float &element : elements) {
    element = element > 0 ? element : 0;
  }
  Constant *folded = function.getParent()->createConstant(node.getType(), "folded");
  folded->getPayloadMutable().assign<float>(elements);
  return folded->getOutput();
}

} // namespace rewritten
