// What dtype.h has for every IR.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <stdexcept>
#include <string>

namespace torchgen_support {

/// The type of one element. Pointers have the bit POINTER, and below it the type that they point
/// to.
enum class sc_data_etype : uint32_t {
    UNDEF = 0,
    F16 = 1,
    BF16 = 2,
    U16 = 3,
    F32 = 4,
    S32 = 5,
    U32 = 6,
    S8 = 7,
    U8 = 8,
    INDEX = 9,
    BOOLEAN = 10,
    GENERIC = 11,
    VOID_T = 12,
    POINTER = 0x100,
};

namespace etypes {

constexpr bool is_pointer(sc_data_etype code) {
    return (static_cast<uint32_t>(code) & static_cast<uint32_t>(sc_data_etype::POINTER)) != 0;
}
/// The type of pointers to the type. A pointer to a pointer is just a pointer.
constexpr sc_data_etype get_pointerof(sc_data_etype code) {
    return is_pointer(code) ? sc_data_etype::POINTER
                            : static_cast<sc_data_etype>(
                                  static_cast<uint32_t>(code) | static_cast<uint32_t>(sc_data_etype::POINTER));
}
/// What a pointer points to.
constexpr sc_data_etype get_pointer_element(sc_data_etype code) {
    return code == sc_data_etype::POINTER ? code : static_cast<sc_data_etype>(static_cast<uint32_t>(code) & 0xffU);
}

} // namespace etypes

/// A data type.
struct sc_data_type_t {
    sc_data_etype type_code_ = sc_data_etype::UNDEF;
    uint16_t lanes_ = 0;
    uint16_t rows_ = 0;

    constexpr sc_data_type_t() = default;
    constexpr sc_data_type_t(sc_data_etype code, uint16_t lanes = 1, uint16_t rows = 0)
        : type_code_(code), lanes_(lanes), rows_(rows) {}

    constexpr bool is_tile() const { return rows_ > 0; }
    constexpr bool is_etype(sc_data_etype other) const { return type_code_ == other; }
    constexpr bool is_etype_pointer() const { return etypes::is_pointer(type_code_); }
    constexpr bool is_pointer() const { return lanes_ == 1 && rows_ == 0 && is_etype_pointer(); }
    /// The element type of a scalar. Throws std::logic_error for a vector.
    sc_data_etype as_etype() const;
    int32_t as_etype_int() const { return static_cast<int32_t>(as_etype()); }
    /// What a pointer points to. Throws std::logic_error if it is not one.
    sc_data_type_t get_pointer_element() const;
    constexpr sc_data_type_t get_pointerof() const { return sc_data_type_t(etypes::get_pointerof(type_code_)); }

    constexpr bool operator==(const sc_data_type_t &other) const {
        return type_code_ == other.type_code_ && lanes_ == other.lanes_ && rows_ == other.rows_;
    }
    constexpr bool operator!=(const sc_data_type_t &other) const { return !(*this == other); }
    /// One number for each type, for switches and hashes.
    constexpr operator uint64_t() const {
        return (static_cast<uint64_t>(lanes_) << 48) | (static_cast<uint64_t>(rows_) << 32)
            | static_cast<uint64_t>(type_code_);
    }

