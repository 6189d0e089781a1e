#pragma once

#include <functional>
#include <memory>
#include <type_traits>
#include <vector>

#include "drivers/pipeline/session.hpp"
#include "drivers/pipeline/stage.hpp"
#include "drivers/pipeline/state.hpp"
#include "framework/device/field.hpp"

namespace stencil {

struct Chain;

/// Seconds that one rank spent on each activity.
struct PipelineTimes {
  double exchange = 0;         ///< packing, sending and waiting for halos
  double memory = 0;           ///< obtaining pages for new fields from the system
  double compute = 0;          ///< inside kernels
  std::vector<double> stages;  ///< inside kernels, of each stage
};

/// Runs a chain on the points of one rank. Built once: kernels are bound and halos planned before
/// any data move. Collective over the ranks of the session, which outlives it.
template <class T>
class Pipeline {
  static_assert(std::is_same_v<T, float> || std::is_same_v<T, double>,
                "a pipeline computes in float or double");

 public:
  /// Called on every rank after each step, with the number of points of the whole world that were
  /// computed; must not throw, as other ranks may be waiting for this one. To stop early, examine
  /// the field between calls of advance().
  using OnStep = std::function<void(Index)>;

  /// Binds the stages to a world and cuts it over the ranks of the session at the least cost.
  ///
  /// @param shape  the shape of the inputs, {batch, y, x}
  /// @throws Error  agreed on by all ranks: as make_chain(); stages or shapes that differ between
  ///                ranks; no such transport, no memory
  Pipeline(Session& session, const std::vector<Stage>& stages, const Point& shape);

  /// @param chain  split over the ranks of the session for its backend, of precision T
  /// @throws Error  agreed on by all ranks: as require_runs(); a chain that differs between ranks;
  ///                no such kernel or transport, no memory for taps
  Pipeline(Session& session, Chain chain);

  ~Pipeline();
  Pipeline(const Pipeline&) = delete;  // stages refer to the chain
  Pipeline& operator=(const Pipeline&) = delete;

  /// Number of steps of all stages.
  Index steps() const;
  /// Shape of the inputs and of the outputs of the last stage, {batch, y, x}, on all ranks
  /// together.
  Point input_shape() const;
  Point output_shape() const;
  /// Everything that was decided for these stages; for the program, drivers/pipeline/chain.hpp.
  const Chain& chain() const { return *chain_; }

  /// Field of the first stage's input: the caller fills the owned points, but not the ghosts.
  Field<T> make_input() const;

  /// Applies all stages and steps.
  ///
  /// @param input  from make_input(), owned points valid; consumed to save memory
  /// @returns the output of the last stage: owned points valid, no ghosts
  /// @throws Error  agreed on by all ranks: a field of another pipeline, or one that was
  ///                moved from;
  ///                no memory for a field
  Field<T> run(Field<T> input, const OnStep& on_step = {});

  /// The state before the first step.
  /// @param input  as for run()
  State<T> start(Field<T> input) const { return State<T>(std::move(input)); }

  /// Continues from a state until `until` steps of all stages are done. The results have the same
  /// bits as those of run(), wherever and however often it stops.
  ///
  /// @param until  steps done in the end, at most steps(); no fewer than state.steps_done
  /// @throws Error  agreed on by all ranks: as run(); another `until` or another number of steps
  /// done
  ///                than on other ranks. The state then keeps the steps done so far, and may be
  ///                advanced again
  void advance(State<T>& state, Index until, const OnStep& on_step = {});

  const PipelineTimes& times() const { return times_; }
  /// Bytes that this rank sent to others.
  Index bytes_sent() const { return bytes_sent_; }

 private:
  struct StageWork;

  Field<T> make_field(std::size_t stage) const;
  Subdomain subdomain_of(std::size_t stage) const;
  void touch(Field<T>& field);
  void begin_stage(State<T>& state);
  void make_other(State<T>& state);
  void end_stage(State<T>& state);
  Index advance_stage(State<T>& state, Index most, const OnStep& on_step);
  void limit_queue_depth();
  void step(StageWork& stage, Field<T>& in, Field<T>& out);
  void compute(const StageWork& stage, const Box& outputs, const Field<T>& in, Field<T>& out,
               Lane lane);
  void sweep(StageWork& stage, Index steps, Field<T>& in, Field<T>& out);
  void advance_box(const StageWork& stage, Index steps, const Box& box, const Field<T>& in,
                   Field<T>& out, Lane lane);

  const Communicator& communicator_;
  const std::unique_ptr<const Chain> chain_;
  Executor& executor_;
  std::vector<StageWork> stages_;
  PipelineTimes times_;
  Index bytes_sent_ = 0;
};

extern template class Pipeline<float>;
extern template class Pipeline<double>;

}  // namespace stencil
