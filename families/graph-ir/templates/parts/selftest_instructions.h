// Samples of instructions for the self-test.
#pragma once

#include "selftest.h"

#include <vector>

namespace torchgen_support {
namespace {

using MakeInstr = Instruction *(*)(unsigned changed);

struct InstrCase {
  MakeInstr make;
  const char *name;
  std::vector<unsigned> members;
};

Value *weight(unsigned index) {
  static IRFunction function(world.function);
  static IRBuilder builder(&function);
  static std::vector<Value *> weights;
  while (weights.size() <= index) {
    weights.push_back(builder.createWeightVar(world.type(0), "w"));
  }
  return weights[index];
}

} // namespace
} // namespace torchgen_support
