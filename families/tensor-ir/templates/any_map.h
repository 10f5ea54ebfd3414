// torchgen_comment
//
// Values of any type, and maps from names to such values: the attributes of nodes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <typeinfo>
#include <unordered_map>
#include <utility>

namespace torchgen_support {

/// Mixes a hash into another.
inline std::size_t combine_hash(std::size_t seed, std::size_t value) {
    return seed ^ (value + UINT64_C(0x9e3779b97f4a7c15) + (seed << 6) + (seed >> 2));
}

namespace detail {

template <typename T, typename = void>
struct is_comparable : std::false_type {};
template <typename T>
struct is_comparable<T,
    std::enable_if_t<std::is_same_v<decltype(std::declval<const T &>() == std::declval<const T &>()), bool>>>
    : std::true_type {};

template <typename T, typename = void>
struct is_hashable : std::false_type {};
template <typename T>
struct is_hashable<T, std::void_t<decltype(std::hash<T>()(std::declval<const T &>()))>> : std::true_type {};

/// What is kept for a value: the value, and what can be done with its type.
struct any_holder {
    virtual ~any_holder() = default;
    virtual std::unique_ptr<any_holder> clone() const = 0;
    virtual const std::type_info &type() const noexcept = 0;
    /// Whether the values are equal. The other is of the same type.
    virtual bool equals(const any_holder &other) const = 0;
    virtual std::size_t hash() const = 0;
};

template <typename T>
struct any_value final : any_holder {
    T value;

    explicit any_value(T v) : value(std::move(v)) {}
    std::unique_ptr<any_holder> clone() const override { return std::make_unique<any_value<T>>(value); }
    const std::type_info &type() const noexcept override { return typeid(T); }
    bool equals(const any_holder &other) const override {
        if constexpr (is_comparable<T>::value) {
            return value == static_cast<const any_value<T> &>(other).value;
        } else {
            // Nothing is known of such values but whether they are the same one.
            return this == &other;
        }
    }
    std::size_t hash() const override {
        if constexpr (is_comparable<T>::value && is_hashable<T>::value) {
            return std::hash<T>()(value);
        } else {
            return 0;
        }
    }
};

} // namespace detail

/// A value of any type that can be copied, or nothing.
class any_t {
    std::unique_ptr<detail::any_holder> holder_;

    template <typename T>
    using stored = std::conditional_t<std::is_convertible_v<std::decay_t<T>, const char *>, std::string, std::decay_t<T>>;

public:
    any_t() = default;
    any_t(const any_t &other) : holder_(other.holder_ ? other.holder_->clone() : nullptr) {}
    any_t(any_t &&) noexcept = default;
    template <typename T, typename = std::enable_if_t<!std::is_same_v<std::decay_t<T>, any_t>>>
    any_t(T &&value)
        : holder_(std::make_unique<detail::any_value<stored<T>>>(stored<T>(std::forward<T>(value)))) {}

    any_t &operator=(const any_t &other) {
        if (this != &other) holder_ = other.holder_ ? other.holder_->clone() : nullptr;
        return *this;
    }
    any_t &operator=(any_t &&) noexcept = default;
    template <typename T, typename = std::enable_if_t<!std::is_same_v<std::decay_t<T>, any_t>>>
    any_t &operator=(T &&value) {
        *this = any_t(std::forward<T>(value));
        return *this;
    }

    bool empty() const noexcept { return !holder_; }
    void clear() noexcept { holder_.reset(); }
    template <typename T>
    void set(const T &value) {
        *this = value;
    }

    /// Whether it holds a value of the type.
    template <typename T>
    bool isa() const noexcept {
        return holder_ && holder_->type() == typeid(T);
    }

    /// The value, or null if there is none of the type.
    template <typename T>
    T *get_or_null() noexcept {
        return isa<T>() ? &static_cast<detail::any_value<T> *>(holder_.get())->value : nullptr;
    }
    template <typename T>
    const T *get_or_null() const noexcept {
        return isa<T>() ? &static_cast<const detail::any_value<T> *>(holder_.get())->value : nullptr;
    }

    /// The value. Throws std::runtime_error if there is none of the type.
    template <typename T>
    T &get() {
        T *value = get_or_null<T>();
        if (!value) throw std::runtime_error(wrong_type(typeid(T)));
        return *value;
    }
    template <typename T>
    const T &get() const {
        const T *value = get_or_null<T>();
        if (!value) throw std::runtime_error(wrong_type(typeid(T)));
        return *value;
    }

    bool operator==(const any_t &other) const {
        if (!holder_ || !other.holder_) return !holder_ == !other.holder_;
        return holder_->type() == other.holder_->type() && holder_->equals(*other.holder_);
    }
    bool operator!=(const any_t &other) const { return !(*this == other); }
    std::size_t hash() const { return holder_ ? holder_->hash() : 0; }

private:
    std::string wrong_type(const std::type_info &wanted) const {
        return std::string("any_t::get: wanted ") + wanted.name() + ", but it holds "
            + (holder_ ? holder_->type().name() : "nothing");
    }
};

/// Values by name.
class any_map_t {
    std::unordered_map<std::string, any_t> map_;

public:
    any_map_t() = default;
    any_map_t(const std::unordered_map<std::string, any_t> &map) : map_(map) {}
    any_map_t(std::initializer_list<std::pair<const std::string, any_t>> values) : map_(values) {}

    std::size_t size() const noexcept { return map_.size(); }
    bool empty() const noexcept { return map_.empty(); }
    const std::unordered_map<std::string, any_t> &as_map() const noexcept { return map_; }
    std::unordered_map<std::string, any_t> &as_map() noexcept { return map_; }
    bool has_key(const std::string &key) const { return map_.count(key) != 0; }
    void remove(const std::string &key) { map_.erase(key); }
    any_t &operator[](const std::string &key) { return map_[key]; }

    /// The value of the key. Throws std::runtime_error if there is none.
    any_t &get_any(const std::string &key) {
        auto found = map_.find(key);
        if (found == map_.end()) throw std::runtime_error("no attribute `" + key + "`");
        return found->second;
    }
    const any_t &get_any(const std::string &key) const { return const_cast<any_map_t *>(this)->get_any(key); }
    template <typename T>
    T &get(const std::string &key) {
        return get_any(key).get<T>();
    }
    template <typename T>
    const T &get(const std::string &key) const {
        return get_any(key).get<T>();
    }

    /// The value of the key, or the given one if there is none.
    template <typename T>
    T get_or_else(const std::string &key, const T &otherwise) const {
        auto found = map_.find(key);
        return found == map_.end() ? otherwise : found->second.get<T>();
    }
    /// The value of the key, or null if there is none of the type.
    template <typename T>
    T *get_or_null(const std::string &key) {
        auto found = map_.find(key);
        return found == map_.end() ? nullptr : found->second.get_or_null<T>();
    }
    template <typename T>
    const T *get_or_null(const std::string &key) const {
        auto found = map_.find(key);
        return found == map_.end() ? nullptr : found->second.get_or_null<T>();
    }
    template <typename T>
    void set(const std::string &key, const T &value) {
        map_[key] = value;
    }

    bool operator==(const any_map_t &other) const { return map_ == other.map_; }
    bool operator!=(const any_map_t &other) const { return !(*this == other); }
    /// The same whatever the order of the keys.
    std::size_t hash() const {
        std::size_t sum = map_.size();
        for (const auto &entry : map_)
            sum += combine_hash(std::hash<std::string>()(entry.first), entry.second.hash());
        return sum;
    }
};

} // namespace torchgen_support
