// torchgen_comment
// What generated code has for all operators: the text is the same in all libraries, but for the
// namespace.
#ifndef AT_PER_OPERATOR_HEADERS
#define AT_PER_OPERATOR_HEADERS
#endif

#include "Support.h"

#include <torch/csrc/autograd/variable.h>
#include <torch/csrc/dynamo/compiled_autograd.h>

#include <mutex>
#include <set>

namespace torchgen_support {

namespace {

using torch::dynamo::autograd::IValuePacker;

using Owner = c10::intrusive_ptr<torch::autograd::Node>;

// Tensors, or lists of them, which are collected and swapped alike.
template <typename Saved>
void collect(CompiledNodeArgs& args, const void* field, bool is_output) {
  args.collect(*static_cast<const Saved*>(field), is_output);
}

template <typename Saved>
void swap(SwapSavedVariables& saved, void* field, bool back) {
  auto& value = *static_cast<Saved*>(field);
  back ? saved.after(value) : saved.before(value);
}

// What follows from the tensors of a node.
void collect_nothing(CompiledNodeArgs&, const void*, bool) {}

void swap_nothing(SwapSavedVariables&, void*, bool) {}

template <typename T>
at::IValue pack(const void* field, const Owner&) {
  return IValuePacker<T>::pack(*static_cast<const T*>(field));
}

at::IValue pack_tensor(const void* field, const Owner& saved_for) {
  return IValuePacker<at::Tensor>::pack(static_cast<const SavedVariable*>(field)->unpack(saved_for));
}

at::IValue pack_tensors(const void* field, const Owner& saved_for) {
  const auto& saved = *static_cast<const std::vector<SavedVariable>*>(field);
  return IValuePacker<std::vector<at::Tensor>>::pack(unpack_list(saved, saved_for));
}

at::IValue pack_optional_tensors(const void* field, const Owner&) {
  const auto& saved = *static_cast<const std::vector<SavedVariable>*>(field);
  return IValuePacker<c10::List<std::optional<at::Tensor>>>::pack(unpack_opt_list(saved));
}

bool any_defined(const variable_list& grads) {
  for (const at::Tensor& grad : grads) {
    if (grad.defined()) {
      return true;
    }
  }
  return false;
}

// Which gradients are needed, for each input.
std::vector<bool> needed(const torch::autograd::Node& node, const std::vector<size_t>& inputs) {
  std::vector<bool> needs;
  size_t first = 0;
  for (const size_t size : inputs) {
    needs.push_back(node.task_should_compute_output({{first, first + size}}));
    first += size;
  }
  return needs;
}

// The name of a class of nodes for compiled autograd, which has those of all libraries in one list.
std::string traced_name(const torch::autograd::Node& node) {
  std::string name = "torchgen_support::" + node.name();
  std::replace(name.begin(), name.end(), ':', '_');
  return name;
}

// Gives compiled autograd the formulas of a class of nodes, once.
void bind_once(
    const torch::dynamo::autograd::PyCompilerInterface& compiler, SwapSavedVariables& saved,
    const std::string& name, const NodeParts& all) {
  static std::mutex mutex;
  static std::set<std::string> known;
  const std::lock_guard<std::mutex> lock(mutex);
  if (known.count(name) != 0) {
    return;
  }
  std::vector<at::TypePtr> schema = {IValuePacker<std::vector<bool>>::packed_type()};
  for (const NodeParts::Field& one : all.fields) {
    schema.push_back(one.type->packed_type());
  }
  compiler.bind_function(saved.get_py_compiler(), name, all.formulas, schema);
  known.insert(name);
}

} // namespace

using SavedList = std::vector<SavedVariable>;

const FieldType size_type = {
    &collect_nothing, &swap_nothing, &pack<size_t>, &IValuePacker<size_t>::packed_type};

const FieldType tensor_type = {
    &collect<SavedVariable>, &swap<SavedVariable>, &pack_tensor, &IValuePacker<at::Tensor>::packed_type};

const FieldType tensors_type = {
    &collect<SavedList>, &swap<SavedList>, &pack_tensors, &IValuePacker<std::vector<at::Tensor>>::packed_type};

const FieldType optional_tensors_type = {
    &collect<SavedList>, &swap<SavedList>, &pack_optional_tensors,
    &IValuePacker<c10::List<std::optional<at::Tensor>>>::packed_type};

const FieldType flag_type = {&collect_nothing, &swap_nothing, &pack<bool>, &IValuePacker<bool>::packed_type};

size_t PackedArguments::size() {
  return IValuePacker<size_t>::unpack(next());
}

at::Tensor PackedArguments::tensor() {
  return IValuePacker<at::Tensor>::unpack(next());
}

std::vector<at::Tensor> PackedArguments::tensors() {
  return IValuePacker<std::vector<at::Tensor>>::unpack(next());
}

c10::List<std::optional<at::Tensor>> PackedArguments::optional_tensors() {
  return IValuePacker<c10::List<std::optional<at::Tensor>>>::unpack(next());
}

bool PackedArguments::flag() {
  return IValuePacker<bool>::unpack(next());
}

std::vector<bool> PackedArguments::flags() {
  return IValuePacker<std::vector<bool>>::unpack(next());
}

void TracedNode::compiled_args(CompiledNodeArgs& args) const {
  NodeParts all;
  // Nothing is changed.
  const_cast<TracedNode*>(this)->list_parts(all);
  for (const NodeParts::Field& one : all.fields) {
    one.type->collect(args, one.field, one.is_output);
  }
}

variable_list TracedNode::apply_with_saved(const variable_list& grads, SwapSavedVariables& saved) {
  NodeParts all;
  list_parts(all);
  for (const NodeParts::Field& one : all.fields) {
    one.type->swap(saved, one.field, /*back=*/false);
  }
  const auto& compiler = torch::dynamo::autograd::getPyCompilerInterface();
  const std::string traced = traced_name(*this);
  bind_once(*compiler, saved, traced, all);
  for (const NodeParts::Field& one : all.fields) {
    TORCH_CHECK(!one.released, torch::autograd::ERR_BACKWARD_TWICE);
  }
  std::vector<at::IValue> arguments = {IValuePacker<std::vector<bool>>::pack(needed(*this, all.inputs))};
  for (const NodeParts::Field& one : all.fields) {
    arguments.push_back(one.type->pack(one.field, one.is_output ? getptr() : nullptr));
  }
  variable_list defined = grads;
  define_gradients(defined, *this, all.zeros);
  using Metadata = std::vector<std::optional<torch::autograd::InputMetadata>>;
  const at::IValue outputs =
      IValuePacker<Metadata>::pack(torch::dynamo::autograd::get_input_metadata(next_edges()));
  auto results =
      compiler->call_function(saved.get_py_compiler(), "apply_functional", traced, defined, arguments, outputs);
  for (const NodeParts::Field& one : all.fields) {
    one.type->swap(saved, one.field, /*back=*/true);
  }
  return results;
}

std::vector<at::Tensor> unpack_list(
    at::ArrayRef<SavedVariable> saved, const c10::intrusive_ptr<torch::autograd::Node>& saved_for) {
  std::vector<at::Tensor> tensors;
  tensors.reserve(saved.size());
  for (const SavedVariable& one : saved) {
    tensors.push_back(one.unpack(saved_for));
  }
  return tensors;
}

c10::List<std::optional<at::Tensor>> unpack_opt_list(
    at::ArrayRef<SavedVariable> saved, const c10::intrusive_ptr<torch::autograd::Node>& saved_for) {
  c10::List<std::optional<at::Tensor>> tensors;
  tensors.reserve(saved.size());
  for (const SavedVariable& one : saved) {
    auto tensor = one.unpack(saved_for);
    tensors.push_back(tensor.defined() ? std::optional<at::Tensor>(tensor) : std::nullopt);
  }
  return tensors;
}

void define_gradients(variable_list& grads, const torch::autograd::Node& node, at::ArrayRef<uint32_t> places) {
  if (places.empty() || !any_defined(grads)) {
    return;
  }
  for (const uint32_t place : places) {
    if (!grads[place].defined()) {
      grads[place] = node.input_metadata(place).zeros_like();
    }
  }
}

} // namespace torchgen_support
