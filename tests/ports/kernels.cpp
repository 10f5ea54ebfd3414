// Kernels of tests/ports, which compile for both ABIs.
#include <ports/Functions.h>
#include <ports/NativeFunctions.h>
#include <ports/Portable.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace ports {
namespace {

using Maybe = std::optional<Tensor>;

// The value of an integer in a tensor of either type.
int64_t at(const Tensor& t, int64_t i) {
  return t.scalar_type() == ScalarType::Long ? t.const_data_ptr<int64_t>()[i] : t.const_data_ptr<int32_t>()[i];
}

// Rows of a tensor, in memory order.
int64_t width(const Tensor& t) {
  return t.size(0) == 0 ? 0 : t.numel() / t.size(0);
}

Tensor nothing(const Tensor& like) {
  return portable::empty({0}, like);
}

// The scale of scores.
double scale_of(std::optional<double> given, const Tensor& q) {
  return given.value_or(1 / std::sqrt(static_cast<double>(portable::size(q, -1))));
}

} // namespace

// The best path through frames and blanks: each frame stays, goes on, or skips a blank.
std::tuple<Tensor, Tensor> native::forced_align(
    const Tensor& log_probs, const Tensor& targets, const Tensor& input_lengths, const Tensor& target_lengths, int64_t blank) {
  PORTS_CHECK(log_probs.dim() == 3 && targets.dim() == 2, "log_probs has 3 dimensions, targets 2");
  PORTS_CHECK(log_probs.size(0) == 1, "one sequence at a time");
  const Tensor probs = portable::contiguous(log_probs), labels = portable::contiguous(targets);
  const int64_t frames = at(input_lengths, 0), length = at(target_lengths, 0), states = 2 * length + 1;
  const Tensor paths = portable::full({1, log_probs.size(1)}, static_cast<double>(blank), labels);
  const Tensor scores = portable::zeros({1, log_probs.size(1)}, probs);
  const auto label = [&](int64_t state) { return state % 2 == 0 ? blank : at(labels, state / 2); };
  PORTS_DISPATCH_FLOATING(probs.scalar_type(), "forced_align", [&] {
    const auto prob = portable::accessor<const scalar_t, 3>(probs)[0];
    constexpr scalar_t never = -std::numeric_limits<scalar_t>::infinity();
    std::vector<scalar_t> best(states, never);
    std::vector<std::vector<int8_t>> steps(frames, std::vector<int8_t>(states, 0));
    for (int64_t t = 0; t < frames; ++t) {
      std::vector<scalar_t> next(states, never);
      for (int64_t s = 0; s < states; ++s) {
        for (int8_t step = 0; step <= 2 && step <= s; ++step) {
          const bool skips = step == 2 && (s % 2 == 0 || label(s) == label(s - 2));
          if (t > 0 && !skips && best[s - step] > next[s]) {
            next[s] = best[s - step];
            steps[t][s] = step;
          }
        }
        next[s] = (t == 0 ? (s < 2 ? scalar_t(0) : never) : next[s]) + prob[t][label(s)];
      }
      best = next;
    }
    int64_t state = states > 1 && best[states - 2] > best[states - 1] ? states - 2 : states - 1;
    scalar_t* score = scores.mutable_data_ptr<scalar_t>();
    for (int64_t t = frames - 1; t >= 0; --t) {
      score[t] = prob[t][label(state)];
      if (paths.scalar_type() == ScalarType::Long) {
        paths.mutable_data_ptr<int64_t>()[t] = label(state);
      } else {
        paths.mutable_data_ptr<int32_t>()[t] = static_cast<int32_t>(label(state));
      }
      state -= steps[t][state];
    }
  });
  return {paths, scores};
}

