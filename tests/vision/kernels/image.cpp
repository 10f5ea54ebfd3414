// Files, and images in the binary formats of Netpbm: `P5` is gray and `P6` is RGB.
#include <visionkit_image/NativeFunctions.h>

#include <ATen/ATen.h>

#include <fstream>
#include <sstream>

namespace visionkit_image::native {
namespace {

void check_bytes(const at::Tensor & data) {
  TORCH_CHECK(data.dim() == 1 && data.scalar_type() == at::kByte, "the bytes of a file should be [N] of uint8");
}

at::Tensor bytes(const std::string & text) {
  auto data = at::empty({int64_t(text.size())}, at::kByte);
  std::copy(text.begin(), text.end(), data.mutable_data_ptr<uint8_t>());
  return data;
}

std::string text(const at::Tensor & data) {
  check_bytes(data);
  const auto whole = data.contiguous();
  return {reinterpret_cast<const char *>(whole.const_data_ptr<uint8_t>()), size_t(whole.numel())};
}

} // namespace

at::Tensor read_file(std::string filename) {
  std::ifstream file(filename, std::ios::binary);
  std::stringstream read;
  read << file.rdbuf();
  TORCH_CHECK(file.good(), "cannot read ", filename);
  return bytes(read.str());
}

void write_file(std::string filename, const at::Tensor & data) {
  const auto written = text(data);
  std::ofstream file(filename, std::ios::binary);
  file.write(written.data(), std::streamsize(written.size()));
  TORCH_CHECK(file.good(), "cannot write ", filename);
}

at::Tensor decode_image(const at::Tensor & data, int64_t mode, bool apply_exif_orientation) {
  TORCH_CHECK(mode == 0 || mode == 1 || mode == 3, "mode should be 0, 1 or 3, got ", mode);
  // Netpbm has no orientation.
  (void)apply_exif_orientation;
  const auto file = text(data);
  std::istringstream header(file);
  std::string magic;
  int64_t width = 0, height = 0, largest = 0;
  header >> magic >> width >> height >> largest;
  TORCH_CHECK(header && (magic == "P5" || magic == "P6") && largest == 255, "the file is not a binary Netpbm image");
  const int64_t channels = magic == "P5" ? 1 : 3, start = int64_t(header.tellg()) + 1;
  TORCH_CHECK(width > 0 && height > 0 && data.numel() - start == width * height * channels, "the image has the wrong size");
  const auto image = data.narrow(0, start, data.numel() - start).view({height, width, channels}).permute({2, 0, 1});
  if (mode == 1 && channels == 3) {
    return image.to(at::kFloat).mean(0, /*keepdim=*/true).round().to(at::kByte);
  }
  return image.expand({mode == 3 ? 3 : channels, height, width}).clone(at::MemoryFormat::Contiguous);
}

at::Tensor encode_image(const at::Tensor & data) {
  TORCH_CHECK(data.dim() == 3 && (data.size(0) == 1 || data.size(0) == 3), "an image should be [1 or 3, H, W], got ", data.sizes());
  TORCH_CHECK(data.scalar_type() == at::kByte, "an image should have the type uint8");
  std::ostringstream header;
  header << (data.size(0) == 1 ? "P5 " : "P6 ") << data.size(2) << ' ' << data.size(1) << " 255\n";
  return at::cat({bytes(header.str()), data.permute({1, 2, 0}).flatten()});
}

int64_t jpeg_version() {
  return -1;
}

bool is_compiled_against_turbo() {
  return false;
}

} // namespace visionkit_image::native
