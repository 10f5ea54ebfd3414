// How long the check of a call takes that fits its line: bench/dims.py compiles and runs it.
#include <dims_ops/DimsOperators.h>

#include <ATen/ATen.h>

#include <cstdio>
#include <ctime>

using namespace dims_ops::autograd::support::dims;

namespace {

double seconds() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return time.tv_sec + time.tv_nsec * 1e-9;
}

// The fastest of some rounds: other programs only make it slower.
template <class F>
void timed(const char* what, const F& f) {
  constexpr int CALLS = 200000;
  double best = 1;
  for (int round = 0; round < 15; ++round) {
    const double start = seconds();
    for (int i = 0; i < CALLS; ++i) {
      f();
    }
    const double each = (seconds() - start) / CALLS;
    best = each < best ? each : best;
  }
  std::printf("%-48s %6.1f ns\n", what, best * 1e9);
}

} // namespace

int main() {
  const at::Tensor x = at::empty({2, 3, 6}), w = at::empty({4, 6}), y = at::empty({2, 3, 4, 5});
  const std::optional<at::Tensor> bias = at::empty({4});
  timed("linear: x[*b, k], w[n, k], bias[n]", [&] { check(op_linear, {x, w, bias}); });
  timed("add3: x[*b|1], y[*b|1], z[*b|1], four dimensions", [&] { check(op_add3, {y, y, y}); });
  timed("rope: two lines, the second fits", [&] { check(op_rope, {w, std::optional<at::Tensor>(), int64_t(2)}); });
}
