// Functions of instructions.
#include "IRSupport.h"

#include <sstream>

namespace torchgen_support {

// Functions.

IRFunction::IRFunction(Function *graph) : Named(graph->getName()), graph_(graph), module_(graph->getParent()) {}

IRFunction::~IRFunction() { clear(); }

void IRFunction::clear() {
  for (Instruction &instruction : instructions_) {
    for (unsigned i = 0; i < instruction.getNumOperands(); ++i) {
      instruction.setOperand(i, nullptr);
    }
  }
  while (!instructions_.empty()) {
    Instruction::destroyInstruction(&instructions_.back());
  }
  for (WeightVar *weight : weights_) {
    delete weight;
  }
  weights_.clear();
  variables_.clear();
  names_.clear();
}

Value *IRFunction::getWeightForNode(const Storage *storage) const {
  auto found = variables_.find(storage);
  return found == variables_.end() ? nullptr : found->second;
}

static void own(IRFunction *function, Instruction *instruction) {
  if (instruction->getParent()) {
    throw std::logic_error("the instruction " + instruction->getName().str() + " belongs to a function already");
  }
  instruction->setParent(function);
}

void IRFunction::pushInstr(Instruction *instruction) {
  own(this, instruction);
  instructions_.push_back(instruction);
}

void IRFunction::insertInstruction(Instruction *before, Instruction *instruction) {
  auto at = instructions_.find(before);
  if (at == instructions_.end()) {
    throw std::logic_error("an instruction is put before one of another function");
  }
  own(this, instruction);
  instructions_.insert(at, instruction);
}

void IRFunction::removeInstruction(Instruction *instruction) {
  if (!instructions_.remove(instruction)) {
    throw std::logic_error("the instruction belongs to another function");
  }
  instruction->setParent(nullptr);
}

void IRFunction::eraseInstruction(Instruction *instruction) {
  removeInstruction(instruction);
  Instruction::destroyInstruction(instruction);
}

void IRFunction::moveInstruction(Instruction *before, Instruction *instruction) {
  if (before == instruction) {
    return;
  }
  removeInstruction(instruction);
  insertInstruction(before, instruction);
}

std::unique_ptr<IRFunction> IRFunction::clone() const {
  auto copy = std::make_unique<IRFunction>(graph_);
  std::unordered_map<const Value *, Value *> copies;
  IRBuilder builder(copy.get());
  for (const WeightVar *weight : weights_) {
    WeightVar *own = builder.createWeightVar(weight->getType(), weight->getName(), weight->getMutability());
    own->setName(weight->getName());
    copies[weight] = own;
  }
  for (const Instruction &instruction : instructions_) {
    Instruction *own = instruction.clone();
    for (unsigned i = 0; i < own->getNumOperands(); ++i) {
      auto found = copies.find(own->getOperand(i).first);
      if (found != copies.end()) {
        own->setOperand(i, found->second);
      }
    }
    copies[&instruction] = own;
    copy->pushInstr(own);
  }
  for (const auto &variable : variables_) {
    copy->variables_[variable.first] = copies.at(variable.second);
  }
  return copy;
}

/// Whether a value can be an operand: weights, activations and views.
static bool isMemory(const Value *value) {
  return isa<WeightVar>(value) || static_cast<const Instruction *>(value)->isMemory();
}

/// What a view is a view of; null for other values.
static const Value *viewed(const Value *value) {
  if (!value || !isMemory(value) || isa<WeightVar>(value)) {
    return nullptr;
  }
  const auto *view = static_cast<const Instruction *>(value);
  for (unsigned i = 0; i < view->getNumOperands(); ++i) {
    if (view->getOperand(i).second == OperandKind::In) {
      return view->getOperand(i).first;
    }
  }
  return nullptr;
}

/// The memory of the values of a function. Each view is looked at once, however long a chain of them is.
class SharedMemory {
  struct Of {
    const Value *memory;
    const Value *whole;
  };
  std::unordered_map<const Value *, Of> known_;

  static bool isWhole(const Value *view, const Value *source) {
    return source->getType() && view->getType() && source->getType()->size() == view->getType()->size();
  }

