// Placeholders and constants, the parts with a body.
#include "IRSupport.h"

namespace torchgen_support {

// Storage.

std::string Storage::getInputName(unsigned) const { throw std::out_of_range("storage has no inputs"); }
NodeValue Storage::getNthInput(unsigned) const { throw std::out_of_range("storage has no inputs"); }
void Storage::setNthInput(unsigned, NodeValue) { throw std::out_of_range("storage has no inputs"); }
NodeHandle *Storage::inputHandle(unsigned) { throw std::out_of_range("storage has no inputs"); }
Node *Storage::clone() const { throw std::logic_error("storage belongs to a module and is not copied"); }
hash_code Storage::getHash() const { return Hasher().add(static_cast<const void *>(this)).get(); }

std::string Storage::getDebugDesc() const {
  DescriptionBuilder description(getKindName());
  description.addParam("Name", getName().str()).addParam("Layout", layout_).addParam("Output", getType());
  if (const auto *placeholder = dyn_cast<Placeholder>(this)) {
    description.addParam("Trainable", placeholder->isTraining()).addParam("Static", placeholder->isStatic());
  }
  description.addParam("Users", getNumUsers());
  return description;
}

void Storage::visit(Node *parent, NodeWalker *visitor) {
  if (visitor->shouldVisit(parent, this)) {
    visitor->pre(parent, this);
    visitor->post(parent, this);
  }
}

void Storage::visit(const Node *parent, NodeWalker *visitor) const {
  if (visitor->shouldVisit(parent, this)) {
    visitor->pre(parent, this);
    visitor->post(parent, this);
  }
}

const ClassInfo &Storage::classInfo() {
  static const OperandInfo operands[] = {{"Output", OperandKind::Out, false, false}};
  static const ClassInfo info = {"Storage", "Storage", "A leaf of the graph.", operands, {}, false, true, false, nullptr};
  return info;
}

void Constant::assign(const Tensor &tensor) {
  if (!(tensor.getType() == payload_.getType())) {
    throw std::logic_error("a constant is given a tensor of another type");
  }
  payload_ = tensor;
}

void Constant::verify(Diagnostics &diagnostics) const {
  verifyNode(*this, diagnostics);
  diagnostics.require(*getType() == payload_.getType(), whereIs(*this), "the type differs from that of the tensor");
}

} // namespace torchgen_support
