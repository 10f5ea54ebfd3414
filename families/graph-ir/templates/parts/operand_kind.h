// What operands are for.
#pragma once

namespace torchgen_support {

/// What an operand is for.
enum class OperandKind : unsigned char { In, InOut, Out };

/// How an operand kind is written in printed instructions.
inline const char *getOperandKindStr(OperandKind kind) {
  switch (kind) {
  case OperandKind::In:
    return "@in";
  case OperandKind::InOut:
    return "@inout";
  case OperandKind::Out:
    return "@out";
  }
  return "";
}

} // namespace torchgen_support
