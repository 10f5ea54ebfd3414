// Modules and bindings, the parts with a body.
#include "IRSupport.h"

#include <sstream>

namespace torchgen_support {

// Modules.

Module::~Module() { clear(); }

void Module::clear() {
  eraseFunctions();
  while (!placeholders_.empty()) {
    erasePlaceholder(placeholders_.back());
  }
  while (!constants_.empty()) {
    eraseConstant(constants_.back());
  }
}

TypeRef Module::uniqueType(const Type &type) {
  auto known = uniqueTypes_.find(&type);
  if (known != uniqueTypes_.end()) {
    return *known;
  }
  types_.push_back(type);
  return *uniqueTypes_.insert(&types_.back()).first;
}

TypeRef Module::uniqueTypeWithNewShape(TypeRef type, ArrayRef<dim_t> dims) {
  return type->isQuantizedType() ? uniqueType(type->getElementType(), dims, type->getScale(), type->getOffset())
                                 : uniqueType(type->getElementType(), dims);
}

TypeRef Module::uniqueTypeWithElement(TypeRef type, ElemKind kind) { return uniqueType(kind, type->dims()); }

Function *Module::createFunction(StringRef name) {
  functions_.push_back(new Function(this, functionNames_.unique(name)));
  return functions_.back();
}

Function *Module::getFunction(StringRef name) const {
  for (Function *function : functions_) {
    if (function->getName() == name) {
      return function;
    }
  }
  return nullptr;
}

void Module::eraseFunction(Function *function) {
  functions_.remove(function);
  delete function;
}

void Module::eraseFunctions() {
  while (!functions_.empty()) {
    eraseFunction(functions_.back());
  }
}

void Module::clearFunctions() {
  for (Function *function : functions_) {
    function->clear();
  }
}

bool Module::owns(const Storage *storage) const {
  if (const auto *placeholder = dyn_cast<Placeholder>(storage)) {
    return placeholders_.contains(placeholder);
  }
  return constants_.contains(dyn_cast<Constant>(storage));
}

std::string Module::toString() const {
  std::string text;
  for (const Placeholder *placeholder : placeholders_) {
    text += placeholder->toString();
  }
  for (const Constant *constant : constants_) {
    text += constant->toString();
  }
  for (const Function *function : functions_) {
    text += function->toString();
  }
  return text;
}

Placeholder *Module::createPlaceholder(TypeRef type, StringRef name, bool isTrainable, StringRef layout) {
  placeholders_.push_back(new Placeholder(names_.unique(name), uniqueType(*type), isTrainable, layout));
  return placeholders_.back();
}

Constant *Module::createConstant(TypeRef type, StringRef name, StringRef layout) {
  constants_.push_back(new Constant(names_.unique(name), uniqueType(*type), layout));
  return constants_.back();
}

Constant *Module::createConstant(StringRef name, const Tensor &tensor, StringRef layout) {
  Constant *constant = createConstant(uniqueType(tensor.getType()), name, layout);
  constant->assign(tensor);
  return constant;
}

Placeholder *Module::getPlaceholderByNameSlow(StringRef name) const {
  for (Placeholder *placeholder : placeholders_) {
    if (placeholder->getName() == name) {
      return placeholder;
    }
  }
  return nullptr;
}

Constant *Module::getConstantByName(StringRef name) const {
  for (Constant *constant : constants_) {
    if (constant->getName() == name) {
      return constant;
    }
  }
  return nullptr;
}

void Module::erasePlaceholder(Placeholder *placeholder) {
  placeholders_.remove(placeholder);
  delete placeholder;
}

void Module::eraseConstant(Constant *constant) {
  constants_.remove(constant);
  delete constant;
}

void Module::clone(Module &into) const {
  std::unordered_map<const Node *, Node *> copies;
  for (const Placeholder *old : placeholders_) {
    Placeholder *copy = into.createPlaceholder(old->getType(), old->getName(), old->isTraining(), old->getLayout());
    copy->setStatic(old->isStatic());
    copy->setAllocZero(old->allocZero());
    copies[old] = copy;
  }
  for (const Constant *old : constants_) {
    copies[old] = into.createConstant(old->getName(), old->getPayload(), old->getLayout());
  }
  auto moved = [&copies](const NodeValue &value) {
    auto found = copies.find(value.getNode());
    return found == copies.end() ? value : NodeValue(found->second, value.getResNo());
  };
  for (const Function *function : functions_) {
    Function *copy = into.createFunction(function->getName());
    for (const Node &node : function->getNodes()) {
      Node *duplicate = copy->addNode(node.clone());
      for (unsigned i = 0; i < duplicate->getNumResults(); ++i) {
        duplicate->setType(i, into.uniqueType(*duplicate->getType(i)));
      }
      copies[&node] = duplicate;
    }
    for (Node &node : copy->getNodes()) {
      for (unsigned i = 0; i < node.getNumInputs(); ++i) {
        node.setNthInput(i, moved(node.getNthInput(i)));
      }
      if (node.hasPredicate()) {
        node.setPredicate(moved(node.getPredicate()));
      }
    }
  }
}

void Module::verify(Diagnostics &diagnostics) const {
  for (const Constant *constant : constants_) {
    constant->verify(diagnostics);
  }
  for (const Function *function : functions_) {
    function->verify(diagnostics);
  }
}

std::size_t Module::getConstantsSize() const {
  std::size_t bytes = 0;
  for (const Constant *constant : constants_) {
    bytes += constant->getPayload().bytes().size();
  }
  return bytes;
}

// Bindings.

Tensor *PlaceholderBindings::allocate(Placeholder *placeholder) {
  if (count(placeholder)) {
    throw std::logic_error("the placeholder " + placeholder->getName().str() + " has a tensor already");
  }
  insert(placeholder, Tensor(*placeholder->getType()));
  return get(placeholder);
}

void PlaceholderBindings::insert(Placeholder *placeholder, Tensor tensor) {
  if (!(tensor.getType() == *placeholder->getType())) {
    throw std::logic_error("the placeholder " + placeholder->getName().str() + " is given a tensor of another type");
  }
  if (!count(placeholder)) {
    order_.push_back(placeholder);
  }
  tensors_[placeholder] = std::make_unique<Tensor>(std::move(tensor));
}

Tensor *PlaceholderBindings::get(const Placeholder *placeholder) const {
  auto found = tensors_.find(placeholder);
  return found == tensors_.end() ? nullptr : found->second.get();
}

void PlaceholderBindings::erase(const Placeholder *placeholder) {
  tensors_.erase(placeholder);
  order_.erase(std::remove(order_.begin(), order_.end(), placeholder), order_.end());
}

void PlaceholderBindings::clear() {
  tensors_.clear();
  order_.clear();
}

Placeholder *PlaceholderBindings::getPlaceholderByNameSlow(StringRef name) const {
  for (Placeholder *placeholder : order_) {
    if (placeholder->getName() == name) {
      return placeholder;
    }
  }
  return nullptr;
}

std::size_t PlaceholderBindings::getDataSize() const {
  std::size_t bytes = 0;
  for (const auto &bound : tensors_) {
    bytes += bound.second->bytes().size();
  }
  return bytes;
}

PlaceholderBindings PlaceholderBindings::clone() const {
  PlaceholderBindings copy;
  for (Placeholder *placeholder : order_) {
    copy.insert(placeholder, *get(placeholder));
  }
  return copy;
}

} // namespace torchgen_support
