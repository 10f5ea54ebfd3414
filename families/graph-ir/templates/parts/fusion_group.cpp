// Groups of instructions, the parts with a body.
#include "IRSupport.h"

namespace torchgen_support {

FusionGroupInst::FusionGroupInst(StringRef name, ArrayRef<Instruction *> instructions)
    : Instruction(name, Kinded::Kind::FusionGroupInstKind, nullptr), instructions_(instructions.vec()) {
  for (Instruction *instruction : instructions_) {
    for (unsigned i = 0; i < instruction->getNumOperands(); ++i) {
      pushOperand(instruction->getOperand(i));
    }
    instruction->setParentGroupFusionInstr(this);
  }
}

Instruction *FusionGroupInst::clone() const { return new FusionGroupInst(getName(), instructions_); }

void FusionGroupInst::dump(raw_ostream &os) const {
  os << "%" << getName() << " = " << getKindName() << " {";
  for (std::size_t i = 0; i < instructions_.size(); ++i) {
    os << (i ? ", " : " ") << "%" << instructions_[i]->getName();
  }
  os << " }";
}

const ClassInfo &FusionGroupInst::classInfo() {
  static const ClassInfo info = {"FusionGroup", "FusionGroupInst", "Instructions that a backend compiles as one.",
                                 {}, {}, false, true, false, nullptr};
  return info;
}

void FusionGroupInst::verify(Diagnostics &diagnostics) const {
  diagnostics.require(!instructions_.empty(), whereIs(*this), "a group has instructions");
  for (const Instruction *instruction : instructions_) {
    diagnostics.require(instruction->getParentGroupFusionInstr() == this, whereIs(*this),
                        "an instruction of a group knows its group");
  }
}

} // namespace torchgen_support
