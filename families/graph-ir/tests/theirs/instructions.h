// Base classes of instructions, which nodes know nothing of.
#pragma once

#include "nodes.h"

namespace small {

#ifndef IRKIT_HAS_NAMES
enum class OperandKind : unsigned char { In, InOut, Out };
inline const char *getOperandKindStr(OperandKind) { return "kind"; }
#endif

class Value : public Named, public Kinded {
  TypeRef type_;

public:
  Value(elsewhere::StringRef name, Kind kind, TypeRef type) : Named(name), Kinded(kind), type_(type) {}
  TypeRef getType() const { return type_; }
  void setType(TypeRef type) { type_ = type; }
};

class Instruction : public Value {
  std::vector<std::pair<Value *, OperandKind>> operands_;

public:
  using Operand = std::pair<Value *, OperandKind>;
  Instruction(elsewhere::StringRef name, Kind kind, TypeRef type, std::vector<Operand> operands)
      : Value(name, kind, type), operands_(std::move(operands)) {}
  Operand getOperand(unsigned index) const { return operands_[index]; }
  unsigned getNumOperands() const { return static_cast<unsigned>(operands_.size()); }
  bool hasPredicate() const { return false; }
  Value *getPredicate() const { return nullptr; }
  void setPredicate(Value *) {}
  void dumpOperands(elsewhere::raw_ostream &) const {}
};

} // namespace small

#include "AutoGenInstr.h"
