// The backend's graph API on the CPU, but for its functions.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>
#include <ATen/ATen.h>

namespace torchgen_support {

struct TensorInfo {
  at::ScalarType dtype;
  std::vector<int64_t> sizes;
};

struct Node {
  std::size_t index = 0;
};

using Values = std::vector<at::Tensor>;

inline Values tensors(const at::Tensor& one) { return {one}; }
template <class... Tensors>
Values tensors(const std::tuple<Tensors...>& several) {
  return std::apply([](const auto&... each) { return Values{each...}; }, several);
}

class Executable;

/// The functions that were called, in order. What calls them is in GraphBuilder.
class Steps {
 public:
  Node PrimaryInput(const std::string&, const TensorInfo&) {
    inputs_.push_back(count_);
    return Node{count_++};
  }
  Node ConstInput(const std::string&, double value) {
    return step(1, [=](const Values&) { return tensors(at::scalar_tensor(value, at::kDouble)); })[0];
  }
  void PrimaryOutput(const std::string&, Node node) { outputs_.push_back(node.index); }

 protected:
  using Function = std::function<Values(const Values&)>;

  /// The value of a constant of the graph: a number, wherever PyTorch takes one, and a tensor
  /// without dimensions where it takes only tensors.
  template <class Number>
  class Constant : public at::Scalar {
   public:
    explicit Constant(const at::Tensor& value) : at::Scalar(value.item<Number>()), value_(value.item<Number>()) {}
    operator Number() const { return value_; }
    operator at::Tensor() const { return at::scalar_tensor(*this, at::kDouble); }
    at::Scalar item() const { return *this; }
    template <class T>
    T item() const {
      return static_cast<T>(value_);
    }

   private:
    Number value_;
  };

  static at::Tensor load(Node node, const Values& values) { return values.at(node.index); }
  static std::optional<at::Tensor> load(std::optional<Node> node, const Values& values) {
    return node.has_value() ? std::optional<at::Tensor>(values.at(node->index)) : std::nullopt;
  }
  static Values load(const std::vector<Node>& nodes, const Values& values) {
    Values loaded;
    for (const Node node : nodes) {
      loaded.push_back(values.at(node.index));
    }
    return loaded;
  }
  template <class T>
  static const T& load(const T& value, const Values&) {
    return value;
  }

  std::vector<Node> step(std::size_t results, Function function) {
    steps_.emplace_back(count_, std::move(function));
    std::vector<Node> nodes;
    for (std::size_t at = 0; at < results; ++at) {
      nodes.push_back(Node{count_++});
    }
    return nodes;
  }

 private:
  friend class Executable;

  std::size_t count_ = 0;
  std::vector<std::size_t> inputs_, outputs_;
  std::vector<std::pair<std::size_t, Function>> steps_;
};

class Executable {
 public:
  explicit Executable(Steps&& graph) : graph_(std::move(graph)) {}

  void run(at::TensorList inputs, at::TensorList outputs) const {
    TORCH_CHECK(inputs.size() == graph_.inputs_.size(), "the graph has ", graph_.inputs_.size(), " inputs");
    TORCH_CHECK(outputs.size() == graph_.outputs_.size(), "the graph has ", graph_.outputs_.size(), " outputs");
    Values values(graph_.count_);
    for (std::size_t at = 0; at < inputs.size(); ++at) {
      values.at(graph_.inputs_[at]) = host(inputs[at]);
    }
    for (const auto& [first, function] : graph_.steps_) {
      const Values made = function(values);
      for (std::size_t at = 0; at < made.size(); ++at) {
        values.at(first + at) = made[at];
      }
    }
    for (std::size_t at = 0; at < outputs.size(); ++at) {
      const at::Tensor& value = values.at(graph_.outputs_[at]);
      TORCH_CHECK(
          value.sizes() == outputs[at].sizes(), "the wrapper promises the sizes ", outputs[at].sizes(), ", and the result has ", value.sizes());
      TORCH_CHECK(
          value.scalar_type() == outputs[at].scalar_type(), "the wrapper promises the type ", outputs[at].scalar_type(), ", and the result has ",
          value.scalar_type());
      host(outputs[at]).copy_(value);
    }
  }

 private:
  static at::Tensor host(const at::Tensor& tensor) {
    return tensor.is_cpu()
        ? tensor
        : at::from_blob(tensor.data_ptr(), tensor.sizes(), tensor.strides(), tensor.options().device(at::kCPU));
  }

  Steps graph_;
};

inline void run(const Executable& executable, at::TensorList inputs, at::TensorList outputs) { executable.run(inputs, outputs); }

} // namespace torchgen_support
