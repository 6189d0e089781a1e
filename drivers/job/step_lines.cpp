#include "drivers/job/step_lines.hpp"

#include <fmt/core.h>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "framework/grid/error.hpp"
#include "framework/grid/one_line.hpp"

namespace stencil {
namespace {

using Json = nlohmann::ordered_json;

/// JSON has no infinity: null.
Json number(double value) {
  return std::isfinite(value) ? Json(value) : Json();
}

/// Cuts off the lines behind so many steps, and one that is not whole. @returns the seconds of the
/// last line that stays; 0 where none does
double cut_behind(const std::string& file, Index steps) {
  std::ifstream lines(file, std::ios::binary);
  if (!lines) return 0;
  double seconds = 0;
  std::uintmax_t kept = 0;
  for (std::string text; std::getline(lines, text) && !lines.eof();) {
    const Json line = Json::parse(text, nullptr, false);
    if (!line.is_object() || !line.contains("step") || !line["step"].is_number_integer() ||
        line["step"].get<Index>() > steps)
      break;
    if (const auto at = line.find("seconds"); at != line.end() && at->is_number())
      seconds = at->get<double>();
    kept += text.size() + 1;
  }
  std::error_code is_told_when_it_is_opened;
  std::filesystem::resize_file(file, kept, is_told_when_it_is_opened);
  return seconds;
}

}  // namespace

StepLines::StepLines(const std::string& file, Index steps, double time_step)
    : seconds_before_(steps > 0 ? cut_behind(file, steps) : 0),
      file_(std::fopen(file.c_str(), steps > 0 ? "ae" : "we")),
      time_step_(time_step) {
  if (!file_)
    throw StorageError(
        fmt::format("cannot write {}, beside the report: {}: choose another --report",
                    one_line(file), std::strerror(errno)));
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
  // a log that cannot be written any more is no reason to end a run
  std::fputs((line.dump() + "\n").c_str(), file_.get());
  std::fflush(file_.get());
}

}  // namespace stencil
