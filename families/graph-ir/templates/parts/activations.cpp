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
  const auto isGone = [&gone](const Instruction *activation) { return gone.count(activation) != 0; };
  active.erase(std::remove_if(active.begin(), active.end(), isGone), active.end());
  if (active.empty()) {
    return;
  }
  // Views of a value keep it alive: from the last instruction to the first, the last use of what each uses.
  std::unordered_map<const Value *, std::pair<std::size_t, Instruction *>> last;
  InstrsList &instructions = F_->getInstrs();
  std::size_t number = instructions.size();
  for (auto at = instructions.end(); at != instructions.begin();) {
    --at;
    --number;
    const auto found = at->isMemory() ? last.find(&*at) : last.end();
    const auto use = found == last.end() ? std::make_pair(number, &*at) : found->second;
    for (unsigned i = 0; i < at->getNumOperands(); ++i) {
      const auto placed = last.emplace(at->getOperand(i).first, use);
      if (placed.first->second.first < use.first) {
        placed.first->second = use;
      }
    }
  }
  for (Instruction *activation : active) {
    const auto found = last.find(activation);
    auto *dealloc = new DeallocActivationInst(uniqueName("dealloc_" + activation->getName().str()), activation);
    auto at = instructions.find(found == last.end() ? activation : found->second.second);
    ++at;
    if (at == instructions.end()) {
      F_->pushInstr(dealloc);
    } else {
      F_->insertInstruction(&*at, dealloc);
    }
  }
}

} // namespace torchgen_support
