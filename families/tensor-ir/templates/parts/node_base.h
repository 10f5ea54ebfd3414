// What nodes have in common.
#pragma once

#include "any_map.h"
#include "dtype.h"

#include <cstring>
#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace torchgen_support {

/// The bits of one lane of a literal.
union union_val {
    uint64_t u64;
    int64_t s64;
    struct {
        float f32;
        int32_t unused;
    };

    union_val() = default;
    union_val(uint64_t value) : u64(value) {}
    union_val(int64_t value) : s64(value) {}
    union_val(float value) : u64(0) { f32 = value; }
    bool operator==(const union_val &other) const { return u64 == other.u64; }
    bool operator!=(const union_val &other) const { return u64 != other.u64; }
};

/// Bytes that belong to a node.
class static_data_t {
    std::vector<unsigned char> bytes_;

public:
    void *data_;
    std::size_t size_;

    /// Copies so many bytes; without a pointer, zeros.
    static_data_t(const void *data, std::size_t size);
    static_data_t(const static_data_t &) = delete;
    static_data_t &operator=(const static_data_t &) = delete;
    bool operator==(const static_data_t &other) const;
    std::size_t hash() const;
};

/// What all nodes have: attributes, and data of passes that run over them.
struct node_base {
    std::unique_ptr<any_map_t> attr_;
    std::unique_ptr<any_t> temp_data_;

    virtual ~node_base();
    /// The attributes, made if there are none.
    any_map_t &attr();
    any_t &temp_data() const;
    const any_t &get_temp_data() const;
};

namespace detail {

/// How many nodes within each other call each other. What is below has a stack of its own, so that
/// ordinary trees are as fast as can be, and those of any depth take little stack.
constexpr int most_levels = 64;

/// Frees what a node holds, while the node is freed. What would be freed deep within other nodes is
/// put aside, and freed when the outermost of them is: a tree of any depth takes little stack.
class release_t {
    static inline thread_local int levels_ = 0;
    static inline thread_local std::vector<std::shared_ptr<node_base>> *aside_ = nullptr;
    static void put_aside(std::shared_ptr<node_base> &&pointer);
    static void free_aside();

public:
    release_t() noexcept { levels_++; }
    release_t(const release_t &) = delete;
    release_t &operator=(const release_t &) = delete;
    ~release_t() {
        if (levels_ == 1 && aside_) free_aside();
        levels_--;
    }

    template <typename T>
    void take(std::shared_ptr<T> &pointer) {
        if (levels_ > most_levels && pointer.use_count() == 1) put_aside(std::move(pointer));
        pointer.reset();
    }
    template <typename T>
    void take(std::vector<T> &list) {
        for (T &item : list)
            take(item);
        list.clear();
    }
    /// A pointer to a node.
    template <typename T, typename = decltype(std::declval<T &>().impl)>
    void take(T &pointer) {
        take(pointer.impl);
    }
};

} // namespace detail

} // namespace torchgen_support
