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

/// Facts about all points of the world after a step, the same on every rank.
struct Look {
  Index steps = 0;  ///< of all stages that were done
  PointFacts facts{};
  /// The largest change of a point in the last of these steps; nothing if it was the first or last
  /// step of a stage.
  std::optional<double> change{};
  std::optional<double> rms{};  ///< of the changes; only where the plan wants it
  bool ends = false;            ///< the run ends here, before its last step
};

/// Checks the points after every n-th step and after the last one (and at snapshots, if step lines
/// are written): ends the last stage when they hardly change, and refuses NaN and infinities that
/// the input did not have and that cannot have spread from its NaN. The decisions are the same for
/// every number of ranks and every decomposition.
template <class T>
class PointWatch : public StepWatch<T> {
 public:
  using OnLook = std::function<void(const Look&)>;

  /// Checks the input, or the points from which a run continues. Collective.
  ///
  /// @param plan     outlives this object, as does the session
  /// @param input    owned points valid
  /// @param on_look  called after each check, on every rank; must not throw
  /// @throws Error   agreed on by all ranks: no memory to check points of a GPU; as look()
  PointWatch(Session& session, const Plan& plan, const Field<T>& input, OnLook on_look = {});

  Index next_look(Index done) const override;
  /// @throws Error  agreed on by all ranks: NaN or infinities that do not come from the input
  bool look(State<T>& state) override;

  /// NaN and infinities of the run's input.
  const PointFacts& input() const { return input_; }
  /// Events that the user should know: points that are not finite, an early end.
  const std::vector<std::string>& notes() const { return notes_; }
  /// Number of steps after which the watch ended the run, including those before a continued run;
  /// nothing if the watch did not end the run.
  std::optional<Index> ended_at() const { return ended_at_; }

 private:
  /// Calls `of(points, points before)` with all points of this rank in host memory. Collective.
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
  const Index before_;  ///< steps that a resumed run begins with
  const Index steps_;   ///< of the whole run
  OnLook on_look_;
  PointFacts input_;
  Index finite_at_;    ///< steps of the last look that found nothing new to be NaN or infinite
  PointFacts finite_;  ///< of that look
  std::optional<Look> last_;  ///< within the last stage
  bool is_noted_ = false;
  std::vector<std::string> notes_;
  std::optional<Index> ended_at_;
};

extern template class PointWatch<float>;
extern template class PointWatch<double>;

}  // namespace stencil
