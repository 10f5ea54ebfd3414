// torchgen_comment
// Compares the sizes of a call with the line of `dims:`, before its kernel runs.
#pragma once

#include "DimsTable.h"

#include <ATen/core/IListRef.h>
#include <ATen/core/Tensor.h>
#include <c10/core/SymIntArrayRef.h>
#include <c10/util/OptionalArrayRef.h>

#include <initializer_list>
#include <optional>

namespace torchgen_support::dims {

// An argument of a call, which stays where it is during the check.
class Argument {
 public:
  Argument(const at::Tensor& tensor) : form_(Form::tensors), data_(&tensor), count_(tensor.defined() ? 1 : 0) {}
  Argument(const std::optional<at::Tensor>& tensor) : Argument(tensor.has_value() ? &*tensor : nullptr) {}
  Argument(at::TensorList tensors) : form_(Form::list), data_(tensors.data()), count_(tensors.size()) {}
  Argument(const at::ITensorListRef& tensors) : form_(Form::any_list), data_(&tensors), count_(tensors.size()) {}
  Argument(int64_t number) : form_(Form::number), number_(number), count_(1) {}
  Argument(std::optional<int64_t> number) : form_(Form::number), number_(number.value_or(0)), count_(number ? 1 : 0) {}
  Argument(const c10::SymInt& number) : form_(Form::symbol), data_(&number), count_(1) {}
  Argument(const std::optional<c10::SymInt>& number)
      : form_(Form::symbol), data_(number ? &*number : nullptr), count_(number ? 1 : 0) {}
  Argument(at::IntArrayRef numbers) : form_(Form::numbers), data_(numbers.data()), count_(numbers.size()) {}
  Argument(c10::SymIntArrayRef numbers) : form_(Form::symbols), data_(numbers.data()), count_(numbers.size()) {}

  bool is_given() const {
    return count_ != 0 || form_ == Form::numbers || form_ == Form::symbols || form_ == Form::list;
  }

  // How many tensors it has.
  int64_t count() const {
    return count_;
  }

  // Whether no number says how large something of it is.
  bool is_symbolic() const {
    bool found = form_ == Form::symbol && count_ != 0 && static_cast<const c10::SymInt*>(data_)->is_heap_allocated();
    if (form_ == Form::symbols) {
      const auto* symbols = static_cast<const c10::SymInt*>(data_);
      for (int64_t i = 0; i < count_; ++i) {
        found = found || symbols[i].is_heap_allocated();
      }
    }
    each([&](int64_t, const at::Tensor& tensor) {
      found = found || tensor.unsafeGetTensorImpl()->has_symbolic_sizes_strides();
    });
    return found;
  }

  // Whether it has tensors without a size for each dimension.
  bool is_nested() const {
    bool found = false;
    each([&](int64_t, const at::Tensor& tensor) { found = found || tensor.is_nested(); });
    return found;
  }

  template <class Size, class Visit>
  void each_tensor(const Visit& visit) const {
    each([&](int64_t element, const at::Tensor& tensor) {
      const auto sizes = sizes_of<Size>(tensor);
      visit(element, sizes.data(), static_cast<int64_t>(sizes.size()));
    });
  }

  // Its numbers under a name; `single` holds a single one.
  template <class Size>
  Numbers<Size> numbers(int16_t name, Size* single) const;

 private:
  enum class Form : uint8_t { tensors, list, any_list, number, symbol, numbers, symbols };

  explicit Argument(const at::Tensor* tensor)
      : form_(Form::tensors), data_(tensor), count_(tensor != nullptr && tensor->defined() ? 1 : 0) {}

  template <class Visit>
  void each(const Visit& visit) const {
    if (form_ == Form::tensors && count_ != 0) {
      visit(-1, *static_cast<const at::Tensor*>(data_));
    } else if (form_ == Form::list) {
      for (int64_t i = 0; i < count_; ++i) {
        visit(i, static_cast<const at::Tensor*>(data_)[i]);
      }
    } else if (form_ == Form::any_list) {
      int64_t i = 0;
      for (const at::Tensor& tensor : *static_cast<const at::ITensorListRef*>(data_)) {
        visit(i++, tensor);
      }
    }
  }

  template <class Size>
  static auto sizes_of(const at::Tensor& tensor) {
    if constexpr (std::is_same_v<Size, int64_t>) {
      return tensor.sizes();
    } else {
      return tensor.sym_sizes();
    }
  }

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
