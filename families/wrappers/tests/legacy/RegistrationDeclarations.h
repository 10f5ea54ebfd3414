void f(); // {"schema": "aten::unknown(Tensor self) -> Tensor", "dispatch": "True", "default": "False"}
void f(); // {"schema": "aten::by_hand(Tensor self) -> Tensor", "dispatch": "True", "default": "False"}
void f(); // {"schema": "aten::look(Tensor(a) self) -> Tensor(a)", "dispatch": "True", "default": "False"}
void f(); // {"schema": "aten::look.dtype(Tensor(a) self, ScalarType dtype) -> Tensor(a)", "dispatch": "True", "default": "False"}
void f(); // {"schema": "aten::join(Tensor[] tensors, int dim=0) -> Tensor", "dispatch": "True", "default": "True"}
void f(); // {"schema": "aten::blend.names(Tensor self, Dimname dim) -> Tensor", "dispatch": "True", "default": "False"}
void f(); // {"schema": "aten::blend(Tensor self, float weight=1) -> (Tensor, Tensor)", "dispatch": "True", "default": "False"}
void f(); // {"schema": "aten::add.out(Tensor self, Tensor other, *, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)", "dispatch": "True", "default": "False"}
void f(); // {"schema": "aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor", "dispatch": "True", "default": "False"}
void f(); // {"schema": "aten::count(int times, Tensor self) -> Tensor", "dispatch": "True", "default": "False"}
void f(); // {"schema": "aten::trace(Tensor self) -> Tensor", "dispatch": "True", "default": "False"}
void f(); // {"schema": "aten::twist(Tensor self, bool half) -> Tensor", "dispatch": "True", "default": "False"}
void f(); // {"schema": "aten::free(Tensor self) -> Tensor", "dispatch": "True", "default": "True"}
