// Literals as they are read.
#pragma once

#include "parser_text.h"

namespace torchgen_support {
namespace {

/// Reads numbers, pointers and vectors of them.
class literal_reader_t : public text_reader_t {
public:
    using text_reader_t::text_reader_t;

    bool lane(union_val &value, sc_data_type_t &dtype) {
        blanks();
        const std::size_t start = at_;
        auto back = [&](const char *what) {
            at_ = start;
            return missing(what);
        };
        if (literal("true") || literal("false")) {
            value = union_val(static_cast<uint64_t>(text_[start] == 't'));
            dtype = datatypes::boolean;
            return true;
        }
        if (literal("((void*)")) {
            char *stop = nullptr;
            value = union_val(static_cast<uint64_t>(std::strtoull(text_.c_str() + at_, &stop, 10)));
            at_ = static_cast<std::size_t>(stop - text_.c_str());
            dtype = datatypes::pointer;
            return literal(")") || back("`)`");
        }
        const bool minus = at_ < text_.size() && text_[at_] == '-';
        std::size_t digits = at_ + (minus ? 1 : 0);
        if (digits >= text_.size()) return back("a literal");
        if (!std::isdigit(static_cast<unsigned char>(text_[digits]))) {
            // `inf` and `nan` are numbers where no variable has the name.
            for (const char *word : {"inf", "nan"}) {
                const bool whole = digits + 3 >= text_.size() || !is_word(text_[digits + 3]);
                if (text_.compare(digits, 3, word) == 0 && whole && !look_up(word).defined()) {
                    const float number = *word == 'i' ? std::numeric_limits<float>::infinity() : std::numeric_limits<float>::quiet_NaN();
                    value = union_val(minus ? -number : number);
                    dtype = datatypes::f32;
                    at_ = digits + 3;
                    return true;
                }
            }
            return back("a literal");
        }
        std::size_t stop = digits;
        bool point = false;
        auto skip_digits = [&] {
            while (stop < text_.size() && std::isdigit(static_cast<unsigned char>(text_[stop])))
                stop++;
        };
        skip_digits();
        if (stop + 1 < text_.size() && text_[stop] == '.' && std::isdigit(static_cast<unsigned char>(text_[stop + 1]))) {
            point = true;
            stop++;
            skip_digits();
        }
        if (stop < text_.size() && text_[stop] == 'e') {
            point = true;
            stop++;
            if (stop < text_.size() && (text_[stop] == '-' || text_[stop] == '+')) stop++;
            skip_digits();
        }
        const std::string number = text_.substr(start, stop - start);
        at_ = stop;
        if (text_.compare(at_, 2, ".f") == 0) {
            at_ += 2;
            point = true;
        }
        if (point) {
            value = union_val(std::strtof(number.c_str(), nullptr));
            dtype = datatypes::f32;
        } else if (text_.compare(at_, 2, "UL") == 0) {
            at_ += 2;
            value = union_val(static_cast<uint64_t>(std::strtoull(number.c_str(), nullptr, 10)));
            dtype = datatypes::index;
        } else {
            value = union_val(static_cast<int64_t>(std::strtoll(number.c_str(), nullptr, 10)));
            dtype = datatypes::s32;
        }
        if (at_ < text_.size() && is_word(text_[at_])) return back("a literal");
        return true;
    }

    bool read_literal(std::vector<union_val> &values, sc_data_type_t &dtype) {
        union_val value(static_cast<uint64_t>(0));
        if (lane(value, dtype)) {
            values.push_back(value);
            return true;
        }
        // `(1, 2)`: a vector.
        const std::size_t start = at_;
        if (!literal("(")) return false;
        sc_data_type_t other;
        while (lane(value, other)) {
            if (!values.empty() && other != dtype) break;
            dtype = other;
            values.push_back(value);
            if (!literal(", ")) break;
        }
        if (values.size() > 1 && literal(")")) {
            dtype = vector_dtype(dtype, values.size());
            return true;
        }
        values.clear();
        at_ = start;
        return false;
    }
};

} // namespace
} // namespace torchgen_support
