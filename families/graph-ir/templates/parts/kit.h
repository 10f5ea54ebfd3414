// What generated code needs that knows nothing of graphs, but for the parts in kit/cpp.
#pragma once

#include "../../../../templates/kit/cpp/array_view.h"
#include "../../../../templates/kit/cpp/casting.h"
#include "../../../../templates/kit/cpp/diagnostics.h"
#include "../../../../templates/kit/cpp/fields.h"
#include "../../../../templates/kit/cpp/hash.h"
#include "../../../../templates/kit/cpp/print.h"
#include "operand_kind.h"

#include <algorithm>
#include <initializer_list>
#include <unordered_map>
#include <utility>
#include <vector>

namespace torchgen_support {

/// Converts to one type only, so that an operator that takes another one does not take it.
template <typename T> struct Exactly {
  template <typename U, typename = std::enable_if_t<std::is_same_v<U, T>>> operator const U &() const;
};

/// Whether a stream has an output operator for this type itself, not for one that it converts to.
template <typename StreamTy, typename T, typename = void> struct HasPrinter : std::false_type {};
template <typename StreamTy, typename T>
struct HasPrinter<StreamTy, T, std::void_t<decltype(std::declval<StreamTy &>() << std::declval<Exactly<T>>())>> : std::true_type {};

/// Prints a value as `textOf` does, but pointers, enumerators and what `std::ostream` cannot print
/// by the operator of the stream.
template <typename StreamTy, typename T> void printTo(StreamTy &os, const T &value) {
  if constexpr ((std::is_pointer_v<T> || std::is_enum_v<T> || !CanPrint<T>::value) && HasPrinter<StreamTy, T>::value) {
    os << value;
  } else {
    os << textOf(value);
  }
}

/// Prints the elements of an array.
template <typename StreamTy, typename T> void printTo(StreamTy &os, const ArrayRef<T> &values) {
  os << "[";
  for (std::size_t i = 0; i < values.size(); ++i) {
    os << (i ? ", " : "");
    printTo<StreamTy, T>(os, values[i]);
  }
  os << "]";
}

/// Prints the elements of a list.
template <typename StreamTy, typename T> void printTo(StreamTy &os, const std::vector<T> &values) {
  os << "[";
  for (std::size_t i = 0; i < values.size(); ++i) {
    os << (i ? ", " : "");
    printTo<StreamTy, T>(os, values[i]);
  }
  os << "]";
}

/// An input, a result or an operand of a class, as reflection shows it.
struct OperandInfo {
  const char *name;
  OperandKind kind;
  /// Whether it is a list.
  bool variable;
  /// Whether it is a buffer that the builder allocates.
  bool scratch;
};

/// A member of a class, as reflection shows it.
struct MemberInfo {
  const char *name;
  /// Its type as the family file writes it.
  const char *type;
  bool settable;
  const FieldType *cppType;
  /// Where it is in an object, of which this is the base class.
  const void *(*place)(const void *object);
};

/// Where a member is in an object of the base class.
template <typename BaseTy, typename ClassTy, typename T, T ClassTy::*member> const void *placeIn(const void *object) {
  return &(static_cast<const ClassTy *>(static_cast<const BaseTy *>(object))->*member);
}

/// What is known about a class at run time.
struct ClassInfo {
  /// The name in the family file.
  const char *name;
  /// The name of the C++ class.
  const char *className;
  const char *doc;
  ArrayRef<OperandInfo> operands;
  ArrayRef<MemberInfo> members;
  bool sideEffects;
  bool canonical;
  bool dataParallel;
  /// The node that lowers to this instruction, or the class of the gradient of a node; may be null.
  const char *related;
  /// The names of its mix-ins.
  ArrayRef<const char *> traits = {};

