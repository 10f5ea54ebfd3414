// Groups of instructions.
#pragma once

#include "instructions.h"

namespace torchgen_support {

/// Instructions that a backend compiles as one.
class FusionGroupInst final : public Instruction {
  std::vector<Instruction *> instructions_;

public:
  FusionGroupInst(StringRef name, ArrayRef<Instruction *> instructions);
  static bool classof(const Kinded *k) { return k->getKind() == Kinded::Kind::FusionGroupInstKind; }
  static const ClassInfo &classInfo();
  const std::vector<Instruction *> &getInstrs() const { return instructions_; }
  bool isInplaceOp(unsigned, unsigned) const { return false; }
  bool isCanonical() const { return true; }
  bool isDataParallel() const { return false; }
  bool isMemory() const { return false; }
  Instruction *clone() const;
  void dump(raw_ostream &os) const;
  StringRef getOperandName(unsigned) const { return "Operand"; }
  unsigned getNumFixedOperands() const { return 0; }
  bool isEqual(const FusionGroupInst &other) const { return this == &other; }
  hash_code getHash() const { return Hasher().add(static_cast<const void *>(this)).get(); }
  void verify(Diagnostics &diagnostics) const;
};

} // namespace torchgen_support
