// torchgen_comment
// What generated code has for all operators. It is not for users: it changes with torchgen-rs.
#pragma once

#include <ATen/core/List.h>
#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>
#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/saved_variable.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

namespace torchgen_support {

using torch::autograd::SavedVariable;
using torch::autograd::variable_list;
using torch::dynamo::autograd::CompiledNodeArgs;
using torch::dynamo::autograd::SwapSavedVariables;

// What compiled autograd does with the fields of a type.
struct FieldType {
  void (*collect)(CompiledNodeArgs& args, const void* field, bool is_output);
  // Replaces what is saved by what a trace has for it, or puts it back.
  void (*swap)(SwapSavedVariables& saved, void* field, bool back);
  // The argument of formulas, of a node if it is an output.
  at::IValue (*pack)(const void* field, const c10::intrusive_ptr<torch::autograd::Node>& saved_for);
  at::TypePtr (*packed_type)();
};

// Fields with the size of a list, a tensor, lists of tensors, and whether saved values are still
// needed afterwards.
extern const FieldType size_type;
extern const FieldType tensor_type;
extern const FieldType tensors_type;
extern const FieldType optional_tensors_type;
extern const FieldType flag_type;

// What compiled autograd has to know of a node, which makes lists of it when it is traced.
struct NodeParts {
  struct Field {
    const FieldType* type;
    void* field;
    bool is_output;
    bool released;
  };

  // The formulas, as a function of the gradients and of packed arguments.
  variable_list (*formulas)(const variable_list&, const std::vector<at::IValue>&) = nullptr;
  // How many tensors each input has.
  std::vector<size_t> inputs;
  // The arguments of formulas besides gradients, in their order.
  std::vector<Field> fields;
  // The gradients that formulas get as zeros if they are undefined.
  std::vector<uint32_t> zeros;

  void input() {
    inputs.push_back(1);
  }

  void input(size_t& size) {
    inputs.push_back(size);
    fields.push_back({&size_type, &size, false, false});
  }

  void tensor(SavedVariable& field, bool is_output) {
    fields.push_back({&tensor_type, &field, is_output, false});
  }

  void tensors(std::vector<SavedVariable>& field, bool is_output, bool released) {
    fields.push_back({&tensors_type, &field, is_output, released});
  }

  void optional_tensors(std::vector<SavedVariable>& field, bool is_output, bool released) {
    fields.push_back({&optional_tensors_type, &field, is_output, released});
  }

  void value(void* field, const FieldType& type) {
    fields.push_back({&type, field, false, false});
  }

  void flag(bool& field) {
    fields.push_back({&flag_type, &field, false, false});
  }
};

// The arguments of formulas as compiled autograd passes them: which gradients are needed, then the
// fields of a node.
class PackedArguments {
public:
  explicit PackedArguments(const std::vector<at::IValue>& values) : values_(values) {}

  template <size_t N>
  std::array<bool, N> needs() {
    const auto needs = flags();
    std::array<bool, N> all{};
    std::copy(needs.begin(), needs.end(), all.begin());
    return all;
  }

  size_t size();
  at::Tensor tensor();
  std::vector<at::Tensor> tensors();
  c10::List<std::optional<at::Tensor>> optional_tensors();
  bool flag();

  const at::IValue& next() {
    return values_.at(next_++);
  }

private:
  std::vector<bool> flags();

  const std::vector<at::IValue>& values_;
  size_t next_ = 0;
};

// A node that compiled autograd can trace.
class TracedNode : public torch::autograd::Node {
public:
  using Node::Node;
  void compiled_args(CompiledNodeArgs& args) const override;
  variable_list apply_with_saved(const variable_list& grads, SwapSavedVariables& saved) override;

protected:
  virtual void list_parts(NodeParts& parts) = 0;
};

// The tensors of saved lists. PyTorch's own functions are beside the nodes of all its operators.
std::vector<at::Tensor> unpack_list(
    at::ArrayRef<SavedVariable> saved, const c10::intrusive_ptr<torch::autograd::Node>& saved_for = nullptr);
c10::List<std::optional<at::Tensor>> unpack_opt_list(
    at::ArrayRef<SavedVariable> saved, const c10::intrusive_ptr<torch::autograd::Node>& saved_for = nullptr);

// Makes gradients zeros that formulas use and do not test, if another gradient is defined.
void define_gradients(variable_list& grads, const torch::autograd::Node& node, at::ArrayRef<uint32_t> places);

} // namespace torchgen_support
