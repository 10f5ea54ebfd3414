// The kernels. The device's memory is the CPU's here, so most of them compute with tensors of the CPU
// that share it; on real hardware they would launch something instead.
#include <ATen/ATen.h>
#include <ATen/EmptyTensor.h>
#include <ATen/ops/from_blob.h>

#include <aten_kernels/NativeFunctions.h>

#include "device.h"

namespace aten::native {

namespace {

const c10::DispatchKeySet KEYS(c10::DispatchKey::PrivateUse1);

// The same memory as a tensor of the CPU. Scalars in Python, as in `x + 2`, are on the CPU already.
at::Tensor on_cpu(const at::Tensor &x) {
  return x.is_cpu() ? x : at::from_blob(x.data_ptr(), x.sizes(), x.strides(), x.options().device(at::kCPU));
}

} // namespace

at::Tensor empty(at::IntArrayRef size, std::optional<at::ScalarType> dtype, std::optional<at::Layout>,
                 std::optional<at::Device>, std::optional<bool>, std::optional<at::MemoryFormat> memory_format) {
  return at::detail::empty_generic(size, device::allocator(), KEYS, c10::dtype_or_default(dtype), memory_format);
}

at::Tensor empty_strided(at::IntArrayRef size, at::IntArrayRef stride, std::optional<at::ScalarType> dtype,
                         std::optional<at::Layout>, std::optional<at::Device>, std::optional<bool>) {
  return at::detail::empty_strided_generic(size, stride, device::allocator(), KEYS, c10::dtype_or_default(dtype));
}

// Copies from or to the CPU or the device: `.to(device)`, `.cpu()`, `copy_`, with casts.
at::Tensor copy_from(const at::Tensor &self, const at::Tensor &dst, bool) {
  on_cpu(dst).copy_(on_cpu(self));
  return dst;
}

at::Tensor copy_from_and_resize(const at::Tensor &self, const at::Tensor &dst) {
  if (dst.sizes() != self.sizes()) {
    dst.resize_(self.sizes());
  }
  return copy_from(self, dst, false);
}

at::Scalar local_scalar_dense(const at::Tensor &self) { return on_cpu(self).item(); }

const at::Tensor &resize_(const at::Tensor &self, at::IntArrayRef size, std::optional<at::MemoryFormat>) {
  auto *impl = self.unsafeGetTensorImpl();
  const auto bytes = (c10::multiply_integers(size) + self.storage_offset()) * self.element_size();
  auto &storage = impl->unsafe_storage();
  if (storage.nbytes() < static_cast<size_t>(bytes)) {
    auto memory = device::allocator()->allocate(bytes);
    std::memcpy(memory.get(), storage.data(), storage.nbytes());
    storage.set_data_ptr_noswap(std::move(memory));
    storage.set_nbytes(bytes);
  }
  impl->set_sizes_contiguous(size);
  return self;
}

at::Tensor as_strided(const at::Tensor &self, at::IntArrayRef size, at::IntArrayRef stride,
                      std::optional<int64_t> storage_offset) {
  auto view = at::detail::make_tensor<c10::TensorImpl>(c10::TensorImpl::VIEW, c10::Storage(self.storage()),
                                                       self.key_set(), self.dtype());
  auto *impl = view.unsafeGetTensorImpl();
  impl->set_storage_offset(storage_offset.value_or(self.storage_offset()));
  impl->set_sizes_and_strides(size, stride);
  return view;
}

at::Tensor view(const at::Tensor &self, at::IntArrayRef size) {
  const auto like = on_cpu(self).view(size);
  return aten::native::as_strided(self, like.sizes(), like.strides(), std::nullopt);
}

at::Tensor &set_storage_offset_(at::Tensor &self, at::Storage source, int64_t storage_offset, at::IntArrayRef size,
                                at::IntArrayRef stride) {
  auto *impl = self.unsafeGetTensorImpl();
  impl->set_storage_keep_dtype(std::move(source));
  impl->set_storage_offset(storage_offset);
  if (stride.empty()) {
    impl->set_sizes_contiguous(size);
  } else {
    impl->set_sizes_and_strides(size, stride);
  }
  return self;
}

at::Tensor &set_storage_(at::Tensor &self, at::Storage source) {
  const auto length = static_cast<int64_t>(source.nbytes() / self.element_size());
  return aten::native::set_storage_offset_(self, std::move(source), 0, {length}, {});
}

// A structured kernel gets outputs of the right size and type. It derives from PyTorch's class,
// which is a TensorIterator for operators by element.
TORCH_IMPL_FUNC(add_out)(const at::Tensor &self, const at::Tensor &other, const at::Scalar &alpha,
                         const at::Tensor &out) {
  auto result = on_cpu(out);
  at::add_out(result, on_cpu(self), on_cpu(other), alpha);
}

TORCH_IMPL_FUNC(mul_out)(const at::Tensor &self, const at::Tensor &other, const at::Tensor &out) {
  auto result = on_cpu(out);
  at::mul_out(result, on_cpu(self), on_cpu(other));
}

TORCH_IMPL_FUNC(neg_out)(const at::Tensor &self, const at::Tensor &out) {
  auto result = on_cpu(out);
  at::neg_out(result, on_cpu(self));
}

// This one computes by itself, for types that it knows: the iterator has the operands broadcast.
TORCH_IMPL_FUNC(exp_out)(const at::Tensor &self, const at::Tensor &out) {
  TORCH_CHECK(common_dtype() == out.scalar_type(), "the iterator knows the type of the output");
  TORCH_CHECK(ntensors() == 2 && noutputs() == 1, "the iterator has an input and an output");
  auto result = on_cpu(out);
  at::exp_out(result, on_cpu(self));
}

TORCH_IMPL_FUNC(gt_out)(const at::Tensor &self, const at::Tensor &other, const at::Tensor &out) {
  auto result = on_cpu(out);
  at::gt_out(result, on_cpu(self), on_cpu(other));
}

TORCH_IMPL_FUNC(sum_out)(const at::Tensor &self, at::OptionalIntArrayRef dim, bool keepdim,
                         std::optional<at::ScalarType> dtype, const at::Tensor &out) {
  auto result = on_cpu(out);
  at::sum_out(result, on_cpu(self), dim, keepdim, dtype);
}

TORCH_IMPL_FUNC(mm_out)(const at::Tensor &self, const at::Tensor &mat2, const at::Tensor &out) {
  auto result = on_cpu(out);
  at::mm_out(result, on_cpu(self), on_cpu(mat2));
}

// The arguments after `dim` are what the meta function of PyTorch computes for the kernel.
TORCH_IMPL_FUNC(cat_out)(const at::ITensorListRef &tensors, int64_t dim, int64_t valid, bool, bool, bool,
                         at::MemoryFormat, const at::Tensor &out) {
  std::vector<at::Tensor> parts;
  for (const at::Tensor &tensor : tensors) {
    parts.push_back(on_cpu(tensor));
  }
  TORCH_CHECK(valid < static_cast<int64_t>(parts.size()), "one of the tensors has elements");
  auto result = on_cpu(out);
  at::cat_out(result, parts, dim);
}

at::Tensor &fill_(at::Tensor &self, const at::Scalar &value) {
  on_cpu(self).fill_(value);
  return self;
}

at::Tensor &zero_(at::Tensor &self) {
  on_cpu(self).zero_();
  return self;
}

at::Tensor relu(const at::Tensor &self) {
  auto out = at::empty_like(self);
  on_cpu(out).copy_(on_cpu(self).relu());
  return out;
}

at::Tensor where(const at::Tensor &condition, const at::Tensor &self, const at::Tensor &other) {
  const auto result = at::where(on_cpu(condition), on_cpu(self), on_cpu(other));
  auto out = at::empty(result.sizes(), result.options().device(c10::DeviceType::PrivateUse1));
  on_cpu(out).copy_(result);
  return out;
}

} // namespace aten::native
