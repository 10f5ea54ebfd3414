// Text as one word of a saved file.
#pragma once

#include <string>
#include <string_view>

namespace torchgen_support {

/// The value of a digit of a number of base 16, or -1.
inline int hexDigit(char c) {
  if (c >= '0' && c <= '9') {
    return c - '0';
  }
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/// Bytes as a word: `x` and two digits for each.
inline std::string bytesWord(std::string_view bytes) {
  std::string out = "x";
  for (char c : bytes) {
    out += "0123456789abcdef"[static_cast<unsigned char>(c) >> 4];
    out += "0123456789abcdef"[static_cast<unsigned char>(c) & 15];
  }
  return out;
}

/// Reads such a word; false if it is none.
inline bool bytesOf(std::string_view word, std::string &bytes) {
  bytes.clear();
  if (word.size() % 2 == 0 || word[0] != 'x') {
    return false;
  }
  for (std::size_t i = 1; i < word.size(); i += 2) {
    const int high = hexDigit(word[i]);
    const int low = hexDigit(word[i + 1]);
    if (high < 0 || low < 0) {
      return false;
    }
    bytes += static_cast<char>(high * 16 + low);
  }
  return true;
}

/// Text without blanks: what is not a letter, a digit or one of `_.:-` becomes `%` and two digits.
inline std::string escapedWord(std::string_view text) {
  std::string out;
  for (char c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (plain || c == '_' || c == '.' || c == ':' || c == '-') {
      out += c;
    } else {
      out += '%';
      out.append(bytesWord({&c, 1}), 1, 2);
    }
  }
  return out;
}

/// Reads such a word; false if a `%` has no two digits behind it.
inline bool unescapeWord(std::string_view word, std::string &text) {
  text.clear();
  for (std::size_t i = 0; i < word.size(); ++i) {
    if (word[i] != '%') {
      text += word[i];
      continue;
    }
    const int high = i + 2 < word.size() ? hexDigit(word[i + 1]) : -1;
    const int low = i + 2 < word.size() ? hexDigit(word[i + 2]) : -1;
    if (high < 0 || low < 0) {
      return false;
    }
    text += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return true;
}

} // namespace torchgen_support
