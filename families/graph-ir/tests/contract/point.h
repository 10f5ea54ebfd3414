// A type of members that the family does not know.
#pragma once

#include <cstddef>
#include <istream>
#include <ostream>
#include <string>

struct Point {
  int x;
  int y;
};

inline bool samePoint(const Point &a, const Point &b) { return a.x == b.x && a.y == b.y; }
inline std::size_t hashOfPoint(const Point &point) { return static_cast<std::size_t>(point.x * 31 + point.y); }
inline std::ostream &operator<<(std::ostream &os, const Point &point) { return os << point.x << "," << point.y; }
inline std::istream &operator>>(std::istream &is, Point &point) {
  char comma = 0;
  return is >> point.x >> comma >> point.y;
}

/// A type that cannot be written.
struct Secret {
  int value;
  bool operator==(const Secret &other) const { return value == other.value; }
};

inline std::size_t hashOfSecret(const Secret &secret) { return static_cast<std::size_t>(secret.value); }

/// A mix-in of classes.
template <typename T> struct IsDescribed {
  std::string describe() const { return std::string("a ") + T::classInfo().name; }
};
