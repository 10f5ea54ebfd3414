// by hand
#include <vector>
// INSERT_CODEGEN_HERE
TORCH_LIBRARY_IMPL(aten, PrivateUse1, m) {
  m.impl("look", TORCH_FN(look));
}