void native::lfilter_core_loop(const Tensor& input_signal_windows, const Tensor& a_coeff_flipped, Tensor& padded_output_waveform) {
  PORTS_CHECK(padded_output_waveform.is_contiguous(), "the output is contiguous");
  const Tensor windows = portable::contiguous(input_signal_windows), coefficients = portable::contiguous(a_coeff_flipped);
  PORTS_DISPATCH_FLOATING(windows.scalar_type(), "_lfilter_core_loop", [&] {
    const auto in = portable::accessor<const scalar_t, 3>(windows);
    const auto a = portable::accessor<const scalar_t, 2>(coefficients);
    auto out = portable::accessor<scalar_t, 3>(padded_output_waveform);
    const int64_t order = coefficients.size(1);
    for (int64_t b = 0; b < windows.size(0); ++b) {
      for (int64_t c = 0; c < windows.size(1); ++c) {
        for (int64_t t = 0; t < windows.size(2); ++t) {
          scalar_t value = in[b][c][t];
          for (int64_t i = 0; i < order - 1; ++i) {
            value -= out[b][c][t + i] * a[c][i];
          }
          out[b][c][t + order - 1] = value;
        }
      }
    }
  });
}

// A filter without direct current, per channel.
std::tuple<Tensor, Tensor, Tensor> native::overdrive_core_loop(
    const Tensor& waveform, const Tensor& temp, Tensor& last_in, Tensor& last_out, Tensor& output_waveform) {
  PORTS_DISPATCH_FLOATING(waveform.scalar_type(), "_overdrive_core_loop", [&] {
    const auto in = portable::accessor<const scalar_t, 2>(waveform), driven = portable::accessor<const scalar_t, 2>(temp);
    auto before = portable::accessor<scalar_t, 1>(last_in), state = portable::accessor<scalar_t, 1>(last_out);
    auto out = portable::accessor<scalar_t, 2>(output_waveform);
    for (int64_t c = 0; c < waveform.size(0); ++c) {
      for (int64_t t = 0; t < waveform.size(1); ++t) {
        state[c] = driven[c][t] - before[c] + static_cast<scalar_t>(0.995) * state[c];
        before[c] = driven[c][t];
        out[c][t] = in[c][t] / 2 + state[c] * static_cast<scalar_t>(0.75);
      }
    }
  });
  return {last_in, last_out, output_waveform};
}

// The first coefficient is 1.
Tensor native::iir_apply(const Tensor& waveform, const Tensor& a_coeffs_normalized) {
  const Tensor in = portable::contiguous(waveform), coefficients = portable::contiguous(a_coeffs_normalized);
  const Tensor result = portable::empty_like(in);
  PORTS_DISPATCH_FLOATING(in.scalar_type(), "_differentiable_iir_apply", [&] {
    const auto x = portable::accessor<const scalar_t, 3>(in);
    const auto a = portable::accessor<const scalar_t, 2>(coefficients);
    auto y = portable::accessor<scalar_t, 3>(result);
    for (int64_t b = 0; b < in.size(0); ++b) {
      for (int64_t c = 0; c < in.size(1); ++c) {
        for (int64_t t = 0; t < in.size(2); ++t) {
          scalar_t value = x[b][c][t];
          for (int64_t i = 1; i < coefficients.size(1) && i <= t; ++i) {
            value -= a[c][i] * y[b][c][t - i];
          }
          y[b][c][t] = value;
        }
      }
    }
  });
  return result;
}

Tensor native::lfilter(const Tensor& waveform, const Tensor& a_coeffs, const Tensor& b_coeffs) {
  const Tensor first = portable::narrow(a_coeffs, 1, 0, 1);
  return _differentiable_iir_apply(_differentiable_fir_apply(waveform, aten::div(b_coeffs, first)), aten::div(a_coeffs, first));
}

