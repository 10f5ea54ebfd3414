// The builder, which the classes of instructions know nothing of.
#pragma once

#include "instructions.h"

namespace small {

struct Module {
  TypeRef uniqueType(ElemKind, std::vector<dim_t>, float, int) { return nullptr; }
};
struct IRFunction {
  Module *getParent() { return nullptr; }
  void pushInstr(Instruction *) {}
};

#define DEF_INSTR(CLASS, NAME) class CLASS;
#define DEF_BACKEND_SPECIFIC_INSTR(CLASS, NAME) DEF_INSTR(CLASS, NAME)
#define DEF_VALUE(CLASS, NAME)
#include "AutoGenInstr.def"

class IRBuilder {
  IRFunction *F_ = nullptr;
  elsewhere::StringRef uniqueName(elsewhere::StringRef name) { return name; }

public:
#include "AutoGenIRBuilder.h"
};

} // namespace small
