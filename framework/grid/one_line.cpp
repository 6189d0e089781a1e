#include "framework/grid/one_line.hpp"

#include <fmt/core.h>

#include <cstdint>
#include <vector>

namespace stencil {

namespace {

/// The code point at the start of a text, or one byte that is not valid UTF-8.
struct Character {
  std::size_t bytes = 1;
  std::uint32_t code = 0;
  bool valid = false;
};

Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(0);
  if (lead < 0x80) return {1, lead, true};
  const std::size_t bytes = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < bytes) return {1, lead, false};
  std::uint32_t code = lead & (0x7fu >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {1, lead, false};
    code = code << 6 | (byte(i) & 0x3f);
  }
  constexpr std::uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xd800 && code <= 0xdfff;
  if (code < least[bytes] || code > 0x10ffff || surrogate) return {1, lead, false};
  return {bytes, code, true};
}

/// Characters that break a line, move the cursor, or change the display of the text around them.
bool unprintable(std::uint32_t code) {
  const auto within = [code](std::uint32_t low, std::uint32_t high) {
    return code >= low && code <= high;
  };
  return code < 0x20 || within(0x7f, 0x9f) || code == 0xad || within(0x200b, 0x200f) ||
         within(0x2028, 0x202e) || within(0x2060, 0x206f) || code == 0xfeff ||
         within(0xfff0, 0xfffb) || within(0xe0000, 0xe0fff);
}

std::string printable(std::string_view bytes, const Character& character) {
  if (!character.valid) return fmt::format("\\x{:02x}", character.code);
  if (!unprintable(character.code)) return std::string(bytes);
  switch (character.code) {
    case '\n':
      return "\\n";
    case '\r':
      return "\\r";
    case '\t':
      return "\\t";
    default:
      return character.code < 0x80 ? fmt::format("\\x{:02x}", character.code)
                                   : fmt::format("\\u{{{:x}}}", character.code);
  }
}

/// A character or an escape as printed, and its width in characters.
struct Piece {
  std::string text;
  std::size_t width;
};

Piece take_piece(std::string_view& text) {
  const Character character = first_character(text);
  std::string out = printable(text.substr(0, character.bytes), character);
  const bool escaped = !character.valid || unprintable(character.code);
  const std::size_t width = escaped ? out.size() : 1;
  text.remove_prefix(character.bytes);
  return {std::move(out), width};
}

}  // namespace

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const Character character = first_character(text);
    if (!character.valid) return false;
    text.remove_prefix(character.bytes);
  }
  return true;
}

std::string one_line(std::string_view text, std::size_t limit) {
  std::vector<Piece> pieces;
  std::size_t width = 0;
  while (!text.empty()) {
    pieces.push_back(take_piece(text));
    width += pieces.back().width;
  }
  std::string line;
  if (width <= limit) {
    for (const Piece& piece : pieces) line += piece.text;
    return line;
  }
  const std::size_t head = (limit - 3) * 2 / 3;
  const std::size_t tail = limit - 3 - head;
  std::size_t used = 0;
  for (const Piece& piece : pieces) {
    if ((used += piece.width) > head) break;
    line += piece.text;
  }
  std::size_t from = pieces.size();
  used = 0;
  while (from > 0 && used + pieces[from - 1].width <= tail) used += pieces[--from].width;
  line += "...";
  for (; from < pieces.size(); ++from) line += pieces[from].text;
  return line;
}

std::string shortened(std::string_view text, std::size_t limit) {
  return one_line(text, limit);
}

}  // namespace stencil
