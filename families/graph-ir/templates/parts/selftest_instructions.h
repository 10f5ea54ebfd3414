// Samples of instructions for the self-test.
#pragma once

#include "selftest.h"

#include <map>
#include <vector>

namespace torchgen_support::self_test {

using MakeInstr = Instruction *(*)(unsigned changed);

struct InstrCase {
  MakeInstr make;
  const char *name;
  std::vector<unsigned> members;
};

Value *weight(unsigned index) {
  static IRFunction function(world.function);
  static IRBuilder builder(&function);
  static std::map<unsigned, Value *> weights;
  Value *&known = weights[index];
  if (!known) {
    known = builder.createWeightVar(world.type(0), "w");
  }
  return known;
}

} // namespace torchgen_support::self_test