// All alignments of frames and labels: at each node of a grid, a blank goes to the next frame, and
// a label to the next label.
std::tuple<Tensor, Maybe> native::rnnt_loss(
    const Tensor& logits, const Tensor& targets, const Tensor& logit_lengths, const Tensor& target_lengths, int64_t blank,
    double clamp, bool fused_log_softmax) {
  PORTS_CHECK(logits.dim() == 4, "logits are (batch, frames, labels + 1, classes)");
  const Tensor in = portable::contiguous(logits), labels = portable::contiguous(targets);
  const int64_t most = labels.size(1), classes = in.size(3);
  const Tensor costs = portable::zeros({in.size(0)}, in), grads = portable::zeros(portable::sizes(in), in);
  PORTS_DISPATCH_FLOATING(in.scalar_type(), "rnnt_loss", [&] {
    const auto x = portable::accessor<const scalar_t, 4>(in);
    auto cost = portable::accessor<scalar_t, 1>(costs);
    auto grad = portable::accessor<scalar_t, 4>(grads);
    constexpr double never = -std::numeric_limits<double>::infinity();
    const auto either = [](double a, double b) {
      const double high = std::max(a, b);
      return high == never ? never : high + std::log(std::exp(a - high) + std::exp(b - high));
    };
    for (int64_t n = 0; n < in.size(0); ++n) {
      const int64_t frames = at(logit_lengths, n), length = at(target_lengths, n), columns = length + 1;
      const auto label = [&](int64_t u) { return at(labels, n * most + u); };
      std::vector<double> norm(frames * columns, 0), before(frames * columns, never), after(frames * columns, never);
      const auto cell = [&](int64_t t, int64_t u) { return t * columns + u; };
      const auto score = [&](int64_t t, int64_t u, int64_t v) { return x[n][t][u][v] - norm[cell(t, u)]; };
      for (int64_t t = 0; t < frames; ++t) {
        for (int64_t u = 0; u < columns; ++u) {
          double& here = before[cell(t, u)];
          double total = never;
          for (int64_t v = 0; fused_log_softmax && v < classes; ++v) {
            total = either(total, x[n][t][u][v]);
          }
          norm[cell(t, u)] = fused_log_softmax ? total : 0;
          here = t == 0 && u == 0 ? 0 : never;
          here = t > 0 ? either(here, before[cell(t - 1, u)] + score(t - 1, u, blank)) : here;
          here = u > 0 ? either(here, before[cell(t, u - 1)] + score(t, u - 1, label(u - 1))) : here;
        }
      }
      for (int64_t t = frames - 1; t >= 0; --t) {
        for (int64_t u = columns - 1; u >= 0; --u) {
          double& here = after[cell(t, u)];
          here = t == frames - 1 && u == length ? score(t, u, blank) : never;
          here = t + 1 < frames ? either(here, after[cell(t + 1, u)] + score(t, u, blank)) : here;
          here = u < length ? either(here, after[cell(t, u + 1)] + score(t, u, label(u))) : here;
        }
      }
      const double all = after[0];
      cost[n] = static_cast<scalar_t>(-all);
      for (int64_t t = 0; t < frames; ++t) {
        for (int64_t u = 0; u < columns; ++u) {
          const double through = before[cell(t, u)] - all;
          for (int64_t v = 0; v < classes; ++v) {
            double value = fused_log_softmax ? std::exp(score(t, u, v) + through + after[cell(t, u)]) : 0;
            if (v == blank) {
              const double rest = t + 1 < frames ? after[cell(t + 1, u)] : u == length ? 0 : never;
              value -= std::exp(through + score(t, u, v) + rest);
            } else if (u < length && v == label(u)) {
              value -= std::exp(through + score(t, u, v) + after[cell(t, u + 1)]);
            }
            value = clamp > 0 ? std::clamp(value, -clamp, clamp) : value;
            grad[n][t][u][v] = static_cast<scalar_t>(value);
          }
        }
      }
    }
  });
  return {costs, grads};
}

