// torchgen_comment
// Shapes: element type, lengths and strides, or ranges of lengths if they are not known yet.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <iosfwd>
#include <string>
#include <vector>

#include "builder_value.h"

namespace torchgen_support {

/// Element type, lengths and strides of a tensor.
class shape
{
    public:
    enum type_t
    {
        bool_type,
        half_type,
        float_type,
        double_type,
        uint8_type,
        int8_type,
        uint16_type,
        int16_type,
        int32_type,
        int64_type,
        uint32_type,
        uint64_type,
        fp8e4m3fnuz_type,
        fp8e4m3fn_type,
        fp8e5m2_type,
        bf16_type,
        fp8e5m2fnuz_type,
        fp4x2_type
    };

    /// The range of a length.
    struct dynamic_dimension
    {
        std::size_t min = 0;
        std::size_t max = 0;
        bool is_fixed() const { return min == max; }
        /// The intersection of two ranges.
        std::optional<dynamic_dimension> intersection(const dynamic_dimension& other) const;
        friend bool operator==(const dynamic_dimension& a, const dynamic_dimension& b)
        {
            return a.min == b.min && a.max == b.max;
        }
        friend bool operator!=(const dynamic_dimension& a, const dynamic_dimension& b) { return !(a == b); }
    };

    /// A scalar float.
    shape() : shape(float_type) {}
    /// A scalar, which broadcasts to any shape.
    shape(type_t type) : own_type(type), own_lens{1}, own_strides{0} {}
    shape(type_t type, std::vector<std::size_t> lens);
    shape(type_t type, std::initializer_list<std::size_t> lens) : shape(type, std::vector<std::size_t>(lens)) {}
    shape(type_t type, std::vector<std::size_t> lens, std::vector<std::size_t> strides);
    shape(type_t type, std::initializer_list<std::size_t> lens, std::initializer_list<std::size_t> strides)
        : shape(type, std::vector<std::size_t>(lens), std::vector<std::size_t>(strides))
    {
    }
    /// A dynamic shape, with ranges for lengths.
    shape(type_t type, std::vector<dynamic_dimension> dims) : own_type(type), ranges(std::move(dims)), is_dynamic(true) {}

    type_t type() const { return own_type; }
    /// The lengths; throws for a dynamic shape.
    const std::vector<std::size_t>& lens() const;
    /// The strides; throws for a dynamic shape.
    const std::vector<std::size_t>& strides() const;
    /// The ranges of a dynamic shape; of a static one, ranges of a single length.
    std::vector<dynamic_dimension> dyn_dims() const;
    std::vector<std::size_t> max_lens() const;
    bool dynamic() const { return is_dynamic; }
    std::size_t ndim() const { return is_dynamic ? ranges.size() : own_lens.size(); }
    std::size_t elements() const;
    /// The same shape as a dynamic one.
    shape to_dynamic() const { return {own_type, dyn_dims()}; }
    /// Whether elements are contiguous and in order.
    bool standard() const;
    /// Whether elements are contiguous, in any order.
    bool packed() const;
    /// Whether all elements are at the same address.
    bool scalar() const;
    shape with_type(type_t type) const;

    friend bool operator==(const shape& a, const shape& b);
    friend bool operator!=(const shape& a, const shape& b) { return !(a == b); }
    friend std::ostream& operator<<(std::ostream& os, const shape& s);

    /// The name of a type: `float_type`.
    static std::string name(type_t type);
    static bool is_integral(type_t type) { return type >= uint8_type && type <= uint64_type; }

    /// The element type of a C++ type.
    template <class T>
    static constexpr type_t type_of()
    {
        if constexpr(std::is_same_v<T, bool>)
            return bool_type;
        else if constexpr(std::is_same_v<T, float>)
            return float_type;
        else if constexpr(std::is_same_v<T, double>)
            return double_type;
        else
        {
            static_assert(std::is_integral_v<T>, "no element type for this C++ type");
            constexpr bool sign = std::is_signed_v<T>;
            if constexpr(sizeof(T) == 1)
                return sign ? int8_type : uint8_type;
            else if constexpr(sizeof(T) == 2)
                return sign ? int16_type : uint16_type;
            else if constexpr(sizeof(T) == 4)
                return sign ? int32_type : uint32_type;
            else
                return sign ? int64_type : uint64_type;
        }
    }

    private:
    type_t own_type;
    std::vector<std::size_t> own_lens;
    std::vector<std::size_t> own_strides;
    std::vector<dynamic_dimension> ranges;
    bool is_dynamic = false;
};

/// The element type with that number or name, with or without `_type`.
shape::type_t enum_from_value(const value& v, shape::type_t);

std::string to_string(const shape& s);
std::string to_string(const std::vector<std::size_t>& lens);

value to_value(const std::vector<shape::dynamic_dimension>& dims);
std::vector<shape::dynamic_dimension> dyn_dims_from_value(const value& v);

} // namespace torchgen_support
