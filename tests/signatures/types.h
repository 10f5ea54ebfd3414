#pragma once

#include <string>
#include <vector>

#include <ATen/ATen.h>

#define HEADS_TENSOR at::Tensor
#define EXPORTED __attribute__((visibility("default")))

using Text = std::string;
typedef std::vector<int64_t> Numbers;
