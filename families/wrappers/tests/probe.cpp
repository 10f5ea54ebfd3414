// Shows the cache of compiled graphs to Python.
#include <torch/library.h>

#include "acme_runtime.h"

TORCH_LIBRARY(acme_test, m) {
  m.def("cache_size() -> int", []() { return static_cast<int64_t>(acme::runtime::cache().size()); });
  m.def("cache_hits() -> int", []() { return static_cast<int64_t>(acme::runtime::cache().hits()); });
  m.def("cache_clear() -> ()", []() { acme::runtime::cache().clear(); });
}
