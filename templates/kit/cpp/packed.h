// Text as bytes: each word once, then numbers in its place. Any text comes back as it was.
#pragma once

#include "words.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace torchgen_support {

/// How packed text begins, which no text does.
inline constexpr std::string_view packedMark = "\x89IR\x01";

inline bool isPacked(std::string_view bytes) { return bytes.substr(0, packedMark.size()) == packedMark; }

/// What a number stands for; those from `Known` on, for the words so far.
enum class Packed : std::uint64_t { Line, Word, Bytes, Known };

inline void packNumber(std::string &out, std::uint64_t number) {
  for (; number >= 128; number >>= 7) {
    out += static_cast<char>(number % 128 + 128);
  }
  out += static_cast<char>(number);
}

inline std::string packText(std::string_view text) {
  std::string out(packedMark);
  std::unordered_map<std::string_view, std::uint64_t> known;
  // A shorter word costs no more as it is.
  constexpr std::size_t fewestDigits = 17;
  std::string bytes;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t line = std::min(text.find('\n', at), text.size());
    // A line of n blanks has n + 1 words, some of them empty.
    for (std::size_t next = at; next <= line;) {
      const std::size_t end = std::min(text.find(' ', next), line);
      const std::string_view word = text.substr(next, end - next);
      const auto [found, isNew] = known.emplace(word, known.size());
      if (!isNew) {
        packNumber(out, found->second + static_cast<std::uint64_t>(Packed::Known));
      } else if (word.size() >= fewestDigits && bytesOf(word, bytes)) {
        packNumber(out, static_cast<std::uint64_t>(Packed::Bytes));
        packNumber(out, bytes.size());
        out += bytes;
      } else {
        packNumber(out, static_cast<std::uint64_t>(Packed::Word));
        packNumber(out, word.size());
        out += word;
      }
      next = end + 1;
    }
    if (line < text.size()) {
      packNumber(out, static_cast<std::uint64_t>(Packed::Line));
    }
    at = line + 1;
  }
  return out;
}

/// The text; false if the bytes are not packed text, or end too early.
inline bool unpackText(std::string_view bytes, std::string &text) {
  if (!isPacked(bytes)) {
    return false;
  }
  std::size_t at = packedMark.size();
  const auto number = [&](std::uint64_t &value) {
    value = 0;
    for (unsigned shift = 0; at < bytes.size() && shift < 64; shift += 7) {
      const auto byte = static_cast<unsigned char>(bytes[at++]);
      value |= static_cast<std::uint64_t>(byte % 128) << shift;
      if (byte < 128) {
        return true;
      }
    }
    return false;
  };
  std::vector<std::string> words;
  bool begins = true;
  while (at < bytes.size()) {
    std::uint64_t what = 0;
    if (!number(what)) {
      return false;
    }
    if (what == static_cast<std::uint64_t>(Packed::Line)) {
      text += '\n';
      begins = true;
      continue;
    }
    if (what < static_cast<std::uint64_t>(Packed::Known)) {
      std::uint64_t size = 0;
      if (!number(size) || size > bytes.size() - at) {
        return false;
      }
      const std::string_view raw = bytes.substr(at, size);
      at += size;
      words.push_back(what == static_cast<std::uint64_t>(Packed::Bytes) ? bytesWord(raw) : std::string(raw));
      what = words.size() - 1;
    } else {
      what -= static_cast<std::uint64_t>(Packed::Known);
    }
    if (what >= words.size()) {
      return false;
    }
    if (!begins) {
      text += ' ';
    }
    text += words[what];
    begins = false;
  }
  return true;
}

} // namespace torchgen_support
