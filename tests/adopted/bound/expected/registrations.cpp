// Operators of functions that a Python module binds. `torchgen-rs adopt` wrote it once, and it is yours to edit: add
// it to the sources of the module, which stays as it is.

#include <ATen/core/Tensor.h>
#include <torch/library.h>

#include <array>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "../kernels.h"

namespace counter {
at::Tensor sell(const at::Tensor&, double);
} // namespace counter

namespace counter {
void ramp(at::Tensor, int);
} // namespace counter

namespace counter {
void scale_into(const at::Tensor&, at::Tensor&, float);
} // namespace counter

namespace counter {
at::Tensor& clip_(at::Tensor&, double, double);
} // namespace counter

namespace counter {
std::vector<at::Tensor> thirds(const at::Tensor&);
} // namespace counter

namespace counter {
std::vector<at::Tensor> pieces(const at::Tensor&, int64_t);
} // namespace counter

namespace counter {
std::pair<at::Tensor, int> extremes(at::Tensor);
} // namespace counter

namespace counter {
at::Tensor weighted(const at::Tensor&, const std::optional<at::Tensor>&, const std::string&, bool);
} // namespace counter

namespace counter {
at::Tensor window(const at::Tensor&, std::vector<int>, std::optional<float>);
} // namespace counter

at::Tensor refund(const at::Tensor&, long);

namespace counter {
void gather(std::vector<at::Tensor>, at::Tensor);
} // namespace counter

namespace counter {
at::Tensor scaled(const at::Tensor&, const at::Tensor&, double);
} // namespace counter

namespace counter {
at::Tensor mixed(const at::Tensor&, const at::Tensor&);
} // namespace counter

namespace counter {
std::tuple<at::Tensor, at::Tensor> mixed_backward(const at::Tensor&, const at::Tensor&, const at::Tensor&);
} // namespace counter

namespace counter {
int count(const at::Tensor&, int64_t);
} // namespace counter

namespace {

// A value of the dispatcher as a function has it, and back.
template <typename To>
struct As {
  template <typename From>
  static To of(const From& value) {
    const auto result = static_cast<To>(value);
    if constexpr (std::is_integral_v<To>) {
      const bool fits = static_cast<From>(result) == value && (result < To{}) == (value < From{});
      TORCH_CHECK_VALUE(fits, value, " does not fit the type of the parameter");
    }
    return result;
  }
};

template <typename To>
struct As<std::vector<To>> {
  template <typename From>
  static std::vector<To> of(const From& values) {
    std::vector<To> result;
    result.reserve(values.size());
    for (const auto& value : values) {
      result.push_back(As<To>::of(value));
    }
    return result;
  }
};

template <typename To, size_t N>
struct As<std::array<To, N>> {
  template <typename From>
  static std::array<To, N> of(const From& values) {
    std::array<To, N> result;
    for (size_t i = 0; i < N; ++i) {
      result[i] = As<To>::of(values[i]);
    }
    return result;
  }
};

template <typename To>
struct As<std::optional<To>> {
  template <typename From>
  static std::optional<To> of(const From& value) {
    return value ? std::optional<To>(As<To>::of(*value)) : std::nullopt;
  }
};

template <typename... To>
struct As<std::tuple<To...>> {
  static std::tuple<To...> of(std::vector<at::Tensor> values) {
    TORCH_CHECK(values.size() == sizeof...(To), "the function returned ", values.size(), " tensors");
    return listed(values, std::index_sequence_for<To...>());
  }

  template <typename... From>
  static std::tuple<To...> of(const std::tuple<From...>& values) {
    return each(values, std::index_sequence_for<To...>());
  }

  template <typename First, typename Second>
  static std::tuple<To...> of(const std::pair<First, Second>& values) {
    return of(std::tuple<First, Second>(values));
  }

private:
  template <size_t... I>
  static std::tuple<To...> listed(const std::vector<at::Tensor>& values, std::index_sequence<I...>) {
    return {values[I]...};
  }

  template <typename From, size_t... I>
  static std::tuple<To...> each(const From& values, std::index_sequence<I...>) {
    return {As<To>::of(std::get<I>(values))...};
  }
};

} // namespace