std::tuple<Tensor, Tensor> native::scatter_max(
    const Tensor& src, const Tensor& index, int64_t dim, const Maybe& optional_out, std::optional<int64_t> dim_size) {
  PORTS_CHECK(portable::have_same_sizes(src, index), "src and index have the same sizes");
  const Tensor values = portable::contiguous(src), places = portable::contiguous(index);
  const int64_t at = dim < 0 ? dim + src.dim() : dim, count = portable::size(src, at);
  int64_t rows = dim_size.value_or(0), inner = 1;
  const int64_t* to = places.const_data_ptr<int64_t>();
  if (!dim_size.has_value() && src.numel() > 0) {
    rows = *std::max_element(to, to + places.numel()) + 1;
  }
  for (int64_t i = at + 1; i < src.dim(); ++i) {
    inner *= src.sizes()[i];
  }
  std::vector<int64_t> sizes = portable::sizes(src);
  sizes[at] = optional_out.has_value() ? portable::size(*optional_out, at) : rows;
  rows = sizes[at];
  const Tensor out = optional_out.has_value() ? portable::clone(portable::contiguous(*optional_out)) : portable::zeros(sizes, values);
  const Tensor arg = portable::full(sizes, static_cast<double>(count), places);
  int64_t* args = arg.mutable_data_ptr<int64_t>();
  PORTS_DISPATCH_ALL_AND_HALF(values.scalar_type(), "scatter_max", [&] {
    const scalar_t* from = values.const_data_ptr<scalar_t>();
    scalar_t* best = out.mutable_data_ptr<scalar_t>();
    for (int64_t i = 0; i < values.numel(); ++i) {
      const int64_t outer = i / (count * inner), row = i / inner % count;
      PORTS_CHECK(to[i] >= 0 && to[i] < rows, "index ", to[i], " is not below ", rows);
      const int64_t cell = (outer * rows + to[i]) * inner + i % inner;
      const bool first = args[cell] == count && !optional_out.has_value();
      if (first || best[cell] < from[i]) {
        best[cell] = from[i];
        args[cell] = row;
      }
    }
  });
  return {out, arg};
}

Tensor native::segment_sum_csr(const Tensor& src, const Tensor& indptr, const Maybe& optional_out) {
  PORTS_CHECK(!optional_out.has_value(), "optional_out is not supported");
  const Tensor rows = portable::contiguous(src), ends = portable::contiguous(indptr);
  std::vector<int64_t> sizes = portable::sizes(rows);
  sizes[0] = ends.numel() - 1;
  const Tensor out = portable::zeros(sizes, rows);
  const int64_t each = width(rows);
  const int64_t* bounds = ends.const_data_ptr<int64_t>();
  PORTS_DISPATCH_ALL_AND_HALF(rows.scalar_type(), "segment_sum_csr", [&] {
    const scalar_t* from = rows.const_data_ptr<scalar_t>();
    scalar_t* to = out.mutable_data_ptr<scalar_t>();
    portable::parallel_for(0, sizes[0], 64, [&](int64_t begin, int64_t end) {
      for (int64_t segment = begin; segment < end; ++segment) {
        for (int64_t i = bounds[segment] * each; i < bounds[segment + 1] * each; ++i) {
          to[segment * each + i % each] += from[i];
        }
      }
    });
  });
  return out;
}

Tensor native::gather_csr(const Tensor& src, const Tensor& indptr, const Maybe& optional_out) {
  PORTS_CHECK(!optional_out.has_value(), "optional_out is not supported");
  const Tensor rows = portable::contiguous(src), ends = portable::contiguous(indptr);
  const int64_t* bounds = ends.const_data_ptr<int64_t>();
  std::vector<int64_t> sizes = portable::sizes(rows);
  sizes[0] = bounds[ends.numel() - 1];
  const Tensor out = portable::zeros(sizes, rows);
  const int64_t each = width(rows);
  PORTS_DISPATCH_ALL_AND_HALF(rows.scalar_type(), "gather_csr", [&] {
    const scalar_t* from = rows.const_data_ptr<scalar_t>();
    scalar_t* to = out.mutable_data_ptr<scalar_t>();
    for (int64_t segment = 0; segment < rows.size(0); ++segment) {
      for (int64_t row = bounds[segment]; row < bounds[segment + 1]; ++row) {
        std::copy_n(from + segment * each, each, to + row * each);
      }
    }
  });
  return out;
}

