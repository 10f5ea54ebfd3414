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
    Instruction *instruction = &instructions_.back();
    instructions_.remove(instruction);
    Instruction::destroyInstruction(instruction);
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

void IRFunction::verify(Diagnostics &diagnostics) const {
  std::unordered_set<const Value *> defined(weights_.begin(), weights_.end());
  std::unordered_set<const Value *> gone;
  for (const Instruction &instruction : instructions_) {
    const std::string where = whereIs(instruction);
    diagnostics.require(instruction.getParent() == this, where, "the instruction does not know its function");
    for (unsigned i = 0; i < instruction.getNumOperands(); ++i) {
      const Value *value = instruction.getOperand(i).first;
      if (!value) {
        continue;
      }
      const std::string operand = "the operand " + instruction.getOperandName(i).str();
      if (!isMemory(value)) {
        diagnostics.report(where, operand + " is an instruction that is not memory");
      } else if (gone.count(value)) {
        diagnostics.report(where, operand + " was deallocated before");
      } else if (!defined.count(value)) {
        diagnostics.report(where, operand + " is used before it is there");
      }
      bool known = false;
      for (const Use &use : value->getUsers()) {
        known = known || (use.get() == &instruction && use.idx_ == i);
      }
      diagnostics.require(known, where, "an operand does not know of its use");
      if (instruction.getOperand(i).second != OperandKind::In) {
        const auto *weight = dyn_cast<WeightVar>(value);
        diagnostics.require(!weight || !weight->isConstant(), where, "a constant weight is written");
      }
    }
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
