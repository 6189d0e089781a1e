#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "drivers/job/transfer/dense_piece.hpp"
#include "drivers/job/watch/step_watch.hpp"
#include "drivers/plan/plan.hpp"
#include "kernels/cpu/point_facts.hpp"

namespace stencil {

/// The result of a check of all points of the world after a step, the same on every rank.
struct Look {
  Index steps = 0;  ///< steps that were done, summed over all stages
  PointFacts facts{};
  /// The largest change of a point in the last of these steps; nullopt if this step was the first
  /// or the last one of a stage.
  std::optional<double> change{};
  std::optional<double> rms{};  ///< root mean square change; only if the plan uses it
  bool ends = false;            ///< the run ends here, before its last step
};

/// Checks the points after every n-th step and after the last step (and at snapshots, if step lines
/// are written). Ends the last stage when its points hardly change. Throws if the points contain
/// NaN or infinities, except those that were in the input or may have spread from a NaN of the
/// input. The decisions do not depend on the number of ranks or the decomposition.
template <class T>
class PointWatch : public StepWatch<T> {
 public:
  using OnLook = std::function<void(const Look&)>;

  /// Checks the input, or the points of the checkpoint from which a run continues. Collective.
  ///
  /// @param plan     must outlive this object, like the session
  /// @param input    the owned points must be valid
  /// @param on_look  called after each check, on every rank; must not throw
  /// @throws Error   on all ranks: a GPU lacks the memory for a check; otherwise see look()
  PointWatch(Session& session, const Plan& plan, const Field<T>& input, OnLook on_look = {});

  Index next_look(Index done) const override;
  /// @throws Error  on all ranks: there are NaN or infinities that do not come from the input
  bool look(State<T>& state) override;

  /// Returns the NaN and infinities of the run's input.
  const PointFacts& input() const { return input_; }
  /// Notes for the user: points that are not finite, an early end.
  const std::vector<std::string>& notes() const { return notes_; }
  /// Number of steps after which the watch ended the run, including steps before a checkpoint from
  /// which the run continued; nullopt if the watch did not end the run.
  std::optional<Index> ended_at() const { return ended_at_; }

 private:
  /// Calls `of(points, previous points)` with all points of this rank in host memory. Collective.
  template <class Of>
  void visit(const Field<T>& now, const Field<T>* before, const Of& of);
  Look find(const Field<T>& now, const Field<T>* before);
  bool is_due(Index steps) const;
  bool is_decided(Index steps) const;
  bool has_new(const Look& look) const;
  void judge_nonfinite(const Look& look);
  void tell_unreached();
  bool is_still(const Look& look) const;

  Session& session_;
  const Plan& plan_;
  const Index before_;  ///< steps before the checkpoint from which the run continued
  const Index steps_;   ///< number of steps of the whole run
  OnLook on_look_;
  PointFacts input_;
  Index finite_at_;           ///< steps at the last check that found no new NaN or infinity
  PointFacts finite_;         ///< result of the check after `finite_at_` steps
  std::optional<Look> last_;  ///< last check within the last stage
  bool is_noted_ = false;
  std::vector<std::string> notes_;
  std::optional<Index> ended_at_;
};

extern template class PointWatch<float>;
extern template class PointWatch<double>;

}  // namespace stencil
