// Values and instructions.
#pragma once

#include "IRGraph.h"

namespace torchgen_support {

class IRFunction;
class Instruction;
class Value;
class WeightVar;

#define DEF_INSTR(CLASS, NAME) class CLASS;
#define DEF_BACKEND_SPECIFIC_INSTR(CLASS, NAME) DEF_INSTR(CLASS, NAME)
#define DEF_VALUE(CLASS, NAME)
#include "AutoGenInstr.def"

using InstructionOperand = std::pair<Value *, OperandKind>;

/// A place that refers to a value: an instruction and the number of its operand.
struct Use {
  Instruction *use_;
  unsigned idx_;

  Use(unsigned idx, Instruction *use) : use_(use), idx_(idx) {}
  bool operator==(const Use &other) const { return idx_ == other.idx_ && use_ == other.use_; }
  Instruction *get() const { return use_; }
  Instruction *getUser() const { return use_; }
  void setOperand(Value *other);
  InstructionOperand getOperand() const;
};

/// Something that instructions read and write.
class Value : public Named, public UseDef<Instruction, Use>, public Typed, public Kinded {
public:
  Value(StringRef name, TypeRef type, Kinded::Kind kind) : Named(name), Typed(type), Kinded(kind) {}
  Value(const Value &) = delete;
  Value &operator=(const Value &) = delete;
  void dump(raw_ostream &os) const;
  std::string toString() const;
};

std::ostream &operator<<(std::ostream &os, const Value &value);

/// Memory that lives longer than a run: weights, inputs and outputs.
class WeightVar final : public Value {
public:
  enum class MutabilityKind { Constant, Mutable };

private:
  MutabilityKind mutability_;

public:
  WeightVar(StringRef name, TypeRef type, MutabilityKind mutability)
      : Value(name, type, Kinded::Kind::WeightVarKind), mutability_(mutability) {}
  static bool classof(const Kinded *k) { return k->getKind() == Kinded::Kind::WeightVarKind; }
  MutabilityKind getMutability() const { return mutability_; }
  void setMutability(MutabilityKind mutability) { mutability_ = mutability; }
  bool isConstant() const { return mutability_ == MutabilityKind::Constant; }
  const char *getMutabilityStr() const { return isConstant() ? "const" : "mutable"; }
  void dump(raw_ostream &os) const;
};

/// An instruction. What depends on its class is found by its kind.
class Instruction : public Value, public Linked {
  IRFunction *function_ = nullptr;
  Instruction *fusionGroup_ = nullptr;
  /// The place of the predicate among the operands, if there is one.
  int predicateIndex_ = -1;
  std::vector<InstructionOperand> operands_;
  /// The place of each operand in the uses of its value.
  std::vector<Value::Place> places_;

public:
  using Operand = InstructionOperand;

  Instruction(StringRef name, Kinded::Kind kind, TypeRef type, std::vector<Operand> operands = {})
      : Value(name, type, kind) {
    for (const Operand &operand : operands) {
      pushOperand(operand);
    }
  }
  ~Instruction();

  static bool classof(const Kinded *kinded);

  Value *getPredicate() const { return hasPredicate() ? operands_[static_cast<std::size_t>(predicateIndex_)].first : nullptr; }
  void setPredicate(Value *predicate);
  bool hasPredicate() const { return predicateIndex_ >= 0; }

  void pushOperand(Operand operand);
  void setOperand(unsigned index, Value *value);
  /// Throws `std::out_of_range` if there is no operand of that number.
  Operand getOperand(unsigned index) const { return operands_.at(index); }
  ArrayRef<Operand> getOperands() const { return operands_; }
  unsigned getNumOperands() const { return static_cast<unsigned>(operands_.size()); }
  /// Operands that are read.
  unsigned getNumInputs() const;
  /// Operands that are written.
  unsigned getNumOutputs() const;

  IRFunction *getParent() const { return function_; }
  void setParent(IRFunction *function) { function_ = function; }
  bool isFused() const { return fusionGroup_ != nullptr; }
  Instruction *getParentGroupFusionInstr() const { return fusionGroup_; }
  void setParentGroupFusionInstr(Instruction *group) { fusionGroup_ = group; }
  /// Takes the instruction out of its function and deletes it.
  void eraseFromParent();
  /// Takes the instruction out of its function.
  void removeFromParent();

  // What each class has of its own.
  Instruction *clone() const;
  bool isInplaceOp(unsigned dstIdx, unsigned srcIdx) const;
  static bool isInplaceOp(const Instruction *instruction, unsigned dstIdx, unsigned srcIdx) {
    return instruction->isInplaceOp(dstIdx, srcIdx);
  }
  bool isCanonical() const;
  bool isDataParallel() const;
  bool isMemory() const;
  unsigned getNumFixedOperands() const;
  StringRef getOperandName(unsigned index) const;
  bool isEqual(const Instruction &other) const;
  bool operator==(const Instruction &other) const { return isEqual(other); }
  hash_code getHash() const;
  void dump(raw_ostream &os) const;
  std::string toString() const;
  void verify(Diagnostics &diagnostics) const;
  bool verify() const {
    Diagnostics diagnostics;
    verify(diagnostics);
    return diagnostics.empty();
  }
  const ClassInfo &getClassInfo() const;
  std::string getMemberText(StringRef member) const { return memberText<Instruction>(*this, getClassInfo(), member); }
  /// Deletes an instruction that belongs to no function.
  static void destroyInstruction(Instruction *instruction);

protected:
  void dumpOperands(raw_ostream &os) const;
};

/// The value of a member by its number, of an instruction of any class. Throws `std::logic_error` if
/// it has another type than `T`.
template <typename T> const T &memberOf(const Instruction &instruction, unsigned index) {
  return memberAt<T, Instruction>(instruction, instruction.getClassInfo(), index);
}
/// Sets a member that has a setter. Throws `std::logic_error` if it has none, or another type.
template <typename T> void setMemberOf(Instruction &instruction, unsigned index, T value) {
  setMemberAt<T, Instruction>(instruction, instruction.getClassInfo(), index, std::move(value));
}
/// The value of a member of any type, by its number or its name.
inline FieldValue fieldOf(const Instruction &instruction, unsigned index) { return fieldAt<Instruction>(instruction, instruction.getClassInfo(), index); }
inline FieldValue fieldOf(const Instruction &instruction, StringRef member) {
  return fieldOf(instruction, instruction.getClassInfo().memberNumber(member));
}
/// Sets a member; false if it has no setter, or the value does not fit its type.
inline bool setFieldOf(Instruction &instruction, unsigned index, const FieldValue &value) {
  return setFieldAt<Instruction>(instruction, instruction.getClassInfo(), index, value);
}
inline bool setFieldOf(Instruction &instruction, StringRef member, const FieldValue &value) {
  return setFieldOf(instruction, instruction.getClassInfo().memberNumber(member), value);
}

hash_code hash_value(const Instruction &instruction);

} // namespace torchgen_support
