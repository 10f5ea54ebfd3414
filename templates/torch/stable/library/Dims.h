// torchgen_comment
// Compares the sizes of a call with the line of `dims:`, before its kernel runs.
#pragma once

#include "DimsTable.h"

#include <torch/csrc/stable/tensor.h>
#include <torch/headeronly/util/HeaderOnlyArrayRef.h>

#include <initializer_list>
#include <optional>

namespace torchgen_support::dims {

// An argument of a call, which stays where it is during the check.
class Argument {
 public:
  using Tensor = torch::stable::Tensor;
  template <class T>
  using ArrayRef = torch::headeronly::HeaderOnlyArrayRef<T>;

  Argument(const Tensor& tensor) : form_(Form::tensors), data_(&tensor), count_(tensor.defined() ? 1 : 0) {}
  Argument(const std::optional<Tensor>& tensor) : Argument(tensor.has_value() ? &*tensor : nullptr) {}
  Argument(ArrayRef<Tensor> tensors)
      : form_(Form::list), data_(tensors.data()), count_(static_cast<int64_t>(tensors.size())) {}
  Argument(int64_t number) : form_(Form::number), number_(number), count_(1) {}
  Argument(std::optional<int64_t> number) : form_(Form::number), number_(number.value_or(0)), count_(number ? 1 : 0) {}
  Argument(ArrayRef<int64_t> numbers)
      : form_(Form::numbers), data_(numbers.data()), count_(static_cast<int64_t>(numbers.size())) {}

  bool is_given() const {
    return count_ != 0 || form_ == Form::numbers || form_ == Form::list;
  }

  // How many tensors it has.
  int64_t count() const {
    return count_;
  }

  template <class Size, class Visit>
  void each_tensor(const Visit& visit) const {
    const auto* tensors = static_cast<const Tensor*>(data_);
    for (int64_t i = 0; i < count_; ++i) {
      const auto sizes = tensors[i].sizes();
      visit(form_ == Form::list ? i : -1, sizes.data(), static_cast<int64_t>(sizes.size()));
    }
  }

  // Its numbers under a name; `single` holds a single one.
  template <class Size>
  Numbers<Size> numbers(int16_t name, Size* single) const;

 private:
  enum class Form : uint8_t { tensors, list, number, numbers };

  explicit Argument(const Tensor* tensor)
      : form_(Form::tensors), data_(tensor), count_(tensor != nullptr && tensor->defined() ? 1 : 0) {}

  Form form_;
  union {
    const void* data_;
    int64_t number_;
  };
  int64_t count_;
};

#ifdef TORCHGEN_SUPPORT_NO_SIZE_CHECKS
inline void check(const Operator&, std::initializer_list<Argument>) {}
#else
// Raises an error unless the sizes fit.
void check(const Operator& op, std::initializer_list<Argument> arguments);
#endif

} // namespace torchgen_support::dims
