// What nodes have in common, the parts with a body.
#include "nodes.h"

#include <cstring>
#include <utility>

namespace torchgen_support {

static_data_t::static_data_t(const void *data, std::size_t size) : bytes_(size), data_(nullptr), size_(size) {
    if (size != 0) {
        if (data) std::memcpy(bytes_.data(), data, size);
        data_ = bytes_.data();
    }
}

bool static_data_t::operator==(const static_data_t &other) const { return bytes_ == other.bytes_; }

std::size_t static_data_t::hash() const {
    std::size_t hash = bytes_.size();
    for (unsigned char byte : bytes_)
        hash = combine_hash(hash, byte);
    return hash;
}

node_base::~node_base() = default;
expr_base::~expr_base() = default;
stmt_base_t::~stmt_base_t() = default;

namespace detail {

void release_t::free_aside() {
    while (!aside_->empty()) {
        const std::shared_ptr<node_base> last = std::move(aside_->back());
        aside_->pop_back();
    }
    delete std::exchange(aside_, nullptr);
}

void release_t::put_aside(std::shared_ptr<node_base> &&pointer) {
    if (!aside_) aside_ = new std::vector<std::shared_ptr<node_base>>();
    aside_->push_back(std::move(pointer));
}

} // namespace detail

any_map_t &node_base::attr() {
    if (!attr_) attr_ = std::make_unique<any_map_t>();
    return *attr_;
}

any_t &node_base::temp_data() const {
    auto &data = const_cast<node_base *>(this)->temp_data_;
    if (!data) data = std::make_unique<any_t>();
    return *data;
}

const any_t &node_base::get_temp_data() const {
    static const any_t nothing;
    return temp_data_ ? *temp_data_ : nothing;
}

} // namespace torchgen_support