TORCH_LIBRARY_FRAGMENT(counterlib, m) {
  m.def("sell(Tensor x, float price=2.0) -> Tensor");
  m.impl("sell", c10::DispatchKey::CompositeExplicitAutograd, TORCH_FN(::counter::sell));
  m.def("ramp(Tensor(a!) out, int start=0) -> ()");
  m.impl("ramp", c10::DispatchKey::CompositeExplicitAutograd, [](at::Tensor _0, int64_t _1) {
    return ::counter::ramp(_0, As<int>::of(_1));
  });
  m.def("scale_into(Tensor x, Tensor(a!) out, float by) -> ()");
  m.impl("scale_into", c10::DispatchKey::CompositeExplicitAutograd, [](const at::Tensor& _0, at::Tensor& _1, double _2) {
    return ::counter::scale_into(_0, _1, As<float>::of(_2));
  });
  m.def("clip_(Tensor(a!) x, float low, float high) -> Tensor(a!)");
  m.impl("clip_", c10::DispatchKey::CompositeExplicitAutograd, TORCH_FN(::counter::clip_));
  m.def("rounded(Tensor x, float step=1.0) -> Tensor");
  m.impl("rounded", c10::DispatchKey::CompositeExplicitAutograd, TORCH_FN(::counter::rounded));
  m.def("thirds(Tensor x) -> (Tensor, Tensor, Tensor)");
  m.impl("thirds", c10::DispatchKey::CompositeExplicitAutograd, [](const at::Tensor& _0) {
    return As<std::tuple<at::Tensor, at::Tensor, at::Tensor>>::of(::counter::thirds(_0));
  });
  m.def("pieces(Tensor x, int size) -> Tensor[]");
  m.impl("pieces", c10::DispatchKey::CompositeExplicitAutograd, TORCH_FN(::counter::pieces));
  m.def("extremes(Tensor x) -> (Tensor, int)");
  m.impl("extremes", c10::DispatchKey::CPU, [](at::Tensor _0) {
    return As<std::tuple<at::Tensor, int64_t>>::of(::counter::extremes(_0));
  });
  m.def("weighted(Tensor x, Tensor? weight=None, *, str mode=\"mean\", bool twice=False) -> Tensor");
  m.impl("weighted", c10::DispatchKey::CompositeExplicitAutograd, TORCH_FN(::counter::weighted));
  m.def("window(Tensor x, int[] sizes=[2, 2], float? fill=None) -> Tensor");
  m.impl("window", c10::DispatchKey::CompositeExplicitAutograd, [](const at::Tensor& _0, c10::ArrayRef<int64_t> _1, std::optional<double> _2) {
    return ::counter::window(_0, As<std::vector<int>>::of(_1), As<std::optional<float>>::of(_2));
  });
  m.def("refund(Tensor x, int times=1) -> Tensor");
  m.impl("refund", c10::DispatchKey::CompositeExplicitAutograd, [](const at::Tensor& _0, int64_t _1) {
    return ::refund(_0, As<long>::of(_1));
  });
  m.def("gather(Tensor[] rows, Tensor(a!) out) -> ()");
  m.impl("gather", c10::DispatchKey::CompositeExplicitAutograd, TORCH_FN(::counter::gather));
  m.def("scaled(Tensor x, Tensor by, float rate=0.5) -> Tensor");
  m.impl("scaled", TORCH_FN(::counter::scaled));
  m.def("mixed(Tensor x, Tensor w) -> Tensor");
  m.impl("mixed", TORCH_FN(::counter::mixed));
  m.def("mixed_backward(Tensor grad, Tensor x, Tensor w) -> (Tensor, Tensor)");
  m.impl("mixed_backward", c10::DispatchKey::CompositeExplicitAutograd, TORCH_FN(::counter::mixed_backward));
  m.def("count(Tensor x, int above) -> int");
  m.impl("count", c10::DispatchKey::CompositeExplicitAutograd, [](const at::Tensor& _0, int64_t _1) {
    return As<int64_t>::of(::counter::count(_0, _1));
  });
#if defined(COUNTER_FAST)
  m.def("sell_fast(Tensor x, float price=2.0) -> Tensor");
  m.impl("sell_fast", c10::DispatchKey::CompositeExplicitAutograd, TORCH_FN(::counter::sell));
#endif
}