  bool hasTrait(StringRef name) const {
    return std::any_of(traits.begin(), traits.end(), [&](const char *own) { return name == StringRef(own); });
  }
  /// The place of an operand in `operands`, or -1.
  int operandIndex(StringRef operand) const { return indexOf(operands, operand); }
  /// The place of a member in `members`, or -1.
  int memberIndex(StringRef member) const { return indexOf(members, member); }
  /// The same; throws `std::out_of_range` if there is none of that name.
  unsigned memberNumber(StringRef member) const {
    const int index = memberIndex(member);
    if (index < 0) {
      throw std::out_of_range(std::string(className) + " has no member " + std::string(member));
    }
    return static_cast<unsigned>(index);
  }

private:
  template <typename Info> static int indexOf(ArrayRef<Info> infos, StringRef name) {
    for (std::size_t i = 0; i < infos.size(); ++i) {
      if (name == StringRef(infos[i].name)) {
        return static_cast<int>(i);
      }
    }
    return -1;
  }
};

/// Throws what a visitor of indices runs into behind the last one.
[[noreturn]] inline void badIndex(const char *className, unsigned index) {
  throw std::out_of_range(std::string(className) + " has nothing of index " + std::to_string(index));
}

/// The name of an input or a result by its number: of the operands of a class, `fixed` from `first`
/// on, then the elements of lists, which have these sizes.
inline std::string partName(const ClassInfo &info, unsigned first, unsigned fixed, unsigned index,
                            std::initializer_list<std::size_t> sizes = {}) {
  if (index < fixed) {
    return info.operands[first + index].name;
  }
  std::size_t rest = index - fixed;
  std::size_t list = first + fixed;
  for (std::size_t size : sizes) {
    if (rest < size) {
      return info.operands[list].name + std::to_string(rest);
    }
    rest -= size;
    ++list;
  }
  badIndex(info.className, index);
}

/// The element of lists, one behind the other; `index` counts the `fixed` inputs before them.
template <typename HandleTy>
HandleTy *elementOf(const char *className, unsigned fixed, unsigned index,
                    std::initializer_list<std::vector<HandleTy> *> lists = {}) {
  std::size_t rest = index - fixed;
  for (std::vector<HandleTy> *list : lists) {
    if (rest < list->size()) {
      return &(*list)[rest];
    }
    rest -= list->size();
  }
  badIndex(className, index);
}

/// Kind and name of a node or an instruction, for diagnostics.
template <typename T> std::string whereIs(const T &object) {
  return std::string(object.getKindName()) + " '" + std::string(object.getName()) + "'";
}

/// A member by its number. Throws `std::out_of_range` if there is none.
inline const MemberInfo &memberInfo(const ClassInfo &info, unsigned index) {
  if (index >= info.members.size()) {
    badIndex(info.className, index);
  }
  return info.members[index];
}

/// The value of a member as text; empty if the class has no such member.
template <typename BaseTy> std::string memberText(const BaseTy &object, const ClassInfo &info, StringRef member) {
  const int index = info.memberIndex(member);
  if (index < 0) {
    return std::string();
  }
  const MemberInfo &found = info.members[static_cast<unsigned>(index)];
  return found.cppType->text(found.place(&object));
}

/// The value of a member by its number, for a node or an instruction of any class.
///
/// Throws `std::logic_error` if it has another type than `T`.
template <typename T, typename BaseTy> const T &memberAt(const BaseTy &object, const ClassInfo &info, unsigned index) {
  const MemberInfo &member = memberInfo(info, index);
  if (member.cppType != &typeOf<T>) {
    throw std::logic_error(whereIs(object) + ": " + member.name + " is of another type");
  }
  return *static_cast<const T *>(member.place(&object));
}

/// Sets a member that has a setter.
///
/// Throws `std::logic_error` if it has none, or another type than `T`.
template <typename T, typename BaseTy> void setMemberAt(BaseTy &object, const ClassInfo &info, unsigned index, T value) {
  if (!memberInfo(info, index).settable) {
    throw std::logic_error(whereIs(object) + ": " + info.members[index].name + " has no setter");
  }
  const_cast<T &>(memberAt<T, BaseTy>(object, info, index)) = std::move(value);
}

/// The value of a member by its number, of whatever type it is.
template <typename BaseTy> FieldValue fieldAt(const BaseTy &object, const ClassInfo &info, unsigned index) {
  const MemberInfo &member = memberInfo(info, index);
  return member.cppType->get(member.place(&object));
}

/// Sets a member; false if it has no setter, or the value does not fit its type.
template <typename BaseTy>
bool setFieldAt(BaseTy &object, const ClassInfo &info, unsigned index, const FieldValue &value) {
  const MemberInfo &member = memberInfo(info, index);
  return member.settable && member.cppType->set(const_cast<void *>(member.place(&object)), value);
}

/// Reports what does not hold, with the kind and the name of the object.
template <typename T> void requireHolds(const T &object, bool holds, const char *message, Diagnostics &diagnostics) {
  if (!holds) {
    diagnostics.report(whereIs(object), message);
  }
}

/// Whether two types of tensors are equal; null only equals null.
template <typename T> bool equalTypes(const T *a, const T *b) { return a == b || (a && b && a->isEqual(*b)); }

/// The hash of the type of a tensor.
template <typename T> std::size_t hashOfType(const T *type) {
  Hasher hasher;
  if (type) {
    hasher.add(type->getElementType());
    for (auto dim : type->dims()) {
      hasher.add(dim);
    }
  }
  return hasher.get();
}

/// Whether predicates, and number and types of results are equal.
template <typename NodeTy> bool equalRest(const NodeTy &a, const NodeTy &b) {
  if (!(a.getPredicate() == b.getPredicate()) || a.getNumResults() != b.getNumResults()) {
    return false;
  }
  for (unsigned i = 0; i < a.getNumResults(); ++i) {
    if (!equalTypes(a.getType(i), b.getType(i))) {
      return false;
    }
  }
  return true;
}

/// Mixes in the kind and what `equalRest` compares.
template <typename NodeTy> void hashRest(const NodeTy &node, Hasher &hasher) {
  hasher.add(node.getKind());
  if (node.hasPredicate()) {
    hasher.mix(static_cast<std::size_t>(hash_value(node.getPredicate())));
  }
  for (unsigned i = 0; i < node.getNumResults(); ++i) {
    hasher.mix(hashOfType(node.getType(i)));
  }
}

/// Whether nodes know where they come from, as those of the support library do.
template <typename NodeTy, typename = void> struct HasLocation : std::false_type {};
template <typename NodeTy>
struct HasLocation<NodeTy, std::void_t<decltype(std::declval<const NodeTy &>().getLocation())>> : std::true_type {};

/// Gives a copy what is not an argument of the constructor: types of results that were changed,
/// predicate, fusion group, location.
template <typename NodeTy> void copyRest(const NodeTy &from, NodeTy &to) {
  for (unsigned i = 0; i < to.getNumResults(); ++i) {
    to.setTypeUnsafe(i, from.getType(i));
  }
  to.setPredicate(from.getPredicate());
  to.setParentFusionGroup(from.getParentFusionGroup());
  if constexpr (HasLocation<NodeTy>::value) {
    if (from.getLocation()) {
      to.setLocation(*from.getLocation());
    }
  }
}

/// Describes what comes before the members of a node.
template <typename NodeTy, typename BuilderTy>
void describeInputs(const NodeTy &node, BuilderTy &db, const char *mode = nullptr) {
  db.addParam("Name", node.getName().str());
  if (node.hasPredicate()) {
    db.addParam("Predicate", std::string("Yes"));
  }
  if (node.isFused()) {
    db.addParam("Fused", std::string("Yes"));
  }
  if (mode) {
    db.addParam("Mode", std::string(mode));
  }
  for (unsigned i = 0; i < node.getNumInputs(); ++i) {
    const auto input = node.getNthInput(i);
    db.addParam(node.getInputName(i), input.getNode() ? input.getType() : decltype(input.getType())());
  }
}

/// Describes what comes behind the members of a node.
template <typename NodeTy, typename BuilderTy> void describeResults(const NodeTy &node, BuilderTy &db) {
  db.addParam("Users", node.getNumUsers());
  for (unsigned i = 0; i < node.getNumResults(); ++i) {
    db.addParam(node.getOutputName(i), node.getType(i));
  }
}

/// What every node must have: its inputs, and types of its results.
template <typename NodeTy> bool verifyNode(const NodeTy &node, Diagnostics &diagnostics) {
  const std::size_t before = diagnostics.size();
  for (unsigned i = 0; i < node.getNumResults(); ++i) {
    diagnostics.require(node.getType(i) != nullptr, whereIs(node), "a result has no type");
  }
  for (unsigned i = 0; i < node.getNumInputs(); ++i) {
    const auto input = node.getNthInput(i);
    if (!input.getNode()) {
      diagnostics.report(whereIs(node), "the input " + node.getInputName(i) + " is missing");
    } else if (input.getResNo() >= input.getNode()->getNumResults()) {
      diagnostics.report(whereIs(node), "the input " + node.getInputName(i) + " is a result that its node lacks");
    }
  }
  return diagnostics.size() == before;
}

/// Whether two instructions have the same operands, predicate and type.
template <typename InstrTy> bool equalOperands(const InstrTy &a, const InstrTy &b) {
  if (a.getNumOperands() != b.getNumOperands() || !equalTypes(a.getType(), b.getType()) ||
      a.hasPredicate() != b.hasPredicate()) {
    return false;
  }
  for (unsigned i = 0; i < a.getNumOperands(); ++i) {
    if (a.getOperand(i).first != b.getOperand(i).first || a.getOperand(i).second != b.getOperand(i).second) {
      return false;
    }
  }
  return true;
}

/// Mixes in the kind and what `equalOperands` compares.
template <typename InstrTy> void hashOperands(const InstrTy &instruction, Hasher &hasher) {
  hasher.add(instruction.getKind());
  hasher.mix(hashOfType(instruction.getType()));
  for (unsigned i = 0; i < instruction.getNumOperands(); ++i) {
    hasher.add(static_cast<const void *>(instruction.getOperand(i).first));
    hasher.add(instruction.getOperand(i).second);
  }
}

/// Whether an instruction writes an operand.
template <typename InstrTy> bool isWritten(const InstrTy &instruction, unsigned index) {
  // The enumeration may be complete only where instructions are.
  const auto kind = instruction.getOperand(index).second;
  return kind != decltype(kind)::In;
}

/// Whether the record lets two operands have the same memory: both are only read, or the one that
/// is written may reuse the memory of the other.
template <typename InstrTy> bool mayShare(const InstrTy &instruction, unsigned one, unsigned other) {
  const bool writesOne = isWritten(instruction, one);
  const bool writesOther = isWritten(instruction, other);
  if (writesOne == writesOther) {
    return !writesOne;
  }
  return writesOne ? instruction.isInplaceOp(one, other) : instruction.isInplaceOp(other, one);
}

/// Reports two operands that have the same memory, unless they may.
template <typename InstrTy>
void verifySharing(const InstrTy &instruction, unsigned one, unsigned other, const char *what, Diagnostics &diagnostics) {
  if (mayShare(instruction, one, other)) {
    return;
  }
  const bool writesOne = isWritten(instruction, one);
  const bool writesOther = isWritten(instruction, other);
  const std::string first(instruction.getOperandName(one)), second(instruction.getOperandName(other));
  const std::string why = writesOne && writesOther ? "both are written"
                          : writesOne              ? first + " is written and may not reuse the memory of " + second
                                                   : second + " is written and may not reuse the memory of " + first;
  diagnostics.report(whereIs(instruction), "the operands " + first + " and " + second + " are " + what + ": " + why);
}

/// Calls `report` for each two operands of which `memoryOf` gives the same memory, and of which one
/// is written, but not for those without memory. The predicate is read before anything is written.
template <typename InstrTy, typename MemoryOf, typename Report>
void forSharing(const InstrTy &instruction, const MemoryOf &memoryOf, const Report &report) {
  const unsigned count = instruction.getNumOperands() - (instruction.hasPredicate() ? 1 : 0);
  const auto writes = [&](unsigned i) { return isWritten(instruction, i); };
  const unsigned few = 8;
  if (count <= few) {
    for (unsigned i = 0; i < count; ++i) {
      for (unsigned j = i + 1; j < count; ++j) {
        if (memoryOf(i) && memoryOf(i) == memoryOf(j) && (writes(i) || writes(j))) {
          report(i, j);
        }
      }
    }
    return;
  }
  struct Operands {
    std::vector<unsigned> all;
    std::vector<unsigned> written;
  };
  std::unordered_map<const void *, Operands> operands;
  for (unsigned i = 0; i < count; ++i) {
    Operands &same = operands[memoryOf(i)];
    same.all.push_back(i);
    if (writes(i)) {
      same.written.push_back(i);
    }
  }
  for (unsigned i = 0; i < count; ++i) {
    const void *memory = memoryOf(i);
    const Operands &same = operands[memory];
    const std::vector<unsigned> &others = writes(i) ? same.all : same.written;
    for (auto other = std::upper_bound(others.begin(), others.end(), i); memory && other != others.end(); ++other) {
      report(i, *other);
    }
  }
}

/// What every instruction must have: its operands, of which those with the same value may share it.
template <typename InstrTy> bool verifyOperands(const InstrTy &instruction, Diagnostics &diagnostics) {
  const std::size_t before = diagnostics.size();
  for (unsigned i = 0; i < instruction.getNumOperands(); ++i) {
    if (!instruction.getOperand(i).first) {
      diagnostics.report(whereIs(instruction), "the operand " + std::string(instruction.getOperandName(i)) + " is missing");
    } else if (!instruction.getOperand(i).first->getType()) {
      diagnostics.report(whereIs(instruction), "the operand " + std::string(instruction.getOperandName(i)) + " has no type");
    }
  }
  if (diagnostics.size() != before) {
    return false;
  }
  const auto value = [&](unsigned i) { return instruction.getOperand(i).first; };
  forSharing(instruction, value, [&](unsigned one, unsigned other) {
    verifySharing(instruction, one, other, "the same value", diagnostics);
  });
  return diagnostics.size() == before;
}

/// Walks from a node to what it depends on. The walk has a stack of its own, so that graphs may have
/// any depth; `isByHand` says whether a node has a visit of its own, which is called.
template <typename NodeTy, typename WalkerTy, typename IsByHand>
void walkFrom(NodeTy *parent, NodeTy *node, WalkerTy *visitor, const IsByHand &isByHand) {
  struct Place {
    NodeTy *parent;
    NodeTy *node;
    /// What is visited next: the predicate, then the inputs.
    unsigned next;
  };
  if (!visitor->shouldVisit(parent, node)) {
    return;
  }
  visitor->pre(parent, node);
  std::vector<Place> path = {{parent, node, 0}};
  while (!path.empty()) {
    const Place at = path.back();
    if (at.next > at.node->getNumInputs()) {
      visitor->post(at.parent, at.node);
      path.pop_back();
      continue;
    }
    ++path.back().next;
    NodeTy *next = nullptr;
    if (at.next > 0) {
      next = at.node->getNthInput(at.next - 1).getNode();
    } else if (at.node->hasPredicate()) {
      next = at.node->getPredicate().getNode();
    }
    if (next && isByHand(next->getKind())) {
      next->visit(at.node, visitor);
    } else if (next && visitor->shouldVisit(at.node, next)) {
      visitor->pre(at.node, next);
      path.push_back({at.node, next, 0});
    }
  }
}

} // namespace torchgen_support