  const Of &of(const Value *value) {
    std::vector<const Value *> views;
    // A value that is being looked at counts as memory, so that views of themselves end.
    while (known_.emplace(value, Of{value, value}).second) {
      const Value *source = viewed(value);
      if (!source) {
        break;
      }
      views.push_back(value);
      value = source;
    }
    Of found = known_.at(value);
    for (auto view = views.rbegin(); view != views.rend(); ++view) {
      found = {found.memory, isWhole(*view, value) ? found.whole : *view};
      known_[*view] = found;
      value = *view;
    }
    return known_.at(value);
  }

public:
  /// The weight or activation whose memory a value has, or a part of it.
  const Value *memoryOf(const Value *value) { return value ? of(value).memory : nullptr; }
  /// The weight or activation whose whole memory a value has, or else the first view of a part.
  const Value *wholeOf(const Value *value) { return value ? of(value).whole : nullptr; }
};

/// The uses that values know of. Those of a value are looked at once, however many there are.
class KnownUses {
  std::unordered_map<const Instruction *, std::vector<const Value *>> values_;
  std::unordered_set<const Value *> seen_;

public:
  bool knows(const Value *value, const Instruction &user, unsigned index) {
    if (seen_.insert(value).second) {
      for (const Use &use : value->getUsers()) {
        std::vector<const Value *> &values = values_[use.get()];
        values.resize(std::max<std::size_t>(values.size(), use.idx_ + 1));
        values[use.idx_] = value;
      }
    }
    const auto found = values_.find(&user);
    return found != values_.end() && index < found->second.size() && found->second[index] == value;
  }
};

/// Reports operands whose views have the same memory, unless they may share it. Views of parts may
/// be of different ones.
static void verifyViews(const Instruction &instruction, SharedMemory &memory, Diagnostics &diagnostics) {
  const auto value = [&](unsigned index) { return instruction.getOperand(index).first; };
  const auto whole = [&](unsigned index) { return memory.wholeOf(value(index)); };
  forSharing(instruction, whole, [&](unsigned one, unsigned other) {
    if (value(one) != value(other)) {
      verifySharing(instruction, one, other, "views of the same memory", diagnostics);
    }
  });
}

/// Reports activations that an instruction reads before something was written to them.
static void verifyReads(const Instruction &instruction, SharedMemory &memory, std::unordered_set<const Value *> &written,
                        Diagnostics &diagnostics) {
  if (instruction.isMemory()) {
    return;
  }
  for (unsigned i = 0; i < instruction.getNumOperands(); ++i) {
    const Value *read = memory.memoryOf(instruction.getOperand(i).first);
    const bool reads = instruction.getOperand(i).second != OperandKind::Out;
    if (read && reads && isa<AllocActivationInst>(read) && written.insert(read).second) {
      diagnostics.report(whereIs(instruction),
                         "the operand " + instruction.getOperandName(i).str() + " is read before something is written to it");
    }
  }
  for (unsigned i = 0; i < instruction.getNumOperands(); ++i) {
    if (instruction.getOperand(i).second != OperandKind::In) {
      written.insert(memory.memoryOf(instruction.getOperand(i).first));
    }
  }
}

void IRFunction::verify(Diagnostics &diagnostics) const {
  std::unordered_set<const Value *> defined(weights_.begin(), weights_.end());
  std::unordered_set<const Value *> gone;
  std::unordered_set<const Value *> written;
  SharedMemory memory;
  KnownUses uses;
  for (const Instruction &instruction : instructions_) {
    const auto require = [&](bool holds, const char *message) {
      if (!holds) {
        diagnostics.report(whereIs(instruction), message);
      }
    };
    require(instruction.getParent() == this, "the instruction does not know its function");
    for (unsigned i = 0; i < instruction.getNumOperands(); ++i) {
      const Value *value = instruction.getOperand(i).first;
      if (!value) {
        continue;
      }
      const Value *place = memory.memoryOf(value);
      const char *wrong = !isMemory(value)        ? " is an instruction that is not memory"
                          : gone.count(place)     ? " was deallocated before"
                          : !defined.count(value) ? " is used before it is there"
                                                  : nullptr;
      if (wrong) {
        diagnostics.report(whereIs(instruction), "the operand " + instruction.getOperandName(i).str() + wrong);
      }
      require(uses.knows(value, instruction, i), "an operand does not know of its use");
      if (instruction.getOperand(i).second != OperandKind::In) {
        const auto *weight = dyn_cast<WeightVar>(place);
        require(!weight || !weight->isConstant(), "a constant weight is written");
      }
    }
    verifyViews(instruction, memory, diagnostics);
    verifyReads(instruction, memory, written, diagnostics);
    defined.insert(&instruction);
    if (const auto *dealloc = dyn_cast<DeallocActivationInst>(&instruction)) {
      gone.insert(dealloc->getSrc());
    }
    instruction.verify(diagnostics);
  }
  for (const Instruction &instruction : instructions_) {
    if (isa<AllocActivationInst>(&instruction) && !gone.count(&instruction)) {
      diagnostics.report(whereIs(instruction), "the activation is not deallocated");
    }
  }
}

void IRFunction::verifyOrThrow() const {
  Diagnostics diagnostics;
  verify(diagnostics);
  if (!diagnostics.empty()) {
    throw InvalidIR(diagnostics);
  }
}

void IRFunction::dump(raw_ostream &os) const {
  os << "function " << getName() << "\n\ndeclare {\n";
  for (const WeightVar *weight : weights_) {
    os << "  " << *weight << "\n";
  }
  os << "}\n\ncode {\n";
  std::size_t number = 0;
  for (const Instruction &instruction : instructions_) {
    os << "  " << number++ << " " << instruction << "\n";
  }
  os << "}\n";
}

std::string IRFunction::toString() const {
  std::ostringstream os;
  dump(os);
  return os.str();
}

} // namespace torchgen_support
