#pragma once

#include "drivers/job/watch/step_watch.hpp"
#include "drivers/plan/plan.hpp"
#include "io/write/output/output_file.hpp"

namespace stencil {

/// Writes the points after every n-th step, while the next steps are computed.
template <class T>
class SnapshotWatch : public StepWatch<T> {
 public:
  /// Takes the first snapshot, of the input. If the run continues an earlier one, the output
  /// already has this snapshot and those of the steps that are done. Collective.
  ///
  /// @param plan    with snapshots; outlives this object, as do the session and the output
  /// @param input   owned points valid
  /// @throws Error  agreed on by all ranks: as OutputFile::write()
  SnapshotWatch(Session& session, const Plan& plan, const Field<T>& input, OutputFile& output);

  Index next_look(Index done) const override;
  bool look(State<T>& state) override;

  /// Takes the last snapshot, unless it has been taken. Collective.
  /// @param steps  the number of steps that were done, counted over all stages
  void finish(const Field<T>& result, Index steps);

  /// Seconds that the steps of this rank waited for copies, and for writing that was not finished
  /// in time.
  double seconds() const { return seconds_; }

 private:
  void take(const Field<T>& field, Index steps);

  Session& session_;
  const Plan& plan_;
  OutputFile& output_;
  const Index before_;   ///< steps that a resumed run begins with
  Index taken_at_ = -1;  ///< steps of the last snapshot, of all stages
  double seconds_ = 0;
};

extern template class SnapshotWatch<float>;
extern template class SnapshotWatch<double>;

}  // namespace stencil
