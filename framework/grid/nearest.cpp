#include "framework/grid/nearest.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <numeric>

namespace stencil {

namespace {

std::string lower_case(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

constexpr std::size_t shortest_beginning = 3;  // least length of a word that is compared as the
                                               // beginning of another word

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
  // Three rows of the edit-distance table are enough: a swap of neighbours needs the row before the
  // previous one.
  std::vector<std::size_t> before(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before.swap(above);
    above.swap(row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = above[j - 1] + (a[i - 1] != b[j - 1]);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row.back();
}

std::string nearest(std::string_view word, const std::vector<std::string>& known) {
  // such a long word is not a misspelling, and its table would be needlessly large
  if (word.size() > 64) return {};
  const std::string lower = lower_case(word);
  std::string best;
  std::size_t least = 0;
  const auto take = [&](const std::string& candidate, std::size_t distance) {
    if (!best.empty() && distance >= least) return;
    best = candidate;
    least = distance;
  };
  for (const std::string& candidate : known) {
    const std::size_t distance = edit_distance(lower, lower_case(candidate));
    const std::size_t allowed = std::max<std::size_t>(1, candidate.size() / 3);
    // A candidate that has no letter in common with the word is never suggested, for example `1`
    // for `3`.
    if (distance >= std::min(word.size(), candidate.size())) continue;
    if (distance <= allowed) take(candidate, distance);
  }
  if (!best.empty() || word.size() < shortest_beginning) return best;
  for (const std::string& candidate : known)
    if (const std::string name = lower_case(candidate);
        candidate.size() >= shortest_beginning &&
        (name.starts_with(lower) || lower.starts_with(name)))
      take(candidate, edit_distance(lower, name));
  return best;
}

std::string suggestion(std::string_view word, const std::vector<std::string>& known) {
  const std::string near = nearest(word, known);
  if (!near.empty()) return fmt::format("did you mean {}?", near);
  return fmt::format("write one of {}", fmt::join(known, ", "));
}

}  // namespace stencil
