// The self-test of an instruction.
#pragma once

#include "selftest_instructions.h"

#include <string>

namespace torchgen_support::self_test {

void testInstruction(const InstrCase &test) {
  const std::string where = test.name;
  Instruction *instruction = test.make(0);
  expect(!instruction->verify() || instruction->verify(), "verification does not end the program", where);
  expect(std::string(instruction->getClassInfo().className) == test.name, "reflection finds the class", where);
  expect(instruction->getNumFixedOperands() <= instruction->getNumOperands(), "fixed operands are operands", where);
  expect(instruction->toString().find(instruction->getKindName()) != std::string::npos, "it prints its kind", where);
  for (unsigned i = 0; i < instruction->getNumOperands(); ++i) {
    expect(!instruction->getOperandName(i).empty(), "each operand has a name", where);
    expect(!instruction->isInplaceOp(i, i), "no operand reuses its own memory", where);
  }
  instruction->setPredicate(weight(spare));
  Instruction *copy = instruction->clone();
  expect(copy->getPredicate() == weight(spare), "a copy keeps the predicate", where);
  expect(copy->isEqual(*instruction) && copy->getHash() == instruction->getHash(), "a copy is equal, with its hash", where);
  expect(copy->toString() == instruction->toString(), "a copy prints the same", where);
  for (unsigned i = 0; i < copy->getNumOperands(); ++i) {
    Value *old = copy->getOperand(i).first;
    copy->setOperand(i, weight(fresh));
    expect(!copy->isEqual(*instruction), "an operand makes a difference", where);
    copy->setOperand(i, old);
  }
  Instruction::destroyInstruction(copy);
  Instruction::destroyInstruction(instruction);
  for (unsigned member : test.members) {
    Instruction *one = test.make(0);
    Instruction *other = test.make(member);
    expect(!other->isEqual(*one), "a changed member makes a difference", where);
    Instruction::destroyInstruction(one);
    Instruction::destroyInstruction(other);
  }
}

} // namespace torchgen_support::self_test
