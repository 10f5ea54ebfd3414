// What wrappers share: one compiled graph for all that it depends on.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>
#include <ATen/ATen.h>
#include <ATen/MemoryOverlap.h>
#include <ATen/core/IListRef.h>
#include <ATen/native/Resize.h>
#include <c10/core/ScalarType.h>

#include "mock_backend.h"
#include "torchgen_shape.h"

namespace torchgen_support::runtime {

/// Compiled graphs by all that they depend on.
class Cache {
 public:
  std::shared_ptr<::torchgen_api::Executable> find(const std::string& key) {
    const std::lock_guard<std::mutex> hold(lock_);
    const auto found = graphs_.find(key);
    if (found == graphs_.end()) {
      return nullptr;
    }
    ++hits_;
    return found->second;
  }
  void store(const std::string& key, std::shared_ptr<::torchgen_api::Executable> graph) {
    const std::lock_guard<std::mutex> hold(lock_);
    graphs_[key] = std::move(graph);
  }
  std::size_t size() {
    const std::lock_guard<std::mutex> hold(lock_);
    return graphs_.size();
  }
  std::size_t hits() {
    const std::lock_guard<std::mutex> hold(lock_);
    return hits_;
  }
  void clear() {
    const std::lock_guard<std::mutex> hold(lock_);
    graphs_.clear();
    hits_ = 0;
  }

 private:
  std::mutex lock_;
  std::unordered_map<std::string, std::shared_ptr<::torchgen_api::Executable>> graphs_;
  std::size_t hits_ = 0;
};

inline Cache& cache() {
  static Cache cache;
  return cache;
}

/// The nodes of the inputs, in order.
class Nodes {
 public:
  ::torchgen_api::Node one(std::size_t input) const { return nodes_.at(input).at(0); }
  const std::vector<::torchgen_api::Node>& list(std::size_t input) const { return nodes_.at(input); }
  std::optional<::torchgen_api::Node> optional(std::size_t input) const {
    const auto& nodes = nodes_.at(input);
    return nodes.empty() ? std::nullopt : std::optional<::torchgen_api::Node>(nodes[0]);
  }
  void add(std::vector<::torchgen_api::Node> nodes) { nodes_.push_back(std::move(nodes)); }

 private:
  std::vector<std::vector<::torchgen_api::Node>> nodes_;
};

/// One call of an operator.
class Call {
 public:
  Call(const char* op, at::Device device) : op_(op), device_(device) { key(std::string(op)); }

  void input(const char* name, const at::Tensor& tensor, bool contiguous) {
    begin(name);
    add(tensor, contiguous);
  }
  void input(const char* name, const std::optional<at::Tensor>& tensor, bool contiguous) {
    begin(name);
    if (tensor.has_value() && tensor->defined()) {
      add(*tensor, contiguous);
    }
  }
  void input(const char* name, const at::ITensorListRef& tensors, bool contiguous) {
    begin(name);
    for (const at::Tensor& tensor : tensors) {
      add(tensor, contiguous);
    }
  }

