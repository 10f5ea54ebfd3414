// Compares <name>_shape.h with what libtorch computes for tensors without data: all small shapes,
// all dimensions from below the first to above the last, all types. Where libtorch raises an error,
// so must the function.
#include <cmath>
#include <cstdio>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <ATen/ATen.h>

#include "acme_shape.h"

namespace {

using acme::shape::Sizes;
namespace shape = acme::shape;

long compared = 0, refused = 0, failures = 0;

/// The value, or nothing after an error.
template <class F>
auto attempt(const F& function) -> std::optional<decltype(function())> {
  try {
    return function();
  } catch (const c10::Error&) {
    return std::nullopt;
  }
}

std::string text(const std::optional<Sizes>& sizes) {
  if (!sizes.has_value()) {
    return "an error";
  }
  std::string all = "[";
  for (const auto size : *sizes) {
    all += std::to_string(size) + " ";
  }
  return all + "]";
}
std::string text(const std::optional<at::ScalarType>& type) { return type.has_value() ? c10::toString(*type) : "an error"; }
std::string text(const std::optional<int64_t>& value) { return value.has_value() ? std::to_string(*value) : "an error"; }

template <class Ours, class Torch>
void same(const std::function<std::string()>& what, const Ours& ours, const Torch& torch) {
  const auto mine = attempt(ours);
  const decltype(mine) expected = attempt(torch);
  ++compared;
  refused += expected.has_value() ? 0 : 1;
  if (mine != expected && ++failures <= 20) {
    std::printf("%s: %s, but torch has %s\n", what().c_str(), text(mine).c_str(), text(expected).c_str());
  }
}

at::Tensor meta(const Sizes& sizes, at::ScalarType type = at::kFloat) {
  return at::empty(sizes, at::TensorOptions().dtype(type).device(at::kMeta));
}

/// All shapes of up to that many dimensions with these sizes.
std::vector<Sizes> shapes(std::size_t rank, const Sizes& of) {
  std::vector<Sizes> all{{}};
  for (std::size_t at = 0, end = 1; at < rank; ++at, end = all.size()) {
    for (std::size_t from = 0; from < end; ++from) {
      if (all[from].size() == at) {
        for (const auto size : of) {
          all.push_back(all[from]);
          all.back().push_back(size);
        }
      }
    }
  }
  return all;
}

void broadcasting(const std::vector<Sizes>& all) {
  for (const auto& a : all) {
    for (const auto& b : all) {
      const auto x = meta(a), y = meta(b);
      same(
          [&] { return "broadcast " + text(a) + text(b); }, [&] { return shape::broadcast_of(x, y); },
          [&] { return at::add(x, y).sizes().vec(); });
    }
  }
  const auto x = meta({2, 1, 3}), y = meta({4, 1}), z = meta({1, 1, 1, 1});
  same(
      [] { return std::string("broadcast of three"); }, [&] { return shape::broadcast_of(x, std::optional<at::Tensor>(y), z); },
      [&] { return at::add(at::add(x, y), z).sizes().vec(); });
}

void products(const std::vector<Sizes>& all) {
  for (const auto& a : all) {
    for (const auto& b : all) {
      // The product of two vectors has no kernel for tensors without data.
      const auto device = a.size() == 1 && b.size() == 1 ? at::kCPU : at::kMeta;
      same(
          [&] { return "matmul " + text(a) + text(b); }, [&] { return shape::matmul(a, b); },
          [&] { return at::matmul(at::zeros(a, device), at::zeros(b, device)).sizes().vec(); });
    }
  }
}

void lists(const std::vector<Sizes>& all) {
  std::vector<std::vector<at::Tensor>> several{{}};
  for (const auto& a : all) {
    several.push_back({meta(a)});
    for (const auto& b : all) {
      several.push_back({meta(a), meta(b)});
    }
  }
  several.push_back({meta({2, 0}), meta({0}), meta({2, 3})});
  several.push_back({meta({0}), meta({0}), meta({2, 3})});
  several.push_back({meta({2, 1}), meta({2, 2}), meta({2, 3})});
  for (const auto& tensors : several) {
    bool skipped = !tensors.empty();
    for (const auto& tensor : tensors) {
      skipped = skipped && tensor.sizes() == at::IntArrayRef{0};
    }
    for (int64_t dim = -4; dim <= 3; ++dim) {
      const auto what = [&](const char* mode) {
        std::string all = mode;
        for (const auto& tensor : tensors) {
          all += " " + text(tensor.sizes().vec());
        }
        return all + " along " + std::to_string(dim);
      };
      same(
          [&] { return what("stack"); },
          [&] { return shape::stack(shape::plain(at::TensorList(tensors)), shape::wrap(dim, shape::rank(at::TensorList(tensors)) + 1, "dim")); },
          [&] { return at::stack(tensors, dim).sizes().vec(); });
      // Where it skips all tensors, torch takes any dimension; the wrapper raises an error.
      if (skipped && (dim < -1 || dim > 0)) {
        continue;
      }
      same(
          [&] { return what("concat"); },
          [&] { return shape::concat(shape::plain(at::TensorList(tensors)), shape::wrap(dim, shape::rank(at::TensorList(tensors)), "dim")); },
          [&] { return at::cat(tensors, dim).sizes().vec(); });
    }
  }
}

void dimensions(const std::vector<Sizes>& all) {
  std::vector<Sizes> dims{{}};
  for (int64_t a = -4; a <= 3; ++a) {
    dims.push_back({a});
    for (int64_t b = -4; b <= 3; ++b) {
      dims.push_back({a, b});
    }
  }
  dims.push_back({0, 1, 2});
  dims.push_back({-1, 0, 1});
  dims.push_back({-1, 0, -1});
  for (const auto& sizes : all) {
    const auto x = meta(sizes);
    const auto rank = x.dim();
    for (int64_t a = -4; a <= 3; ++a) {
      same(
          [&] { return "dimension " + std::to_string(a) + " of " + text(sizes); }, [&] { return shape::wrap(a, rank, "dim"); },
          [&] { return at::maybe_wrap_dim(a, rank); });
      for (int64_t b = -4; b <= 3; ++b) {
        same(
            [&] { return "transpose " + text(sizes); },
            [&] { return shape::transpose(sizes, shape::wrap(a, rank, "dim0"), shape::wrap(b, rank, "dim1")); },
            [&] { return at::transpose(x, a, b).sizes().vec(); });
      }
    }
    for (const bool keepdim : {false, true}) {
      for (const auto& some : dims) {
        const auto what = [&] { return "reduce " + text(sizes) + " over " + text(some); };
        const auto torch = [&] { return at::sum(x, some, keepdim).sizes().vec(); };
        same(what, [&] { return shape::reduced(sizes, shape::wrap(at::IntArrayRef(some), rank, "dim"), keepdim); }, torch);
        same(
            what, [&] { return shape::reduced(sizes, shape::wrap(at::OptionalIntArrayRef(some), rank, "dim"), keepdim); }, torch);
      }
      same(
          [&] { return "reduce " + text(sizes) + " over none"; },
          [&] { return shape::reduced(sizes, shape::wrap(at::OptionalIntArrayRef(), rank, "dim"), keepdim); },
          [&] { return at::sum(x, at::OptionalIntArrayRef(), keepdim).sizes().vec(); });
      // Without elements, argmax has no value.
      for (int64_t dim = -4; dim <= 3 && x.numel() != 0; ++dim) {
        same(
            [&] { return "argmax " + text(sizes) + " over " + std::to_string(dim); },
            [&] { return shape::reduced(sizes, shape::wrap(std::optional<int64_t>(dim), rank, "dim"), keepdim); },
            [&] { return at::argmax(x, dim, keepdim).sizes().vec(); });
      }
    }
    same(
        [&] { return "reduce " + text(sizes) + " over all"; }, [&] { return shape::reduced(sizes, shape::all_dims(rank), false); },
        [&] { return at::sum(x).sizes().vec(); });
  }
}

void types() {
  const std::vector<at::ScalarType> all{at::kByte, at::kChar, at::kShort, at::kInt, at::kLong, at::kHalf, at::kBFloat16,
                                        at::kFloat, at::kDouble, at::kBool, at::kComplexFloat, at::kComplexDouble};
  const std::vector<at::Scalar> scalars{true, 2, 2.5, c10::complex<double>(1, 2)};
  for (const auto a : all) {
    const auto name = [&] { return std::string(c10::toString(a)); };
    for (const auto b : all) {
      for (const Sizes& sizes : {Sizes{}, Sizes{2}}) {
        const auto x = meta({2}, a), y = meta(sizes, b);
        same(
            [&] { return "the common type of " + name() + " and " + c10::toString(b); }, [&] { return shape::promoted(x, y); },
            [&] { return at::add(x, y).scalar_type(); });
        const std::vector<at::Tensor> list{x, y};
        same(
            [&] { return "the common type of a list of " + name() + " and " + c10::toString(b); },
            [&] { return shape::promoted(at::TensorList(list)); }, [&] { return at::result_type(x, y); });
      }
    }
    for (const auto& scalar : scalars) {
      const auto x = meta({2}, a);
      same(
          [&] { return "the common type of " + name() + " and a number"; }, [&] { return shape::promoted(x, scalar); },
          [&] { return at::result_type(x, scalar); });
    }
    const auto x = meta({2}, a);
    same([&] { return "floating " + name(); }, [&] { return shape::floating(a); }, [&] { return at::exp(x).scalar_type(); });
    same([&] { return "summed " + name(); }, [&] { return shape::summed(a); }, [&] { return at::sum(x).scalar_type(); });
    if (!c10::isComplexType(a) && a != at::kBool) {
      // Every number of the type lies between the bounds.
      const auto values = at::isFloatingType(a) ? at::tensor({-INFINITY, -1.0f, 0.0f, 2.0f, INFINITY}).to(a)
                                                : at::tensor({0, 1, 100}).to(a);
      const auto clamped = at::clamp(values.to(at::kDouble), shape::lowest(a), shape::highest(a)).to(a);
      same([&] { return "bounds of " + name(); }, [&] { return int64_t(at::equal(values, clamped)); }, [] { return int64_t(1); });
    }
    same([&] { return "a type that is asked for"; }, [&] { return shape::option(a, at::Scalar(1)); }, [&] { return a; });
  }
  for (const auto& scalar : scalars) {
    if (!scalar.isComplex()) {
      same(
          [] { return std::string("the type of full"); }, [&] { return shape::option(std::nullopt, scalar); },
          [&] { return at::full({2}, scalar, at::TensorOptions().device(at::kMeta)).scalar_type(); });
    }
  }
  same(
      [] { return std::string("the type of zeros"); }, [] { return shape::option(std::nullopt); },
      [] { return at::zeros({2}).scalar_type(); });
}

} // namespace

int main() {
  const auto small = shapes(3, {0, 1, 2, 3});
  broadcasting(small);
  products(small);
  products({{2, 1, 3, 2}, {1, 4, 2, 3}, {2, 3}, {3}, {2, 2, 3}, {3, 1, 2, 2}, {2}});
  lists(shapes(3, {0, 1, 2}));
  dimensions(small);
  types();
  std::printf("%ld comparisons, %ld errors, %ld failures\n", compared, refused, failures);
  return failures == 0 ? 0 : 1;
}
