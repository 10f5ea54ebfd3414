// Checks and samples of the self-test.
#pragma once

#include "IRSupport.h"

#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>

namespace torchgen_support::self_test {

int checks = 0;
int failures = 0;

void expect(bool holds, const char *what, const std::string &where) {
  ++checks;
  if (!holds) {
    ++failures;
    std::fprintf(stderr, "%s: %s\n", where.c_str(), what);
  }
}

/// Values of members: `variant` 0 and 1 differ.
template <typename T, typename = void> struct Sample {
  /// A type of the user's has one sample only.
  static T make(unsigned) { return T(); }
};
template <typename T> struct Sample<T, std::enable_if_t<std::is_floating_point_v<T>>> {
  static T make(unsigned variant) { return variant ? T(-0.0) : T(0.0); }
};
template <typename T> struct Sample<T, std::enable_if_t<std::is_integral_v<T> || std::is_enum_v<T>>> {
  static T make(unsigned variant) { return static_cast<T>(variant); }
};
template <> struct Sample<std::string> {
  static std::string make(unsigned variant) { return variant ? "a b%" : ""; }
};
template <typename T> struct Sample<std::vector<T>> {
  static std::vector<T> make(unsigned variant) { return std::vector<T>{Sample<T>::make(variant), Sample<T>::make(0)}; }
};
template <typename T> struct Sample<T *> {
  static T *make(unsigned) { return nullptr; }
};

/// The numbers of values that no sample has.
constexpr unsigned spare = 1u << 20, fresh = spare + 1;

struct World {
  Module module;
  Function *function = module.createFunction("main");
  TypeRef types[2] = {module.uniqueType(ElemKind::FloatTy, {2, 3, 4, 5}), module.uniqueType(ElemKind::FloatTy, {7})};
  std::map<unsigned, Placeholder *> places;

  NodeValue in(unsigned index) {
    Placeholder *&place = places[index];
    if (!place) {
      place = module.createPlaceholder(types[0], "in", false);
    }
    return place->getOutput();
  }
  std::vector<NodeValue> list(unsigned index) { return {in(index), in(index + 1)}; }
  TypeRef type(unsigned variant) { return types[variant]; }
} world;

template <> struct Sample<TypeRef> {
  static TypeRef make(unsigned variant) { return world.type(variant); }
};
template <> struct Sample<NodeValue> {
  static NodeValue make(unsigned variant) { return world.in(variant); }
};

using MakeNode = Node *(*)(unsigned changed);

/// One class of nodes: a function that makes it with member number `changed` (from 1 on) changed.
struct NodeCase {
  MakeNode make;
  const char *name;
  /// Members that the second sample changes.
  std::vector<unsigned> members;
  bool serialized;
};

} // namespace torchgen_support::self_test