  template <class T>
  std::enable_if_t<std::is_arithmetic_v<T> || std::is_enum_v<T>> key(T value) {
    key_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void key(const std::string& text) {
    key(text.size());
    key_ += text;
  }
  template <class T>
  void key(const std::vector<T>& values) {
    key(values.size());
    for (const T& value : values) {
      key(value);
    }
  }

  void output(std::vector<int64_t> sizes, at::ScalarType dtype) {
    key(sizes);
    key(dtype);
    infos_.push_back({dtype, std::move(sizes)});
    targets_.emplace_back();
  }
  /// The output is written to a tensor of the caller.
  void into(std::size_t output, const at::Tensor& tensor, bool resizes) {
    const auto& info = infos_.at(output);
    TORCH_CHECK(
        c10::canCast(info.dtype, tensor.scalar_type()), op_, ": result type ", info.dtype, " can't be cast to the desired output type ",
        tensor.scalar_type());
    TORCH_CHECK(tensor.device() == device_, op_, ": out is on ", tensor.device(), ", and the inputs are on ", device_);
    if (resizes) {
      at::native::resize_output(tensor, info.sizes);
    }
    TORCH_CHECK(
        tensor.sizes() == at::IntArrayRef(info.sizes), op_, ": output with shape ", tensor.sizes(), " doesn't match the broadcast shape ",
        at::IntArrayRef(info.sizes));
    targets_.at(output) = tensor;
  }

  const ::torchgen_api::TensorInfo& info(std::size_t output) const { return infos_.at(output); }
  const std::vector<::torchgen_api::TensorInfo>& infos() const { return infos_; }
  const at::Tensor& result(std::size_t output) const { return results_.at(output); }

  /// Finds or compiles the graph, and runs it.
  template <class Build>
  void run(const Build& build) {
    // At the end, so that no two calls have the same key.
    for (const auto& [name, count] : inputs_) {
      key(count);
    }
    auto graph = cache().find(key_);
    if (graph == nullptr) {
      ::torchgen_api::GraphBuilder builder;
      Nodes nodes;
      std::size_t tensor = 0;
      for (const auto& [name, count] : inputs_) {
        std::vector<::torchgen_api::Node> several;
        for (std::size_t at = 0; at < count; ++at, ++tensor) {
          const auto& given = tensors_.at(tensor);
          const auto label = count == 1 ? std::string(name) : name + ("_" + std::to_string(at));
          several.push_back(builder.PrimaryInput(label, {given.scalar_type(), given.sizes().vec()}));
        }
        nodes.add(std::move(several));
      }
      declare(builder, build(builder, nodes));
      graph = std::make_shared<::torchgen_api::Executable>(::torchgen_api::compile(std::move(builder)));
      cache().store(key_, graph);
    }
    for (std::size_t at = 0; at < infos_.size(); ++at) {
      const auto& info = infos_[at];
      const auto& target = targets_[at];
      const bool direct = target.defined() && target.scalar_type() == info.dtype && target.is_contiguous() && !overlaps(target);
      results_.push_back(direct ? target : at::empty(info.sizes, at::TensorOptions().dtype(info.dtype).device(device_)));
    }
    ::torchgen_api::run(*graph, tensors_, results_);
    for (std::size_t at = 0; at < infos_.size(); ++at) {
      if (targets_[at].defined() && !targets_[at].is_same(results_[at])) {
        targets_[at].copy_(results_[at]);
      }
    }
  }

 private:
  void begin(const char* name) {
    inputs_.emplace_back(name, 0);
    key(inputs_.size());
  }

  void add(const at::Tensor& given, bool contiguous) {
    auto& [name, count] = inputs_.back();
    at::Tensor tensor = given;
    if (tensor.device() != device_) {
      TORCH_CHECK(
          tensor.dim() == 0 && tensor.is_cpu(), op_, ": ", name, " is on ", tensor.device(), ", and other inputs are on ", device_);
      tensor = tensor.to(device_);
    }
    TORCH_CHECK(tensor.layout() == at::kStrided, op_, ": ", name, " has the layout ", tensor.layout(), ", which the backend lacks");
    if (contiguous || tensor.is_neg() || tensor.is_conj()) {
      tensor = tensor.resolve_conj().resolve_neg().contiguous();
    }
    ++count;
    key(tensor.scalar_type());
    key(tensor.sizes().vec());
    key(tensor.is_contiguous());
    if (!tensor.is_contiguous()) {
      key(tensor.strides().vec());
    }
    key(static_cast<int64_t>(tensor.device().index()));
    tensors_.push_back(std::move(tensor));
  }

  bool overlaps(const at::Tensor& target) const {
    for (const at::Tensor& tensor : tensors_) {
      if (at::get_overlap_status(target, tensor) != at::MemOverlapStatus::No) {
        return true;
      }
    }
    return false;
  }

  static void declare(::torchgen_api::GraphBuilder& builder, ::torchgen_api::Node node) { builder.PrimaryOutput("output", node); }
  static void declare(::torchgen_api::GraphBuilder& builder, const std::vector<::torchgen_api::Node>& nodes) {
    for (std::size_t at = 0; at < nodes.size(); ++at) {
      builder.PrimaryOutput("output_" + std::to_string(at), nodes[at]);
    }
  }

  const char* op_;
  at::Device device_;
  std::string key_;
  std::vector<std::pair<const char*, std::size_t>> inputs_;
  std::vector<at::Tensor> tensors_;
  std::vector<::torchgen_api::TensorInfo> infos_;
  std::vector<at::Tensor> targets_;
  std::vector<at::Tensor> results_;
};

} // namespace torchgen_support::runtime
