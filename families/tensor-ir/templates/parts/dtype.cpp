// What dtype.cpp has for every IR.
#include "dtype.h"

#include <cstdlib>
#include <ostream>
#include <sstream>

namespace torchgen_support {

namespace detail {
namespace {

struct name_of_etype {
    sc_data_etype etype;
    const char *name;
    std::size_t size;
    type_category category;
};

constexpr name_of_etype etype_names[] = {
    {sc_data_etype::UNDEF, "undef", 0, CATE_OTHER},
    {sc_data_etype::F16, "f16", 2, CATE_FLOAT},
    {sc_data_etype::BF16, "bf16", 2, CATE_FLOAT},
    {sc_data_etype::F32, "f32", 4, CATE_FLOAT},
    {sc_data_etype::S32, "s32", 4, CATE_INT},
    {sc_data_etype::U32, "u32", 4, CATE_UINT},
    {sc_data_etype::U16, "u16", 2, CATE_UINT},
    {sc_data_etype::S8, "s8", 1, CATE_INT},
    {sc_data_etype::U8, "u8", 1, CATE_UINT},
    {sc_data_etype::INDEX, "index", 8, CATE_UINT},
    {sc_data_etype::BOOLEAN, "bool", 1, CATE_UINT},
    {sc_data_etype::GENERIC, "generic_val", 8, CATE_OTHER},
    {sc_data_etype::VOID_T, "void", 0, CATE_OTHER},
    {sc_data_etype::POINTER, "pointer", 8, CATE_OTHER},
};

const name_of_etype *find(sc_data_etype etype) {
    for (const auto &row : etype_names)
        if (row.etype == etype) return &row;
    return nullptr;
}

} // namespace
} // namespace detail

sc_data_etype sc_data_type_t::as_etype() const {
    if (lanes_ != 1 || rows_ != 0) throw std::logic_error(to_string(*this) + " is not a scalar");
    return type_code_;
}

sc_data_type_t sc_data_type_t::get_pointer_element() const {
    if (!is_pointer()) throw std::logic_error(to_string(*this) + " is not a pointer");
    return sc_data_type_t(etypes::get_pointer_element(type_code_));
}

type_category get_etype_category_nothrow(sc_data_type_t dtype) {
    const auto *row = detail::find(dtype.type_code_);
    return row ? row->category : CATE_OTHER;
}

type_category get_type_category_nothrow(sc_data_type_t dtype) {
    return dtype.lanes_ == 1 && dtype.rows_ == 0 ? get_etype_category_nothrow(dtype) : CATE_OTHER;
}

type_category get_etype_category(sc_data_type_t dtype) {
    type_category category = get_etype_category_nothrow(dtype);
    if (category == CATE_OTHER) throw std::logic_error(to_string(dtype) + " has no category");
    return category;
}

type_category get_type_category(sc_data_type_t dtype) {
    type_category category = get_type_category_nothrow(dtype);
    if (category == CATE_OTHER) throw std::logic_error(to_string(dtype) + " has no category");
    return category;
}

const char *category_name(type_category category) {
    switch (category) {
        case CATE_FLOAT: return "float";
        case CATE_INT: return "int";
        case CATE_UINT: return "uint";
        case CATE_OTHER: break;
    }
    return "other";
}

std::size_t get_sizeof_etype(sc_data_etype etype) {
    if (etypes::is_pointer(etype)) return sizeof(void *);
    const auto *row = detail::find(etype);
    return row ? row->size : 0;
}

std::size_t get_sizeof_type(sc_data_type_t dtype) {
    return get_sizeof_etype(dtype.type_code_) * dtype.lanes_;
}

std::ostream &operator<<(std::ostream &os, sc_data_etype etype) {
    if (const auto *row = detail::find(etype)) return os << row->name;
    if (etypes::is_pointer(etype)) return os << etypes::get_pointer_element(etype) << '*';
    return os << "etype" << static_cast<uint32_t>(etype);
}

std::ostream &operator<<(std::ostream &os, sc_data_type_t dtype) {
    os << dtype.type_code_;
    if (dtype.lanes_ > 1) {
        if (dtype.rows_ != 0) {
            os << 'x' << dtype.rows_ << 'x' << dtype.lanes_ / dtype.rows_;
        } else {
            os << 'x' << dtype.lanes_;
        }
    }
    return os;
}

std::string to_string(sc_data_type_t dtype) {
    std::ostringstream os;
    os << dtype;
    return os.str();
}

bool parse_dtype(const std::string &text, sc_data_type_t &dtype) {
    for (const auto &row : detail::etype_names) {
        const std::string name = row.name;
        if (text.compare(0, name.size(), name) != 0) continue;
        std::string rest = text.substr(name.size());
        sc_data_etype etype = row.etype;
        if (!rest.empty() && rest[0] == '*') {
            etype = etypes::get_pointerof(etype);
            rest.erase(0, 1);
        }
        uint64_t lanes = 1, rows = 0;
        if (!rest.empty()) {
            // `x8`, or `x4x16` for a tile of four rows.
            char *end = nullptr;
            if (rest[0] != 'x') continue;
            lanes = std::strtoull(rest.c_str() + 1, &end, 10);
            if (*end == 'x') {
                rows = lanes;
                lanes = rows * std::strtoull(end + 1, &end, 10);
            }
            if (*end != '\0' || lanes == 0 || lanes > 0xffff || rows > 0xffff) continue;
        }
        dtype = sc_data_type_t(etype, static_cast<uint16_t>(lanes), static_cast<uint16_t>(rows));
        return true;
    }
    return false;
}

} // namespace torchgen_support
