// What base classes look up by the kind of an instruction.
#include "IRSupport.h"

namespace torchgen_support {

bool Instruction::isEqual(const Instruction &other) const {
  if (this == &other) {
    return true;
  }
  if (getKind() != other.getKind()) {
    return false;
  }
  switch (getKind()) {
#define DEF_VALUE(CLASS, NAME)
#define DEF_INSTR(CLASS, NAME)                                                                     \
  case Kinded::Kind::CLASS##Kind:                                                                  \
    return static_cast<const class CLASS *>(this)->isEqual(static_cast<const class CLASS &>(other));
#define DEF_BACKEND_SPECIFIC_INSTR(CLASS, NAME) DEF_INSTR(CLASS, NAME)
#include "AutoGenInstr.def"
  default:
    throw std::logic_error("not an instruction");
  }
}

const ClassInfo &Instruction::getClassInfo() const { return getInstructionInfo(getKind()); }

void Instruction::destroyInstruction(Instruction *instruction) {
  switch (instruction->getKind()) {
#define DEF_VALUE(CLASS, NAME)
#define DEF_INSTR(CLASS, NAME)                                                                     \
  case Kinded::Kind::CLASS##Kind:                                                                  \
    delete static_cast<class CLASS *>(instruction);                                                      \
    return;
#define DEF_BACKEND_SPECIFIC_INSTR(CLASS, NAME) DEF_INSTR(CLASS, NAME)
#include "AutoGenInstr.def"
  default:
    throw std::logic_error("not an instruction");
  }
}

const ClassInfo &getInstructionInfo(Kinded::Kind kind) {
  switch (kind) {
#define DEF_VALUE(CLASS, NAME)
#define DEF_INSTR(CLASS, NAME)                                                                     \
  case Kinded::Kind::CLASS##Kind:                                                                  \
    return CLASS::classInfo();
#define DEF_BACKEND_SPECIFIC_INSTR(CLASS, NAME) DEF_INSTR(CLASS, NAME)
#include "AutoGenInstr.def"
  default:
    throw std::out_of_range("not the kind of an instruction");
  }
}

ArrayRef<Kinded::Kind> allInstructionKinds() {
  static const Kinded::Kind kinds[] = {
#define DEF_VALUE(CLASS, NAME)
#define DEF_INSTR(CLASS, NAME) Kinded::Kind::CLASS##Kind,
#define DEF_BACKEND_SPECIFIC_INSTR(CLASS, NAME) DEF_INSTR(CLASS, NAME)
#include "AutoGenInstr.def"
  };
  return kinds;
}

} // namespace torchgen_support
