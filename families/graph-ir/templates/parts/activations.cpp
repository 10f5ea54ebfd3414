// When the builder deallocates activations.
#include "IRSupport.h"

namespace torchgen_support {

void IRBuilder::deallocateActiveInstrs() {
  std::unordered_set<const Value *> gone;
  std::vector<Instruction *> active;
  for (Instruction &instruction : F_->getInstrs()) {
    if (auto *dealloc = dyn_cast<DeallocActivationInst>(&instruction)) {
      gone.insert(dealloc->getSrc());
    } else if (isa<AllocActivationInst>(&instruction)) {
      active.push_back(&instruction);
    }
  }
  for (Instruction *activation : active) {
    if (gone.count(activation)) {
      continue;
    }
    // Views of an activation keep it alive.
    std::unordered_set<const Value *> alive = {activation};
    Instruction *last = activation;
    for (Instruction &instruction : F_->getInstrs()) {
      for (unsigned i = 0; i < instruction.getNumOperands(); ++i) {
        if (alive.count(instruction.getOperand(i).first)) {
          last = &instruction;
          if (instruction.isMemory()) {
            alive.insert(&instruction);
          }
        }
      }
    }
    auto *dealloc = new DeallocActivationInst(uniqueName("dealloc_" + activation->getName().str()), activation);
    auto at = F_->getInstrs().find(last);
    ++at;
    if (at == F_->getInstrs().end()) {
      F_->pushInstr(dealloc);
    } else {
      F_->insertInstruction(&*at, dealloc);
    }
  }
}

} // namespace torchgen_support
