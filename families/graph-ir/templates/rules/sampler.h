// Random graphs that a pattern may match.
#pragma once

#include "evaluate.h"

#include <numeric>
#include <random>
#include <type_traits>

namespace torchgen_support::rules_test {

/// Makes one graph.
class Sampler {
  std::mt19937_64 &random_;
  Module module_;
  Function *function_;
  std::vector<NodeValue> leaves_;

public:
  explicit Sampler(std::mt19937_64 &random) : random_(random), function_(module_.createFunction("sample")) {}
  Module &module() { return module_; }
  Function &function() { return *function_; }
  std::string name() const { return "sample"; }
  const std::vector<NodeValue> &all() const { return leaves_; }

  unsigned below(unsigned end) { return static_cast<unsigned>(random_() % end); }

  /// A type: often that of a value of the graph, or nearly.
  TypeRef type() {
    if (!leaves_.empty() && below(8) != 0) {
      TypeRef other = leaves_[below(static_cast<unsigned>(leaves_.size()))].getType();
      std::vector<dim_t> dims(other->dims().begin(), other->dims().end());
      if (!dims.empty()) {
        switch (below(6)) {
        case 0:
          dims[below(static_cast<unsigned>(dims.size()))] = 1 + below(3);
          break;
        case 1:
          std::shuffle(dims.begin(), dims.end(), random_);
          break;
        default:
          break;
        }
      }
      return module_.uniqueTypeWithNewShape(other, dims);
    }
    std::vector<dim_t> dims(below(5));
    // What moves dimensions often needs equal ones, so that types stay the same.
    const bool isCube = below(3) == 0;
    for (dim_t &dim : dims) {
      dim = isCube ? 2 : 1 + below(3);
    }
    switch (below(12)) {
    case 0:
      return module_.uniqueType(ElemKind::Int64ITy, dims);
    case 1:
      return module_.uniqueType(ElemKind::BoolTy, dims);
    case 2:
      return module_.uniqueType(ElemKind::Int8QTy, dims, 0.5F, 1);
    default:
      return module_.uniqueType(ElemKind::FloatTy, dims);
    }
  }

  NodeValue leaf() {
    leaves_.push_back(NodeValue(module_.createPlaceholder(type(), "x", false), 0));
    return leaves_.back();
  }
  /// A value of an example.
  NodeValue given(const char *name, bool isConstant, const Type &type) {
    TypeRef unique = module_.uniqueType(type);
    leaves_.push_back(isConstant ? NodeValue(module_.createConstant(unique, name), 0)
                                 : NodeValue(module_.createPlaceholder(unique, name, false), 0));
    return leaves_.back();
  }
  NodeValue constant() {
    Constant *constant = module_.createConstant(type(), "c");
    leaves_.push_back(NodeValue(constant, 0));
    const std::size_t size = constant->getType()->size();
    const bool isUniform = below(2) == 0;
    const float some[] = {0, 1, -1, 2, 0.5F};
    std::vector<float> elements(size, some[below(5)]);
    for (float &element : elements) {
      element = isUniform ? element : some[below(5)];
    }
    if (constant->getElementType() == ElemKind::FloatTy) {
      constant->getPayloadMutable().assign<float>(elements);
    } else if (constant->getElementType() == ElemKind::BoolTy) {
      for (std::size_t i = 0; i < size; ++i) {
        constant->getPayloadMutable().bytes()[i] = elements[i] > 0;
      }
    } else if (constant->getElementType() == ElemKind::Int64ITy) {
      std::vector<std::int64_t> whole(size);
      std::transform(elements.begin(), elements.end(), whole.begin(), [](float x) { return x > 0 ? int64_t(x) : 0; });
      constant->getPayloadMutable().assign<std::int64_t>(whole);
    }
    return leaves_.back();
  }
  std::vector<NodeValue> leaves(unsigned atLeast) {
    std::vector<NodeValue> values(atLeast + below(3));
    for (NodeValue &value : values) {
      value = leaf();
    }
    return values;
  }

  template <typename Enum> Enum enumerator(unsigned count) { return static_cast<Enum>(below(count)); }

  /// A member. Lists of numbers are often permutations, or as long as some value has dimensions.
  template <typename T> T member() {
    if constexpr (std::is_same_v<T, bool>) {
      return below(2) != 0;
    } else if constexpr (std::is_integral_v<T>) {
      return static_cast<T>(std::is_signed_v<T> && below(4) == 0 ? -1 - static_cast<int>(below(2)) : static_cast<int>(below(4)));
    } else if constexpr (std::is_floating_point_v<T>) {
      const T some[] = {T(0), T(1), T(-1), T(2), T(0.5), T(-3)};
      return some[below(6)];
    } else if constexpr (std::is_same_v<T, std::string>) {
      return below(2) == 0 ? "" : "text";
    } else if constexpr (std::is_same_v<T, TypeRef>) {
      return type();
    } else {
      return list<T>();
    }
  }

private:
  template <typename T> T list() {
    T items;
    if constexpr (std::is_constructible_v<T, std::size_t, typename Item<T>::type>) {
      const std::size_t rank = leaves_.empty() ? below(5) : leaves_[below(static_cast<unsigned>(leaves_.size()))].dims().size();
      const std::size_t size = below(6) == 0 ? below(5) : below(6) == 0 ? 2 * rank : rank;
      items = T(size, typename Item<T>::type());
      if constexpr (std::is_integral_v<typename Item<T>::type> && !std::is_same_v<typename Item<T>::type, bool>) {
        if (below(2) == 0) {
          std::iota(items.begin(), items.end(), typename Item<T>::type(0));
          if (below(2) == 0) {
            std::shuffle(items.begin(), items.end(), random_);
          }
          return items;
        }
      }
      for (std::size_t i = 0; i < size; ++i) {
        items[i] = member<typename Item<T>::type>();
      }
    }
    return items;
  }
  /// What a list has.
  template <typename T, typename = void> struct Item { using type = void *; };
  template <typename T> struct Item<T, std::void_t<typename T::value_type>> { using type = typename T::value_type; };
};

} // namespace torchgen_support::rules_test