// u and delta are (batch, dim, length), A is (dim, state), B and C are (batch, state, length).
std::tuple<Tensor, Maybe> native::selective_scan(
    const Tensor& u, const Tensor& delta, const Tensor& A, const Tensor& B, const Tensor& C, const Maybe& D, const Maybe& z,
    const Maybe& delta_bias, bool delta_softplus, bool return_last_state) {
  PORTS_CHECK(u.dim() == 3 && A.dim() == 2 && B.dim() == 3 && C.dim() == 3, "selective_scan: wrong dimensions");
  const Tensor us = portable::contiguous(u), deltas = portable::contiguous(delta), as = portable::contiguous(A);
  const Tensor bs = portable::contiguous(B), cs = portable::contiguous(C), out = portable::empty_like(us);
  const int64_t batch = u.size(0), dim = u.size(1), length = u.size(2), states = A.size(1);
  const Tensor last = portable::zeros({batch, dim, states}, us);
  PORTS_DISPATCH_FLOATING(us.scalar_type(), "selective_scan", [&] {
    const auto x = portable::accessor<const scalar_t, 3>(us), dt = portable::accessor<const scalar_t, 3>(deltas);
    const auto b = portable::accessor<const scalar_t, 3>(bs), c = portable::accessor<const scalar_t, 3>(cs);
    const auto a = portable::accessor<const scalar_t, 2>(as);
    auto y = portable::accessor<scalar_t, 3>(out), state = portable::accessor<scalar_t, 3>(last);
    for (int64_t n = 0; n < batch; ++n) {
      for (int64_t d = 0; d < dim; ++d) {
        for (int64_t t = 0; t < length; ++t) {
          scalar_t step = dt[n][d][t];
          if (delta_bias.has_value()) {
            step += portable::accessor<const scalar_t, 1>(*delta_bias)[d];
          }
          step = delta_softplus ? std::log1p(std::exp(step)) : step;
          scalar_t sum = 0;
          for (int64_t s = 0; s < states; ++s) {
            state[n][d][s] = std::exp(step * a[d][s]) * state[n][d][s] + step * b[n][s][t] * x[n][d][t];
            sum += state[n][d][s] * c[n][s][t];
          }
          if (D.has_value()) {
            sum += portable::accessor<const scalar_t, 1>(*D)[d] * x[n][d][t];
          }
          if (z.has_value()) {
            const scalar_t gate = portable::accessor<const scalar_t, 3>(*z)[n][d][t];
            sum *= gate / (1 + std::exp(-gate));
          }
          y[n][d][t] = sum;
        }
      }
    }
  });
  return {out, return_last_state ? Maybe(last) : std::nullopt};
}

// q is (batch, length, heads, size); k and v may have fewer heads.
std::tuple<Tensor, Tensor, Tensor, Tensor> native::attention_fwd(
    const Tensor& q, const Tensor& k, const Tensor& v, const Maybe&, const Maybe&, const Maybe&, const Maybe& out, const Maybe&,
    const Maybe&, const Maybe&, const Maybe&, const Maybe&, std::optional<int64_t>, std::optional<int64_t>, const Maybe&,
    const Maybe&, const Maybe&, const Maybe&, const Maybe&, const Maybe&, const Maybe&, const Maybe&, const Maybe&,
    std::optional<double> softmax_scale, bool is_causal, int64_t, int64_t, int64_t, double, bool, const Maybe&, int64_t,
    std::optional<bool>, int64_t) {
  std::vector<int64_t> sizes = portable::sizes(q);
  const int64_t batch = sizes[0], rows = sizes[1], heads = sizes[2], size = sizes[3], columns = k.size(1), group = heads / k.size(2);
  sizes[3] = v.size(3);
  const Tensor result = out.has_value() ? *out : portable::empty(sizes, q);
  const Tensor lse = portable::zeros({batch, heads, rows}, q);
  const double scale = scale_of(softmax_scale, q);
  const auto Q = portable::accessor<const float, 4>(q), K = portable::accessor<const float, 4>(k), V = portable::accessor<const float, 4>(v);
  auto O = portable::accessor<float, 4>(result);
  auto L = portable::accessor<float, 3>(lse);
  std::vector<double> weights(columns);
  for (int64_t b = 0; b < batch; ++b) {
    for (int64_t h = 0; h < heads; ++h) {
      for (int64_t i = 0; i < rows; ++i) {
        const int64_t seen = is_causal ? std::clamp<int64_t>(i + columns - rows + 1, 0, columns) : columns;
        double total = 0;
        for (int64_t j = 0; j < seen; ++j) {
          double score = 0;
          for (int64_t e = 0; e < size; ++e) {
            score += Q[b][i][h][e] * K[b][j][h / group][e];
          }
          total += weights[j] = std::exp(score * scale);
        }
        L[b][h][i] = static_cast<float>(std::log(total));
        for (int64_t e = 0; e < sizes[3]; ++e) {
          double sum = 0;
          for (int64_t j = 0; j < seen; ++j) {
            sum += weights[j] / total * V[b][j][h / group][e];
          }
          O[b][i][h][e] = static_cast<float>(sum);
        }
      }
    }
  }
  return {result, lse, nothing(lse), nothing(lse)};
}

