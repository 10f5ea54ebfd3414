// A Python module as authors write them. Its operators are in ops/registrations.cpp, which `adopt` writes.

#include <torch/csrc/utils/pybind.h>

#include "kernels.h"

namespace py = pybind11;

// Overloads, one of which is bound.
at::Tensor refund(const at::Tensor& x) {
  return -x;
}

at::Tensor refund(const at::Tensor& x, long times) {
  return -x * times;
}

static at::Tensor hidden(const at::Tensor& x) {
  return x + 1;
}

struct Till {
  int amount = 0;
};

void bind_rest(py::module_& m) {
  m.def("count", &counter::count, py::arg("x"), py::arg("above"), "How many are larger");
#ifdef COUNTER_FAST
  m.def("sell_fast", &counter::sell, py::arg("x"), py::arg("price") = 2.0);
#endif
  m.def("doubled", [](const at::Tensor& x) { return x * 2; });
  m.def("hidden", &hidden);
  m.def("named", [](py::object name) { return name; });
}

PYBIND11_MODULE(counterlib, m) {
  m.doc() = "Sells tensors";
  m.def("sell", &counter::sell, py::arg("x"), py::arg("price") = 2.0, "The price of each");
  m.def("ramp", &counter::ramp, py::arg("out"), py::arg("start") = 0);
  m.def("scale_into", &counter::scale_into);
  m.def("clip_", &counter::clip_, py::arg("x"), py::arg("low"), py::arg("high"));
  m.def("rounded", &counter::rounded, py::arg("x"), py::arg("step") = 1.0);
  m.def("thirds", &counter::thirds).def("pieces", &counter::pieces);
  m.def("extremes", &counter::extremes, "The smallest and the largest, and how many there are");
  m.def(
      "weighted",
      &counter::weighted,
      py::arg("x"),
      py::arg("weight") = py::none(),
      py::kw_only(),
      py::arg("mode") = "mean",
      py::arg("twice") = false);
  m.def("window", &counter::window, py::arg("x"), py::arg("sizes") = std::vector<int>{2, 2}, py::arg("fill") = py::none());
  m.def("refund", static_cast<at::Tensor (*)(const at::Tensor&, long)>(&refund), py::arg("x"), py::arg("times") = 1);
  m.def("gather", &counter::gather, py::call_guard<py::gil_scoped_release>());
  m.def("scaled", &counter::scaled, py::arg("x"), py::arg("by"), py::arg("rate") = 0.5);
  m.def("mixed", &counter::mixed).def("mixed_backward", &counter::mixed_backward);
  bind_rest(m);
  py::class_<Till>(m, "Till").def(py::init<>()).def_readwrite("amount", &Till::amount);
}
