// Arguments of functions that are built.
#pragma once

#include "builder.h"

#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace torchgen_support::builder {

/// Binds the arguments of a function to variables of C++.
template <typename... Proxies>
void bind_arguments(const std::vector<expr> &arguments, Proxies &...proxies) {
    if (arguments.size() < sizeof...(proxies)) throw std::logic_error("the function has fewer parameters than are bound");
    std::size_t at = 0;
    auto bind = [&](expr::lvalue_proxy_t &proxy) {
        proxy.data_ = arguments[at++];
        proxy.require_remake_ = false;
    };
    static_cast<void>(bind);
    (bind(proxies), ...);
}

} // namespace torchgen_support::builder
