// What the lowering of nodes knows of values.
#include "IRSupport.h"

namespace torchgen_support {

Value *IRGenerator::valueForNode(NodeValue value) const {
  auto found = values_.find(value);
  if (found == values_.end()) {
    Diagnostics diagnostics;
    diagnostics.report(textOf(value), "the value was not lowered");
    throw InvalidIR(diagnostics);
  }
  return found->second;
}

void IRGenerator::registerIR(NodeValue value, Value *ir) { values_[value] = ir; }

void IRGenerator::lowerStorage(Storage *storage) {
  const auto mutability =
      isa<Constant>(storage) ? WeightVar::MutabilityKind::Constant : WeightVar::MutabilityKind::Mutable;
  WeightVar *weight = builder_.createWeightVar(storage->getType(), storage->getName(), mutability);
  builder_.getIRFunction().getVariableMap()[storage] = weight;
  registerIR(storage->getOutput(), weight);
}

} // namespace torchgen_support
