// torchgen_comment
// Tensors with values, for literals and for the reference evaluator. Not fast: every element is a double, or an int64 for integers.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <iosfwd>
#include <string>
#include <vector>

#include "builder_shape.h"

namespace torchgen_support {

/// A number converted to an element type: integers wrap around, floats are rounded to the nearest, ties to even.
double round_to(shape::type_t type, double x);
std::int64_t wrap_to(shape::type_t type, std::int64_t x);

/// A tensor with values. Elements are in index order, whatever the strides.
class argument
{
    public:
    argument() = default;
    /// All zeros.
    explicit argument(const shape& s);
    template <class T>
    argument(const shape& s, const std::vector<T>& elements) : argument(s)
    {
        fill(elements.begin(), elements.end());
    }
    template <class T>
    argument(const shape& s, std::initializer_list<T> elements) : argument(s)
    {
        fill(elements.begin(), elements.end());
    }

    const shape& get_shape() const { return own_shape; }
    std::size_t elements() const { return integral() ? integers.size() : floats.size(); }
    bool empty() const { return elements() == 0; }
    /// Whether elements are integers. A packed pair of small floats is the byte that contains both.
    bool integral() const { return shape::is_integral(own_shape.type()) || own_shape.type() == shape::fp4x2_type; }

    double real(std::size_t i) const { return integral() ? static_cast<double>(integers[i]) : floats[i]; }
    std::int64_t integer(std::size_t i) const
    {
        return integral() ? integers[i] : static_cast<std::int64_t>(floats[i]);
    }
    /// Sets an element, converted to its type.
    void set(std::size_t i, double x);
    void set(std::size_t i, std::int64_t x);
    /// Copies an element of a tensor of the same type.
    void copy(std::size_t i, const argument& from, std::size_t j);

    /// All elements.
    template <class T = double>
    std::vector<T> to_vector() const
    {
        std::vector<T> result;
        result.reserve(elements());
        for(std::size_t i = 0; i < elements(); ++i)
            result.push_back(integral() ? static_cast<T>(integers[i]) : static_cast<T>(floats[i]));
        return result;
    }

    /// The same elements in another shape with the same number of elements.
    argument reshaped(const shape& s) const;

    friend bool operator==(const argument& a, const argument& b);
    friend bool operator!=(const argument& a, const argument& b) { return !(a == b); }
    friend std::ostream& operator<<(std::ostream& os, const argument& x);

    private:
    template <class I>
    void fill(I first, I last)
    {
        const auto count = static_cast<std::size_t>(last - first);
        if(count != elements() && count != 1)
            wrong_count(count);
        for(std::size_t i = 0; i < elements(); ++i)
        {
            const auto x = *(count == 1 ? first : first + static_cast<std::ptrdiff_t>(i));
            if constexpr(std::is_floating_point_v<std::remove_const_t<decltype(x)>>)
                set(i, static_cast<double>(x));
            else
                set(i, static_cast<std::int64_t>(x));
        }
    }
    [[noreturn]] void wrong_count(std::size_t count) const;

    shape own_shape;
    std::vector<double> floats;
    std::vector<std::int64_t> integers;
};

/// A constant: a tensor with values, or a number.
class literal : public argument
{
    public:
    literal() = default;
    using argument::argument;
    literal(const argument& x) : argument(x) {}
    template <class T, std::enable_if_t<std::is_arithmetic_v<T>, int> = 0>
    literal(T x) : argument(shape(shape::type_of<T>()), std::vector<T>(1, x))
    {
    }
};

} // namespace torchgen_support
