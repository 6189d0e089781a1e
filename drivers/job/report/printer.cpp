#include "drivers/job/report/printer.hpp"

#include <fmt/core.h>

#include <cstdio>

#include "drivers/job/report/print_out.hpp"

namespace stencil {

void Printer::planned(const PlanReport& plan) {
  if (config_.check) print_out(config_.json ? plan.json + "\n" : plan.text);
}

void Printer::message(const std::string& text) {
  if (prints()) std::fputs(fmt::format("progress: {}\n", text).c_str(), stderr);
}

void Printer::note(const std::string& text) {
  message("note: " + text);
}

void Printer::warning(const std::string& text) {
  std::fputs(fmt::format("progress: note: {}\n", text).c_str(), stderr);
}

void Printer::begin(Index points) {
  progress_.emplace(config_.progress, 0, stderr);
  progress_->begin(points);
}

void Printer::begin_steps(const StepsAhead& steps) {
  progress_->begin_steps(steps.done, steps.total, steps.time_step, steps.unit);
}

void Printer::changed(std::optional<double> change) {
  progress_->changed(change);
}

void Printer::end(const RunEnd& end) {
  if (prints()) std::fputs(end.lines.c_str(), stderr);
}

}  // namespace stencil
