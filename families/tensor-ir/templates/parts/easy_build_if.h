// Conditions that are built.
#pragma once

#include "builder.h"

#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace torchgen_support::builder {

/// A block that is open while it lives, and what to do with it then.
class scope_mgr_t {
    builder_impl_t *ctx_;
    std::function<void(stmt)> on_pop_;

public:
    scope_mgr_t(builder_impl_t *ctx, std::function<void(stmt)> on_pop) : ctx_(ctx), on_pop_(std::move(on_pop)) {
        ctx_->push_scope();
    }
    scope_mgr_t(scope_mgr_t &&other) noexcept : ctx_(other.ctx_), on_pop_(std::move(other.on_pop_)) { other.ctx_ = nullptr; }
    scope_mgr_t(const scope_mgr_t &) = delete;
    ~scope_mgr_t() {
        if (ctx_) on_pop_(ctx_->pop_scope());
    }
};

/// A condition whose blocks are being built. An else block without statements is left out.
class if_simulator_t {
    builder_impl_t *ctx_;
    expr cond_;
    stmt blocks_[2];

public:
    struct if_iterator_t {
        int block_num_;
        if_simulator_t *owner_;
        std::pair<scope_mgr_t, int> operator*() const {
            auto keep = [owner = owner_, at = block_num_](stmt block) { owner->blocks_[at] = std::move(block); };
            return {scope_mgr_t(owner_->ctx_, keep), block_num_};
        }
        if_iterator_t &operator++() {
            block_num_++;
            return *this;
        }
        bool operator!=(const if_iterator_t &other) const { return block_num_ != other.block_num_; }
    };

    if_simulator_t(builder_impl_t *ctx, expr cond) : ctx_(ctx), cond_(std::move(cond)) {}
    if_simulator_t(const if_simulator_t &) = delete;
    ~if_simulator_t();
    if_iterator_t begin() { return if_iterator_t {0, this}; }
    if_iterator_t end() { return if_iterator_t {2, nullptr}; }
};

} // namespace torchgen_support::builder
