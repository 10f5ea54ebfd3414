// Values and instructions, the parts with a body.
#include "IRSupport.h"

namespace torchgen_support {

// Uses and values.

void Use::setOperand(Value *other) { use_->setOperand(idx_, other); }
InstructionOperand Use::getOperand() const { return use_->getOperand(idx_); }

std::string Value::toString() const {
  std::ostringstream os;
  dump(os);
  return os.str();
}

void Value::dump(raw_ostream &os) const {
  if (const auto *weight = dyn_cast<WeightVar>(this)) {
    weight->dump(os);
  } else {
    static_cast<const Instruction *>(this)->dump(os);
  }
}

std::ostream &operator<<(std::ostream &os, const Value &value) {
  value.dump(os);
  return os;
}

void WeightVar::dump(raw_ostream &os) const {
  os << "%" << getName() << " = WeightVar " << *getType() << " " << getMutabilityStr();
}

// Instructions.

Instruction::~Instruction() {
  for (unsigned i = 0; i < getNumOperands(); ++i) {
    setOperand(i, nullptr);
  }
  while (hasUsers()) {
    Use use = getUsers().front();
    use.setOperand(nullptr);
  }
}

bool Instruction::classof(const Kinded *kinded) { return kinded->getKind() != Kinded::Kind::WeightVarKind; }

void Instruction::pushOperand(Operand operand) {
  operands_.push_back({nullptr, operand.second});
  places_.emplace_back();
  setOperand(getNumOperands() - 1, operand.first);
}

void Instruction::setOperand(unsigned index, Value *value) {
  Value *old = operands_.at(index).first;
  if (old == value) {
    return;
  }
  if (old) {
    old->removeUse(places_[index]);
  }
  operands_[index].first = value;
  if (value) {
    places_[index] = value->addUse(Use(index, this));
  }
}

void Instruction::setPredicate(Value *predicate) {
  if (hasPredicate()) {
    setOperand(static_cast<unsigned>(predicateIndex_), predicate);
  } else if (predicate) {
    predicateIndex_ = static_cast<int>(getNumOperands());
    pushOperand({predicate, OperandKind::In});
  }
}

unsigned Instruction::getNumInputs() const {
  unsigned count = 0;
  for (const Operand &operand : operands_) {
    count += operand.second != OperandKind::Out;
  }
  return count;
}

unsigned Instruction::getNumOutputs() const {
  unsigned count = 0;
  for (const Operand &operand : operands_) {
    count += operand.second != OperandKind::In;
  }
  return count;
}

void Instruction::eraseFromParent() { function_->eraseInstruction(this); }
void Instruction::removeFromParent() { function_->removeInstruction(this); }

std::string Instruction::toString() const { return Value::toString(); }

void Instruction::dumpOperands(raw_ostream &os) const {
  for (unsigned i = 0; i < getNumOperands(); ++i) {
    const Operand operand = getOperand(i);
    os << (i ? ", " : "") << getOperandKindStr(operand.second) << " %"
       << (operand.first ? operand.first->getName().str() : std::string("<none>"));
  }
}

hash_code hash_value(const Instruction &instruction) { return instruction.getHash(); }

} // namespace torchgen_support
