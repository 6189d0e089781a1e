#include "drivers/job/step_lines.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>

#include "framework/grid/error.hpp"
#include "framework/grid/one_line.hpp"
#include "framework/parallel/stop_request.hpp"
#include "io/write/fresh_file.hpp"
#include "io/write/nameplate.hpp"

namespace stencil {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t longest_line = 4096;
/// What every line says.
constexpr std::array names_in_lines{"step", "time", "seconds", "min", "max", "change", "nan"};

/// JSON has no infinity: null.
Json number(double value) {
  return std::isfinite(value) ? Json(value) : Json();
}

[[noreturn]] void refuse(const std::string& file, const std::string& why) {
  throw StorageError(fmt::format("cannot write {}, beside the report: {}: choose another --report",
                                 one_line(file), why));
}

/// The whole lines up to so many steps. @param seconds  set to those of the last one
std::string lines_up_to(const std::string& file, Index steps, double& seconds) {
  std::ifstream lines(file, std::ios::binary);
  std::string kept;
  for (std::string text; std::getline(lines, text) && !lines.eof();) {
    const Json line = Json::parse(text, nullptr, false);
    if (!line.is_object() || !line.contains("step") || !line["step"].is_number_integer() ||
        line["step"].get<Index>() > steps)
      break;
    if (const auto at = line.find("seconds"); at != line.end() && at->is_number())
      seconds = at->get<double>();
    kept += text + "\n";
  }
  return kept;
}

/// Whether a text is a line that StepLines::add() has written.
bool is_own_line(const std::string& text) {
  const Json line = Json::parse(text, nullptr, false);
  return line.is_object() && std::all_of(names_in_lines.begin(), names_in_lines.end(),
                                         [&](const char* name) { return line.contains(name); });
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
  if (!head.empty() && !is_own_line(head.substr(0, head.find('\n'))))
    refuse(file, "a file of this name exists that holds no lines of this program");
}

StepLines::StepLines(const std::string& file, Index steps, double time_step)
    : time_step_(time_step) {
  require_own_lines(file);
  const std::string kept = steps > 0 ? lines_up_to(file, steps, seconds_before_) : "";
  FreshFile fresh(fresh_name_beside(file), file);
  bytes_ = std::ssize(kept);
  if (const int error = write_at(fresh.number(), kept, 0)) refuse(file, std::strerror(error));
  if (const int error = fresh.take_place(file, file_)) refuse(file, std::strerror(error));
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
  const SideWork writes_line;
  // a log that cannot be written any more is no reason to end a run
  if (write_at(file_.number(), text, bytes_) == 0) bytes_ += std::ssize(text);
}

}  // namespace stencil
