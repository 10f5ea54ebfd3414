// Checks that count and go on, for the programs of this folder.
#pragma once

#include <cstdio>
#include <sstream>
#include <string>

inline int &failures() {
    static int count = 0;
    return count;
}

#define CHECK(...) \
    do { \
        if (!(__VA_ARGS__)) { \
            ++failures(); \
            std::printf("%s:%d: %s\n", __FILE__, __LINE__, #__VA_ARGS__); \
        } \
    } while (false)

#define CHECK_TEXT(found, wanted) \
    do { \
        const std::string found_ = (found), wanted_ = (wanted); \
        if (found_ != wanted_) { \
            ++failures(); \
            std::printf("%s:%d: found\n%s\nwanted\n%s\n", __FILE__, __LINE__, found_.c_str(), wanted_.c_str()); \
        } \
    } while (false)

template <typename T>
std::string text_of(const T &value) {
    std::ostringstream os;
    os << value;
    return os.str();
}
