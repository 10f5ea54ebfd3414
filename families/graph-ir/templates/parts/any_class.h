// What functions of any node or instruction take: the base class, or the class itself.
#pragma once

#include <string>
#include <type_traits>
#include <utility>

namespace torchgen_support {

/// Whether the class of all nodes answers for the class of each: its inputs, and the names of inputs
/// and results.
template <typename NodeTy, typename = void> struct KnowsInputs : std::false_type {};
template <typename NodeTy>
struct KnowsInputs<NodeTy, std::void_t<decltype(std::declval<const NodeTy &>().getNumInputs()),
                                       decltype(std::declval<const NodeTy &>().getNthInput(0)),
                                       decltype(std::declval<const NodeTy &>().getInputName(0)),
                                       decltype(std::declval<const NodeTy &>().getOutputName(0))>> : std::true_type {};

/// What a function that asks for inputs takes: any node, so that it is compiled once, or the class.
template <typename NodeTy, typename ClassTy>
using AnyNode = std::conditional_t<KnowsInputs<NodeTy>::value, NodeTy, ClassTy>;

/// The same of instructions: whether that of all knows the names of operands.
template <typename InstrTy, typename = void> struct KnowsOperands : std::false_type {};
template <typename InstrTy>
struct KnowsOperands<InstrTy, std::void_t<decltype(std::declval<const InstrTy &>().getOperandName(0))>> : std::true_type {};
template <typename InstrTy, typename ClassTy>
using AnyInstruction = std::conditional_t<KnowsOperands<InstrTy>::value, InstrTy, ClassTy>;

} // namespace torchgen_support
