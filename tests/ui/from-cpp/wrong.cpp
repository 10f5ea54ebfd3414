TORCH_LIBRARY_EXPAND(EXTENSION, m) {
  m.def("unnamed(Tensor x) -> Tensor");
}

TORCH_LIBRARY(shop, m) {
  m.def("sell(Tenser self) -> Tensor");
  m.def("inferred", &inferred);
  m.def(SCHEMA);
  m.def("twice(Tensor self, "
        "int? count=x) -> Tensor");
  m.def("pay(Tensor self) -> Tensor");
  m.def("pay(Tensor self, int count) -> Tensor");
}

TORCH_LIBRARY_IMPL(shop, CPU, m) {
  m.impl("pya", &pay);
  m.impl(NAME, &pay);
}