std::tuple<Tensor, Tensor, Tensor, Tensor, Tensor> native::attention_bwd(
    const Tensor& dout, const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& out, const Tensor& softmax_lse,
    const Maybe& dq, const Maybe& dk, const Maybe& dv, const Maybe&, const Maybe&, const Maybe&, const Maybe&,
    std::optional<int64_t>, std::optional<int64_t>, std::optional<double> softmax_scale, bool is_causal, int64_t, int64_t,
    double, bool, int64_t) {
  PORTS_CHECK(dq.has_value() && dk.has_value() && dv.has_value(), "dq, dk and dv are needed");
  for (const Tensor& written : {*dq, *dk, *dv}) {
    portable::zero_(written);
  }
  const int64_t heads = q.size(2), size = q.size(3), rows = q.size(1), columns = k.size(1), group = heads / k.size(2);
  const double scale = scale_of(softmax_scale, q);
  const auto Q = portable::accessor<const float, 4>(q), K = portable::accessor<const float, 4>(k), V = portable::accessor<const float, 4>(v);
  const auto G = portable::accessor<const float, 4>(dout), O = portable::accessor<const float, 4>(out);
  const auto L = portable::accessor<const float, 3>(softmax_lse);
  auto DQ = portable::accessor<float, 4>(*dq), DK = portable::accessor<float, 4>(*dk), DV = portable::accessor<float, 4>(*dv);
  const Tensor softmax_d = portable::zeros(portable::sizes(softmax_lse), softmax_lse);
  auto S = portable::accessor<float, 3>(softmax_d);
  for (int64_t b = 0; b < q.size(0); ++b) {
    for (int64_t h = 0; h < heads; ++h) {
      for (int64_t i = 0; i < rows; ++i) {
        for (int64_t e = 0; e < v.size(3); ++e) {
          S[b][h][i] += G[b][i][h][e] * O[b][i][h][e];
        }
        const int64_t seen = is_causal ? std::clamp<int64_t>(i + columns - rows + 1, 0, columns) : columns;
        for (int64_t j = 0; j < seen; ++j) {
          float score = 0, change = 0;
          for (int64_t e = 0; e < size; ++e) {
            score += Q[b][i][h][e] * K[b][j][h / group][e];
          }
          const float weight = std::exp(static_cast<float>(scale) * score - L[b][h][i]);
          for (int64_t e = 0; e < v.size(3); ++e) {
            DV[b][j][h / group][e] += weight * G[b][i][h][e];
            change += G[b][i][h][e] * V[b][j][h / group][e];
          }
          const float slope = weight * (change - S[b][h][i]) * static_cast<float>(scale);
          for (int64_t e = 0; e < size; ++e) {
            DQ[b][i][h][e] += slope * K[b][j][h / group][e];
            DK[b][j][h / group][e] += slope * Q[b][i][h][e];
          }
        }
      }
    }
  }
  return {softmax_d, nothing(softmax_lse), nothing(softmax_lse), nothing(softmax_lse), nothing(softmax_lse)};
}

} // namespace ports
