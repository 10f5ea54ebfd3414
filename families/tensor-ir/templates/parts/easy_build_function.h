// Functions that are built.
#pragma once

#include "builder.h"

#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace torchgen_support::builder {

/// A function whose body is being built.
class func_simulator_t {
    builder_impl_t *ctx_;
    func_t *out_;
    std::string name_;
    sc_data_type_t dtype_;

public:
    std::vector<expr> vargs_;

    func_simulator_t(std::string name, func_t *out, sc_data_type_t dtype, std::vector<expr> args);
    func_simulator_t(func_simulator_t &&other) noexcept
        : ctx_(other.ctx_), out_(std::exchange(other.out_, nullptr)), name_(std::move(other.name_)), dtype_(other.dtype_), vargs_(std::move(other.vargs_)) {}
    func_simulator_t(const func_simulator_t &) = delete;
    ~func_simulator_t();
    explicit operator bool() const { return true; }
};

func_simulator_t _make_func_simulator(
    const std::string &name, func_t *out, sc_data_type_t dtype, const std::vector<std::vector<expr>> &args);

} // namespace torchgen_support::builder
