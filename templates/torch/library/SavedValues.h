// torchgen_comment
// What compiled autograd does with saved values that are no tensors, for nodes that have some.
#pragma once

#include "Support.h"

#include <torch/csrc/dynamo/compiled_autograd.h>

namespace torchgen_support {

template <typename T>
constexpr FieldType value_type = {
    [](CompiledNodeArgs& args, const void* field, bool) { args.collect(*static_cast<const T*>(field)); },
    [](SwapSavedVariables& saved, void* field, bool back) {
      auto& value = *static_cast<T*>(field);
      back ? saved.after(value) : saved.before(value);
    },
    [](const void* field, const c10::intrusive_ptr<torch::autograd::Node>&) -> at::IValue {
      return torch::dynamo::autograd::IValuePacker<T>::pack(*static_cast<const T*>(field));
    },
    [] { return torch::dynamo::autograd::IValuePacker<T>::packed_type(); },
};

template <typename T>
void list_value(NodeParts& parts, T& field) {
  parts.value(&field, value_type<T>);
}

template <typename T>
T unpack_value(PackedArguments& packed) {
  return torch::dynamo::autograd::IValuePacker<T>::unpack(packed.next());
}

} // namespace torchgen_support
