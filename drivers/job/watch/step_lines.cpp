#include "drivers/job/watch/step_lines.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

#include "framework/grid/error.hpp"
#include "framework/grid/one_line.hpp"
#include "io/write/blocks/readback.hpp"
#include "io/write/lock/fresh_file.hpp"
#include "io/write/lock/nameplate.hpp"
#include "io/write/lock/own_mark.hpp"

namespace stencil {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t longest_line = 4096;
/// Names of the JSON members that every line has.
constexpr std::array names_in_lines{"step", "time", "seconds", "min", "max", "change", "nan"};

/// Returns a JSON number, or null for infinities and NaN, which JSON lacks.
Json number(double value) {
  return std::isfinite(value) ? Json(value) : Json();
}

[[noreturn]] void refuse(const std::string& file, const std::string& why) {
  throw StorageError(
      fmt::format("cannot write {}, which lies next to the report: {}: choose another --report",
                  one_line(file), why));
}

/// Updates a checksum with one line, so that the checksum can be computed line by line.
std::uint64_t with_line(std::uint64_t checksum, const std::string& line) {
  const std::uint64_t sums[] = {checksum, storage::checksum_of(line.data(), line.size())};
  return storage::checksum_of(sums, sizeof sums);
}

/// Returns the lines of an open file that were written before a checkpoint. @returns std::nullopt
/// if the file does not begin with these lines
std::optional<std::string> lines_saved(const storage::Descriptor& file, const LinesSaved& saved) {
  struct stat state {};
  if (!file || ::fstat(file.number(), &state) != 0 || state.st_size < saved.bytes) return {};
  std::string text(static_cast<std::size_t>(saved.bytes), '\0');
  if (storage::read_exactly(file.number(), reinterpret_cast<std::byte*>(text.data()), saved.bytes,
                            0) != 0)
    return {};
  LinesSaved found;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line) && !lines.eof();) {
    found.bytes += std::ssize(line) + 1;
    found.checksum = with_line(found.checksum, line + "\n");
  }
  if (found.bytes != saved.bytes || found.checksum != saved.checksum) return {};
  return text;
}

/// Returns the member `seconds` of the last line of a text; 0 if there is none.
double last_seconds(const std::string& lines) {
  if (lines.size() < 2) return 0;
  const std::size_t before = lines.rfind('\n', lines.size() - 2);
  const Json line =
      Json::parse(lines.substr(before == lines.npos ? 0 : before + 1), nullptr, false);
  return line.is_object() && line.contains("seconds") && line["seconds"].is_number()
             ? line["seconds"].get<double>()
             : 0;
}

/// Returns whether a text is a line that StepLines::add() has written.
bool is_own_line(const std::string& text) {
  const Json line = Json::parse(text, nullptr, false);
  return line.is_object() && std::all_of(names_in_lines.begin(), names_in_lines.end(),
                                         [&](const char* name) { return line.contains(name); });
}

/// Returns whether a text is the beginning of a line that StepLines::add() writes, and long enough
/// to distinguish this line from lines of other programs.
bool is_own_beginning(const std::string& text) {
  static const std::regex beginning(R"(\{"step":[0-9]+,"time":[^\n]*)");
  return std::regex_match(text, beginning);
}

int write_at(int file, const std::string& text, Index at) {
  return storage::write_exactly(file, reinterpret_cast<const std::byte*>(text.data()),
                                std::ssize(text), at);
}

}  // namespace

void require_own_lines(const std::string& file) {
  struct stat state {};
  if (::lstat(file.c_str(), &state) != 0) {
    if (errno != ENOENT) refuse(file, std::strerror(errno));
    return;
  }
  if (const char* kind = storage::odd_kind(state)) refuse(file, fmt::format("it is {}", kind));
  const storage::Descriptor old(
      ::open(file.c_str(), O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC));
  std::string head(longest_line, '\0');
  const ssize_t got = old ? ::pread(old.number(), head.data(), head.size(), 0) : -1;
  if (got < 0) refuse(file, std::strerror(errno));
  head.resize(static_cast<std::size_t>(got));
  const bool is_own = head.empty() || is_own_line(head.substr(0, head.find('\n'))) ||
                      is_own_beginning(head) ||
                      storage::holds_zeros_only(old.number(), state.st_size);
  if (!is_own) refuse(file, "a file of this name exists that holds no lines of this program");
}

StepLines::StepLines(const std::string& file, Index steps, double time_step,
                     const std::optional<LinesSaved>& saved)
    : time_step_(time_step) {
  require_own_lines(file);
  std::optional<std::string> kept;
  if (steps > 0) {
    const storage::Descriptor old(
        ::open(file.c_str(), O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC));
    if (saved) kept = lines_saved(old, *saved);
    if (!kept && (saved || old))
      note_ = fmt::format(
          "{} {}: the lines begin after step {}", one_line(file),
          old ? "does not begin with the lines that this run wrote before its checkpoint"
              : "is gone, to which this run wrote lines before its checkpoint",
          steps);
  }
  if (kept) written_ = *saved;
  if (kept) seconds_before_ = last_seconds(*kept);
  FreshFile fresh(fresh_name_beside(file), file);
  if (const int error = write_at(fresh.number(), kept.value_or(""), 0))
    refuse(file, std::strerror(error));
  if (const int error = fresh.take_place(file, file_)) refuse(file, std::strerror(error));
}

LinesSaved StepLines::saved() const {
  ::fdatasync(file_.number());  // the next run detects lines that are lost in a crash
  return written_;
}

void StepLines::add(const Look& look, double seconds, std::optional<Index> snapshot) {
  const PointFacts& facts = look.facts;
  Json line = {{"step", look.steps},
               {"time", double(look.steps) * time_step_},
               {"seconds", seconds_before_ + seconds},
               {"min", number(facts.least)},
               {"max", number(facts.greatest)},
               {"change", look.change ? number(*look.change) : Json()},
               {"nan", facts.nans},
               {"infinite", facts.infinities}};
  if (look.rms) line["change_rms"] = number(*look.rms);
  if (snapshot) line["snapshot"] = *snapshot;
  const std::string text = line.dump() + "\n";
  // A failure to write this log does not end the run.
  if (write_at(file_.number(), text, written_.bytes) == 0) {
    written_.bytes += std::ssize(text);
    written_.checksum = with_line(written_.checksum, text);
  } else if (::ftruncate(file_.number(), written_.bytes) != 0) {
    // If the line was written only in part, the next line overwrites it.
  }
}

}  // namespace stencil
