// The builder of instructions.
#include "IRSupport.h"

namespace torchgen_support {

// The builder.

IRBuilder::~IRBuilder() { deallocateActiveInstrs(); }

void IRBuilder::insert(Instruction *instruction) {
  if (before_) {
    F_->insertInstruction(before_, instruction);
  } else {
    F_->pushInstr(instruction);
  }
}

WeightVar *IRBuilder::createWeightVar(TypeRef type, StringRef name, MutabilityKind mutability) {
  F_->getWeights().push_back(new WeightVar(uniqueName(name), F_->getParent()->uniqueType(*type), mutability));
  return F_->getWeights().back();
}

AllocActivationInst *IRBuilder::createAllocActivationInst(StringRef name, ElemKind kind, ArrayRef<dim_t> dims) {
  return createAllocActivationInst(name, F_->getParent()->uniqueType(kind, dims));
}

} // namespace torchgen_support
