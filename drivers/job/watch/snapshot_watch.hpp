#pragma once

#include "drivers/job/watch/step_watch.hpp"
#include "drivers/plan/plan.hpp"
#include "io/write/output/output_file.hpp"

namespace stencil {

/// Writes the points after every n-th step while the next steps are computed.
template <class T>
class SnapshotWatch : public StepWatch<T> {
 public:
  /// Takes the first snapshot, which is the input. If the run continues an earlier run, the output
  /// already contains all snapshots up to the steps that are done. Collective.
  ///
  /// @param plan    a plan with snapshots; must outlive this object, like the session and the
  ///                output
  /// @param input   the owned points must be valid
  /// @throws Error  on all ranks, see OutputFile::write()
  SnapshotWatch(Session& session, const Plan& plan, const Field<T>& input, OutputFile& output);

  Index next_look(Index done) const override;
  bool look(State<T>& state) override;

  /// Takes the last snapshot, unless look() has already taken it. Collective.
  /// @param steps  steps that were done, summed over all stages
  void finish(const Field<T>& result, Index steps);

  /// Seconds for which the steps of this rank waited for copies and for unfinished writes.
  double seconds() const { return seconds_; }

 private:
  void take(const Field<T>& field, Index steps);

  Session& session_;
  const Plan& plan_;
  OutputFile& output_;
  const Index before_;   ///< steps before the checkpoint from which the run continued
  Index taken_at_ = -1;  ///< steps at the last snapshot, summed over all stages
  double seconds_ = 0;
};

extern template class SnapshotWatch<float>;
extern template class SnapshotWatch<double>;

}  // namespace stencil
