#include "drivers/job/step_lines.hpp"

#include <fmt/core.h>

#include <cerrno>
#include <cmath>
#include <cstring>
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

}  // namespace

StepLines::StepLines(const std::string& file, bool appends, double time_step)
    : file_(std::fopen(file.c_str(), appends ? "ae" : "we")), time_step_(time_step) {
  if (!file_)
    throw StorageError(
        fmt::format("cannot write {}, beside the report: {}: choose another --report",
                    one_line(file), std::strerror(errno)));
}

void StepLines::add(const Look& look, double seconds, std::optional<Index> snapshot) {
  const PointFacts& facts = look.facts;
  Json line = {{"step", look.steps},
               {"time", double(look.steps) * time_step_},
               {"seconds", seconds},
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
