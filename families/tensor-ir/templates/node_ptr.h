// torchgen_comment
//
// node_ptr<T, Base>: a shared pointer to a node that is known to be a T, with casts by kind.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <utility>

namespace torchgen_support {

template <typename T, typename Base>
class node_ptr;

/// Thrown by checked_as when the node is of another kind, in every type of build.
class bad_node_cast : public std::logic_error {
public:
    using std::logic_error::logic_error;
};

/// Whether Derived, const or not, is Base or derived from it.
template <typename Base, typename Derived>
struct is_base_of_t {
    static constexpr bool value = std::is_base_of_v<std::remove_const_t<Base>, std::remove_const_t<Derived>>;
};

/// What all pointers to nodes can do.
template <typename T, typename Base>
class node_ptr_impl_t {
public:
    /// Defined if a pointer to Arg converts to a pointer to T: derived to base, and never from
    /// const.
    template <typename Arg>
    using _assignable = std::enable_if_t<std::is_convertible_v<Arg *, T *>, Base>;
    using impl_ptr = std::shared_ptr<Base>;
    using type = T;
    static_assert(is_base_of_t<Base, T>::value, "T must be Base or derived from it");

    impl_ptr impl;

    node_ptr_impl_t() noexcept = default;
    explicit node_ptr_impl_t(const impl_ptr &pointer) noexcept : impl(pointer) {}
    explicit node_ptr_impl_t(impl_ptr &&pointer) noexcept : impl(std::move(pointer)) {}
    template <typename T2>
    node_ptr_impl_t(const node_ptr<T2, _assignable<T2>> &other) noexcept : impl(other.impl) {}
    template <typename T2>
    node_ptr_impl_t(node_ptr<T2, _assignable<T2>> &&other) noexcept : impl(std::move(other.impl)) {}
    template <typename T2>
    node_ptr_impl_t &operator=(const node_ptr<T2, _assignable<T2>> &other) noexcept {
        impl = other.impl;
        return *this;
    }
    template <typename T2>
    node_ptr_impl_t &operator=(node_ptr<T2, _assignable<T2>> &&other) noexcept {
        impl = std::move(other.impl);
        return *this;
    }

    /// Whether the node is of the kind of T2, which is no abstract base. False for an empty
    /// pointer.
    template <typename T2>
    bool isa() const noexcept {
        static_assert(is_base_of_t<T, typename T2::type>::value, "the pointer can never point to a T2");
        return impl && impl->node_type_ == T2::type::type_code_;
    }
    /// Whether the node is a T2 or derived from it. False for an empty pointer.
    template <typename T2>
    bool instanceof() const noexcept {
        return dynamic_cast<const typename T2::type *>(impl.get()) != nullptr;
    }
    /// The same pointer as a T2, unchecked.
    template <typename T2>
    node_ptr<typename T2::type, Base> static_as() const & noexcept {
        check_cast<T2>();
        return node_ptr<typename T2::type, Base>(impl);
    }
    template <typename T2>
    node_ptr<typename T2::type, Base> static_as() && noexcept {
        check_cast<T2>();
        return node_ptr<typename T2::type, Base>(std::move(impl));
    }
    /// The same pointer as a T2, or an empty one if the node is of another kind.
    template <typename T2>
    node_ptr<typename T2::type, Base> as() const noexcept {
        return isa<T2>() ? static_as<T2>() : node_ptr<typename T2::type, Base>();
    }
    /// The same pointer as a T2, or an empty one if the node is neither a T2 nor derived from it.
    template <typename T2>
    node_ptr<typename T2::type, Base> dyn_as() const noexcept {
        return instanceof<T2>() ? static_as<T2>() : node_ptr<typename T2::type, Base>();
    }
    /// The same pointer as a T2. Throws bad_node_cast if the node is of another kind or the pointer
    /// is empty.
    template <typename T2>
    node_ptr<typename T2::type, Base> checked_as() const {
        if (!isa<T2>()) throw bad_node_cast("checked_as: the node is of another kind");
        return static_as<T2>();
    }
    /// The same pointer as a T2, if the node is of that kind.
    template <typename T2>
    std::optional<node_ptr<typename T2::type, Base>> cast() const {
        if (!isa<T2>()) return std::nullopt;
        return static_as<T2>();
    }

    node_ptr<const T, Base> to_const() const noexcept { return node_ptr<const T, Base>(impl); }
    node_ptr<std::remove_const_t<T>, Base> remove_const() const & noexcept {
        return node_ptr<std::remove_const_t<T>, Base>(impl);
    }
    node_ptr<std::remove_const_t<T>, Base> remove_const() && noexcept {
        return node_ptr<std::remove_const_t<T>, Base>(std::move(impl));
    }

    T &operator*() const noexcept { return *get(); }
    T *operator->() const noexcept { return get(); }
    T *get() const noexcept { return static_cast<T *>(impl.get()); }
    /// Whether there is a node.
    bool defined() const noexcept { return impl != nullptr; }
    /// Whether both point to one node. `==` of expressions makes a node instead.
    bool ptr_same(const node_ptr_impl_t &other) const noexcept { return impl == other.impl; }
    template <typename T2>
    bool ptr_same(const node_ptr<T2, Base> &other) const noexcept {
        return impl == other.impl;
    }
    std::weak_ptr<Base> weak() const noexcept { return impl; }

private:
    template <typename T2>
    static constexpr void check_cast() {
        static_assert(is_base_of_t<T, typename T2::type>::value || is_base_of_t<typename T2::type, T>::value,
            "the pointer can never point to a T2");
    }
};

/// A shared pointer to a node.
template <typename T, typename Base>
class node_ptr : public node_ptr_impl_t<T, Base> {
public:
    using parent = node_ptr_impl_t<T, Base>;
    using impl_ptr = typename parent::impl_ptr;
    using type = typename parent::type;
    using parent::parent;
    using parent::operator=;
    node_ptr() = default;
};

/// Gives a node the pointer to itself.
template <typename Base>
class enable_node_ptr_from_this_t : public std::enable_shared_from_this<Base> {
public:
    node_ptr<Base, Base> node_ptr_from_this() { return node_ptr<Base, Base>(this->shared_from_this()); }
    node_ptr<const Base, Base> node_ptr_from_this() const {
        return node_ptr<const Base, Base>(std::const_pointer_cast<Base>(this->shared_from_this()));
    }
};

} // namespace torchgen_support

namespace std {
template <typename T, typename Base>
struct hash<torchgen_support::node_ptr<T, Base>> {
    size_t operator()(const torchgen_support::node_ptr<T, Base> &pointer) const noexcept {
        return hash<shared_ptr<Base>>()(pointer.impl);
    }
};
template <typename T, typename Base>
struct equal_to<torchgen_support::node_ptr<T, Base>> {
    bool operator()(const torchgen_support::node_ptr<T, Base> &left,
        const torchgen_support::node_ptr<T, Base> &right) const noexcept {
        return left.impl == right.impl;
    }
};
} // namespace std
