#include "drivers/job/watch/point_watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "drivers/plan/predict/plan_costs.hpp"
#include "drivers/plan/predict/transfer_boxes.hpp"
#include "framework/device/cpu/cpu_executor.hpp"
#include "framework/grid/error.hpp"

namespace stencil {
namespace {

/// Returns the combined facts of all ranks. Collective.
PointFacts sum_of(const Communicator& communicator, const PointFacts& own) {
  PointFacts all;
  all.nans = communicator.sum(own.nans);
  all.infinities = communicator.sum(own.infinities);
  all.least = communicator.minimum(own.least);
  all.greatest = communicator.maximum(own.greatest);
  all.change = communicator.maximum(own.change);
  return all;
}

SquareSum sum_of(const Communicator& communicator, SquareSum sum) {
  for (Index& limb : sum.limbs) limb = communicator.sum(limb);
  return sum;
}

/// Returns the number of outputs that lie beyond the inputs, at both ends of an axis.
Index outputs_beyond(const AxisSampling& axis) {
  if (axis.count == 0) return 0;
  const Index last = axis.first + (axis.count - 1) * axis.stride;
  return std::max<Index>(0, -axis.first) + std::max<Index>(0, last - (axis.extent - 1));
}

/// Returns the largest number of points to which NaN can spread while a chain advances from step
/// `from` to step `to`. A NaN at one point spreads only within the box of the outputs whose masks
/// reach the point, even if boundary rules mirror the point. There is one exception: outputs beyond
/// the inputs (extent = full) may be computed from mirror images of a point at either end, and
/// later stages spread the NaN of these outputs, too.
double most_nans(const Chain& chain, Index known, Index from, Index to) {
  // for each NaN, along each axis: number of affected points, and number of their runs
  std::array<double, axes> span, runs;
  span.fill(1);
  runs.fill(1);
  Index begin = 0;
  for (const BoundStage& stage : chain.stages) {
    const Index steps = std::min(to, begin + stage.steps) - std::max(from, begin);
    begin += stage.steps;
    if (steps <= 0) continue;
    const Halo reach = nominal_halo(stage);
    for (int axis = 0; axis < axes; ++axis) {
      span[axis] +=
          runs[axis] * 2 * double(std::max(reach.low[axis], reach.high[axis])) * double(steps);
      const Index beyond = outputs_beyond(stage.sampling[axis]);
      span[axis] += double(beyond);
      if (beyond > 0) runs[axis] += 2;
    }
    if (stage.channels) {
      const Index mixed = stage.channels->out / stage.channels->groups;
      span[batch_axis] *= double(mixed);
    }
    for (int axis = 0; axis < axes; ++axis)
      span[axis] = std::min(span[axis], double(stage.output.shape()[axis]));
  }
  return double(known) * span[batch_axis] * span[y_axis] * span[x_axis];
}

}  // namespace

template <class T>
PointWatch<T>::PointWatch(Session& session, const Plan& plan, const Field<T>& input, OnLook on_look)
    : session_(session),
      plan_(plan),
      before_(plan.steps_before()),
      steps_(plan.steps_in_all()),
      on_look_(std::move(on_look)),
      finite_at_(before_) {
  Look first = find(input, nullptr);
  input_ = first.facts;
  finite_ = first.facts;
  if (!plan.resumed() || !plan.resumed()->input.nans) return;
  input_.nans = *plan.resumed()->input.nans;
  input_.infinities = plan.resumed()->input.infinities.value_or(0);
  first.steps = before_;
  judge_nonfinite(first);  // the checkpoint may have been written between two checks
}

/// If step lines are written, the points of each snapshot are checked, even if no other check is
/// due.
template <class T>
bool PointWatch<T>::is_due(Index steps) const {
  const Watching& of = plan_.watching;
  return is_decided(steps) ||
         (!of.lines.empty() && of.snapshot_every > 0 && steps % of.snapshot_every == 0);
}

template <class T>
bool PointWatch<T>::is_decided(Index steps) const {
  return steps % plan_.watching.every == 0 || steps == steps_;
}

/// The result may also be one step before the next check, although nothing is checked there. A
/// sweep then ends at that step, so the step before the check is a sweep of its own. At the check
/// the state therefore also holds the points before that step, from which their change is computed.
template <class T>
Index PointWatch<T>::next_look(Index done) const {
  const Index now = before_ + done;
  const auto behind = [&](Index every) { return now / every * every + every; };
  const Watching& of = plan_.watching;
  Index due = behind(of.every);
  if (!of.lines.empty() && of.snapshot_every > 0) due = std::min(due, behind(of.snapshot_every));
  if (due > steps_) return (now < steps_ ? steps_ : steps_ + 1) - before_;
  return (due - 1 > now && due < steps_ ? due - 1 : due) - before_;
}

template <class T>
template <class Of>
void PointWatch<T>::visit(const Field<T>& now, const Field<T>* before, const Of& of) {
  Executor& executor = session_.executor();
  session_.communicator().agree([&] {
    const Box owned = now.subdomain().owned;
    if (owned.empty()) return;
    if (executor.is_host()) return of(now.owned(), before ? before->owned() : FieldView<const T>{});
    const std::vector<Box> boxes =
        transfer_boxes(plan_.output_form, {}, owned, look_bytes / Index{sizeof(T)});
    CpuExecutor host;
    DensePiece<T> piece(host, boxes), earlier(host, before ? boxes : std::vector<Box>{});
    for (const Box& box : boxes) {
      const auto fetch = [&](const Field<T>& field, DensePiece<T>& to) {
        const FieldView<T> here = to.as(box);
        executor.download(rectangle_of(field.window(box)), rectangle_of(here), sizeof(T));
        return FieldView<const T>(here);
      };
      of(fetch(now, piece), before ? fetch(*before, earlier) : FieldView<const T>{});
    }
  });
}

template <class T>
Look PointWatch<T>::find(const Field<T>& now, const Field<T>* before) {
  const Communicator& communicator = session_.communicator();
  Look look;
  visit(now, before, [&](FieldView<const T> points, FieldView<const T> earlier) {
    look.facts += facts_of<T>(points, earlier);
  });
  look.facts = sum_of(communicator, look.facts);
  if (!before) return look;
  const double change = look.facts.change;
  look.change = change;
  if (!plan_.watching.until || !plan_.watching.until->is_rms) return look;
  look.rms = change;  // exact if the largest change is 0 or infinite
  if (change == 0 || !std::isfinite(change)) return look;
  SquareSum squares;
  visit(now, before, [&](FieldView<const T> points, FieldView<const T> earlier) {
    squares += squares_of_change<T>(points, earlier, change);
  });
  const auto all = double(points(plan_.chain.output_shape()));
  look.rms = change * std::sqrt(sum_of(communicator, squares).value() / all);
  return look;
}

template <class T>
bool PointWatch<T>::look(State<T>& state) {
  const Index done = before_ + state.steps_done;
  if (!is_due(done)) return true;
  const bool is_within = state.step > 0 && state.other.has_value();
  Look look = find(state.field, is_within ? &*state.other : nullptr);
  look.steps = done;
  judge_nonfinite(look);
  const bool is_last_stage = state.stage + 1 == plan_.chain.stages.size();
  look.ends = is_last_stage && is_decided(done) && is_still(look);
  if (on_look_) on_look_(look);
  if (done == steps_) tell_unreached();
  if (is_last_stage) last_ = look;
  if (!look.ends) return true;
  ended_at_ = done;
  const bool is_rms = plan_.watching.until->is_rms;
  notes_.push_back(fmt::format(
      "ended after step {} of {}: in that step {} {:.3g}, which is below until_change_below = {}{}",
      look.steps, steps_,
      is_rms ? "the root of the mean square of the changes was" : "no point changed by more than",
      is_rms ? *look.rms : *look.change, plan_.watching.until->below, is_rms ? " rms" : ""));
  return false;
}

/// Adds a note if all steps are done and the limit was not reached.
template <class T>
void PointWatch<T>::tell_unreached() {
  const auto& until = plan_.watching.until;
  if (!until) return;
  std::string last = "no step was looked at";
  if (last_ && last_->change)
    last = fmt::format("after step {} it was {:.3g}", last_->steps,
                       until->is_rms ? *last_->rms : *last_->change);
  notes_.push_back(
      fmt::format("all {} steps are done, and the change never was below "
                  "until_change_below = {}{}: {}",
                  steps_, until->below, until->is_rms ? " rms" : "", last));
}

template <class T>
bool PointWatch<T>::is_still(const Look& look) const {
  const auto& until = plan_.watching.until;
  return until && look.change && (until->is_rms ? *look.rms : *look.change) < until->below;
}

/// Returns whether there are NaNs or infinities that cannot come from the input. A NaN of the input
/// spreads to neighbouring points, as far as the masks reach in the steps that are done; but
/// arithmetic never turns a NaN into an infinity.
template <class T>
bool PointWatch<T>::has_new(const Look& look) const {
  if (input_.infinities > 0) return false;
  if (input_.nans == 0 || look.facts.infinities > 0) return look.facts.nonfinite() > 0;
  double most = most_nans(plan_.chain, finite_.nans, finite_at_ - before_, look.steps - before_);
  if (!plan_.resumed())  // for a resumed run, the previous stages are unknown
    most = std::min(most, most_nans(plan_.chain, input_.nans, 0, look.steps));
  return double(look.facts.nans) > most;
}

template <class T>
void PointWatch<T>::judge_nonfinite(const Look& look) {
  if (!has_new(look)) {
    finite_at_ = look.steps;
    finite_ = look.facts;
    return;
  }
  if (is_noted_) return;
  const std::string found = fmt::format(
      "after step {} of {} {} points are NaN and {} infinite, {} after step {}, the last check "
      "before: the steps amplify the values",
      look.steps, steps_, look.facts.nans, look.facts.infinities,
      input_.nans == 0
          ? "which none of the input is; nor was any"
          : fmt::format("more than {} NaN of the input can spread to; not so", input_.nans),
      finite_at_);
  session_.communicator().agree([&] {  // every rank throws the same error, so it is reported once
    if (plan_.watching.nonfinite == Nonfinite::stop)
      throw WordsError(fmt::format(
          "{}: take other taps (a smaller time step), or write run.nonfinite = note to continue",
          found));
  });
  is_noted_ = true;
  notes_.push_back(found);
}

template class PointWatch<float>;
template class PointWatch<double>;

}  // namespace stencil
