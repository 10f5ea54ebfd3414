// How the results of wrappers are compared.
#pragma once

#include <cstdio>
#include <exception>
#include <string>
#include <tuple>
#include <utility>

#include <ATen/ATen.h>

namespace torchgen_test {
namespace {

int failures = 0;

bool same(const at::Tensor& a, const at::Tensor& b) {
  return a.sizes() == b.sizes() && a.scalar_type() == b.scalar_type() && at::allclose(a, b, 1e-5, 1e-6, /*equal_nan=*/true);
}
template <class A, class B, std::size_t... Each>
bool same_each(const A& a, const B& b, std::index_sequence<Each...>) {
  return (same(std::get<Each>(a), std::get<Each>(b)) && ...);
}
template <class... A, class... B>
bool same(const std::tuple<A...>& a, const std::tuple<B...>& b) {
  return same_each(a, b, std::index_sequence_for<A...>());
}

template <class Wrapper, class Expected>
void compare(const char* what, const Wrapper& wrapper, const Expected& expected) {
  const char* who = "PyTorch";
  try {
    const auto wanted = expected();
    who = "the wrapper";
    if (same(wrapper(), wanted)) {
      return;
    }
    std::printf("FAILED %s: the results differ\n", what);
  } catch (const std::exception& error) {
    std::printf("FAILED %s: %s raises: %s\n", what, who, error.what());
  } catch (...) {
    std::printf("FAILED %s: %s throws something that is not an exception\n", what, who);
  }
  ++failures;
}

template <class Wrapper>
void refuse(const char* what, const char* part, const Wrapper& wrapper) {
  try {
    wrapper();
    std::printf("FAILED %s: it succeeds, but should raise an error about %s\n", what, part);
  } catch (const std::exception& error) {
    if (std::string(error.what()).find(part) != std::string::npos) {
      return;
    }
    std::printf("FAILED %s: the error does not name %s: %s\n", what, part, error.what());
  } catch (...) {
    std::printf("FAILED %s: the wrapper throws something that is not an exception\n", what);
  }
  ++failures;
}

} // namespace
} // namespace torchgen_test
