// From kinds to classes of instructions.
#pragma once

#include "AutoGenInstr.h"

namespace torchgen_support {

/// The same for instructions: override `visitCopyInst` and so on.
template <typename R, typename... Args> class InstructionDispatcher {
public:
  virtual ~InstructionDispatcher() = default;

  R dispatch(Instruction *instruction, Args... args) {
    switch (instruction->getKind()) {
#define DEF_VALUE(CLASS, NAME)
#define DEF_INSTR(CLASS, NAME)                                                                     \
  case Kinded::Kind::CLASS##Kind:                                                                  \
    return visit##CLASS(static_cast<class CLASS *>(instruction), args...);
#define DEF_BACKEND_SPECIFIC_INSTR(CLASS, NAME) DEF_INSTR(CLASS, NAME)
#include "AutoGenInstr.def"
    default:
      throw std::logic_error("not an instruction");
    }
  }

  virtual R visitDefault(Instruction *instruction, Args... args) = 0;

#define DEF_VALUE(CLASS, NAME)
#define DEF_INSTR(CLASS, NAME)                                                                     \
  virtual R visit##CLASS(class CLASS *instruction, Args... args) { return visitDefault(instruction, args...); }
#define DEF_BACKEND_SPECIFIC_INSTR(CLASS, NAME) DEF_INSTR(CLASS, NAME)
#include "AutoGenInstr.def"
};

/// What is known about the instructions of a kind.
const ClassInfo &getInstructionInfo(Kinded::Kind kind);
/// The kinds of all instructions, in the order of the family files.
ArrayRef<Kinded::Kind> allInstructionKinds();

} // namespace torchgen_support
