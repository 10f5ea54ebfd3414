// Types of a program's own, for fields of nodes.
#pragma once

#include <cstddef>
#include <functional>
#include <istream>
#include <ostream>
#include <string>

namespace geometry {

/// What has all operators.
struct point {
    int x = 0, y = 0;
};
inline bool operator==(const point &a, const point &b) { return a.x == b.x && a.y == b.y; }
inline std::ostream &operator<<(std::ostream &os, const point &p) { return os << '<' << p.x << '/' << p.y << '>'; }
inline std::istream &operator>>(std::istream &is, point &p) {
    char open = 0, slash = 0, close = 0;
    const bool read = static_cast<bool>(is >> open >> p.x >> slash >> p.y >> close);
    if (read && (open != '<' || slash != '/' || close != '>')) is.setstate(std::ios::failbit);
    return is;
}

/// What has functions: one that turns all the way round is the same angle.
struct angle {
    int degrees = 0;
};
inline bool same_angle(const angle &a, const angle &b) { return (a.degrees - b.degrees) % 360 == 0; }
inline std::size_t hash_of_angle(const angle &a) { return static_cast<std::size_t>((a.degrees % 360 + 360) % 360); }
inline void print_angle(std::ostream &os, const angle &a) { os << a.degrees << "deg"; }
inline bool read_angle(const std::string &text, std::size_t &at, angle &a) {
    std::size_t stop = at;
    while (stop < text.size() && text[stop] >= '0' && text[stop] <= '9')
        stop++;
    if (stop == at || text.compare(stop, 3, "deg") != 0) return false;
    a.degrees = std::stoi(text.substr(at, stop - at));
    at = stop + 3;
    return true;
}

/// What is compared by another operator: `%` says whether two sizes are as many words.
struct size {
    int bytes = 0;
};
inline bool operator%(const size &a, const size &b) { return a.bytes / 8 == b.bytes / 8; }
inline std::size_t hash_of_size(const size &s) { return static_cast<std::size_t>(s.bytes / 8); }
inline std::ostream &operator<<(std::ostream &os, const size &s) { return os << s.bytes << 'B'; }
inline std::istream &operator>>(std::istream &is, size &s) {
    char unit = 0;
    if (is >> s.bytes >> unit && unit != 'B') is.setstate(std::ios::failbit);
    return is;
}

/// What nodes can say of themselves.
template <typename Node>
struct described {
    std::string description() const { return "kind " + std::to_string(static_cast<int>(Node::type_code_)); }
};

/// What nodes and records can say of themselves.
template <typename Node>
struct sized {
    std::size_t bytes() const { return sizeof(Node); }
};

} // namespace geometry

template <>
struct std::hash<geometry::point> {
    std::size_t operator()(const geometry::point &p) const { return static_cast<std::size_t>(p.x * 31 + p.y); }
};