    static constexpr sc_data_type_t undef(uint16_t lanes = 1, uint16_t rows = 0) {
        return sc_data_type_t(sc_data_etype::UNDEF, lanes, rows);
    }
    static constexpr sc_data_type_t f16(uint16_t lanes = 1, uint16_t rows = 0) {
        return sc_data_type_t(sc_data_etype::F16, lanes, rows);
    }
    static constexpr sc_data_type_t bf16(uint16_t lanes = 1, uint16_t rows = 0) {
        return sc_data_type_t(sc_data_etype::BF16, lanes, rows);
    }
    static constexpr sc_data_type_t u16(uint16_t lanes = 1, uint16_t rows = 0) {
        return sc_data_type_t(sc_data_etype::U16, lanes, rows);
    }
    static constexpr sc_data_type_t f32(uint16_t lanes = 1, uint16_t rows = 0) {
        return sc_data_type_t(sc_data_etype::F32, lanes, rows);
    }
    static constexpr sc_data_type_t s32(uint16_t lanes = 1, uint16_t rows = 0) {
        return sc_data_type_t(sc_data_etype::S32, lanes, rows);
    }
    static constexpr sc_data_type_t u32(uint16_t lanes = 1, uint16_t rows = 0) {
        return sc_data_type_t(sc_data_etype::U32, lanes, rows);
    }
    static constexpr sc_data_type_t s8(uint16_t lanes = 1, uint16_t rows = 0) {
        return sc_data_type_t(sc_data_etype::S8, lanes, rows);
    }
    static constexpr sc_data_type_t u8(uint16_t lanes = 1, uint16_t rows = 0) {
        return sc_data_type_t(sc_data_etype::U8, lanes, rows);
    }
    static constexpr sc_data_type_t index(uint16_t lanes = 1, uint16_t rows = 0) {
        return sc_data_type_t(sc_data_etype::INDEX, lanes, rows);
    }
    static constexpr sc_data_type_t boolean(uint16_t lanes = 1, uint16_t rows = 0) {
        return sc_data_type_t(sc_data_etype::BOOLEAN, lanes, rows);
    }
    static constexpr sc_data_type_t generic(uint16_t lanes = 1, uint16_t rows = 0) {
        return sc_data_type_t(sc_data_etype::GENERIC, lanes, rows);
    }
    static constexpr sc_data_type_t pointer(uint16_t lanes = 1, uint16_t rows = 0) {
        return sc_data_type_t(sc_data_etype::POINTER, lanes, rows);
    }
    static constexpr sc_data_type_t void_t(uint16_t lanes = 1, uint16_t rows = 0) {
        return sc_data_type_t(sc_data_etype::VOID_T, lanes, rows);
    }
    static constexpr sc_data_type_t pointerof(sc_data_etype etype, uint16_t lanes = 1, uint16_t rows = 0) {
        return sc_data_type_t(etypes::get_pointerof(etype), lanes, rows);
    }
};

namespace datatypes {
inline constexpr sc_data_type_t undef = sc_data_type_t::undef();
inline constexpr sc_data_type_t f16 = sc_data_type_t::f16();
inline constexpr sc_data_type_t bf16 = sc_data_type_t::bf16();
inline constexpr sc_data_type_t u16 = sc_data_type_t::u16();
inline constexpr sc_data_type_t f32 = sc_data_type_t::f32();
inline constexpr sc_data_type_t s32 = sc_data_type_t::s32();
inline constexpr sc_data_type_t u32 = sc_data_type_t::u32();
inline constexpr sc_data_type_t s8 = sc_data_type_t::s8();
inline constexpr sc_data_type_t u8 = sc_data_type_t::u8();
inline constexpr sc_data_type_t index = sc_data_type_t::index();
inline constexpr sc_data_type_t boolean = sc_data_type_t::boolean();
inline constexpr sc_data_type_t generic = sc_data_type_t::generic();
inline constexpr sc_data_type_t pointer = sc_data_type_t::pointer();
inline constexpr sc_data_type_t void_t = sc_data_type_t::void_t();
} // namespace datatypes

/// What kind of number a type holds.
enum type_category { CATE_FLOAT, CATE_INT, CATE_UINT, CATE_OTHER };

/// The category of the elements, lanes apart.
type_category get_etype_category_nothrow(sc_data_type_t dtype);
/// The category of a scalar; CATE_OTHER for vectors.
type_category get_type_category_nothrow(sc_data_type_t dtype);
/// The same. Throw std::logic_error for what has no category.
type_category get_etype_category(sc_data_type_t dtype);
type_category get_type_category(sc_data_type_t dtype);
const char *category_name(type_category category);

/// The size of one element in bytes; 0 for what has none.
std::size_t get_sizeof_etype(sc_data_etype etype);
/// The size of all lanes in bytes.
std::size_t get_sizeof_type(sc_data_type_t dtype);

std::ostream &operator<<(std::ostream &os, sc_data_etype etype);
std::ostream &operator<<(std::ostream &os, sc_data_type_t dtype);
/// The type as it is printed.
std::string to_string(sc_data_type_t dtype);
/// Reads a printed type: `f32`, `s32x8`, `f32*`. Gives false if the text is not one.
bool parse_dtype(const std::string &text, sc_data_type_t &dtype);

/// The data type of a C++ type.
template <typename T>
struct sc_data_traits_t {};
template <>
struct sc_data_traits_t<float> {
    static constexpr sc_data_type_t type() { return datatypes::f32; }
};
template <>
struct sc_data_traits_t<int32_t> {
    static constexpr sc_data_type_t type() { return datatypes::s32; }
};
template <>
struct sc_data_traits_t<uint32_t> {
    static constexpr sc_data_type_t type() { return datatypes::u32; }
};
template <>
struct sc_data_traits_t<int8_t> {
    static constexpr sc_data_type_t type() { return datatypes::s8; }
};
template <>
struct sc_data_traits_t<uint8_t> {
    static constexpr sc_data_type_t type() { return datatypes::u8; }
};
template <>
struct sc_data_traits_t<uint64_t> {
    static constexpr sc_data_type_t type() { return datatypes::index; }
};
template <>
struct sc_data_traits_t<bool> {
    static constexpr sc_data_type_t type() { return datatypes::boolean; }
};

// The functions of type rules.

/// The type that all have, or undef.
template <typename... Rest>
sc_data_type_t common_dtype(sc_data_type_t first, Rest... rest) {
    return ((first == rest) && ...) ? first : datatypes::undef;
}
/// So many elements of what a pointer points to.
inline sc_data_type_t element_dtype(sc_data_type_t pointer, uint16_t lanes) {
    return sc_data_type_t(etypes::get_pointer_element(pointer.type_code_), lanes);
}
inline sc_data_type_t pointer_dtype(sc_data_type_t dtype) { return sc_data_type_t::pointerof(dtype.type_code_); }
inline sc_data_type_t scalar_dtype(sc_data_type_t dtype) { return sc_data_type_t(dtype.type_code_); }
inline sc_data_type_t vector_dtype(sc_data_type_t dtype, uint64_t lanes) {
    return sc_data_type_t(dtype.type_code_, static_cast<uint16_t>(lanes));
}
inline uint16_t lanes_of(sc_data_type_t dtype) { return dtype.lanes_; }

} // namespace torchgen_support
