#include "drivers/plan/plan.hpp"

#include <utility>

namespace stencil {
namespace {

Problem unwatched(Problem problem) {
  if (problem.watching.every > 0)
    problem.notes.push_back(
        "the world goes through memory in windows, and its points are not looked at between the "
        "steps: run.nonfinite has no effect");
  problem.watching = {};
  return problem;
}

}  // namespace

Plan::Plan(Problem problem, RunWay way, Start start)
    : Problem(std::holds_alternative<AtOnce>(way) ? std::move(problem)
                                                  : unwatched(std::move(problem))),
      way_(std::move(way)),
      start_(std::move(start)) {}

const UnfinishedOutput* Plan::unfinished() const {
  if (const auto* unfinished = std::get_if<Unfinished>(&start_)) return unfinished->output.get();
  return resumed() ? resumed()->snapshots.get() : nullptr;
}

}  // namespace stencil
