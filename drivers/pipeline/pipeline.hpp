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
  double memory = 0;           ///< obtaining memory pages for new fields from the system
  double compute = 0;          ///< time in kernels
  std::vector<double> stages;  ///< time in the kernels of each stage
};

/// Runs a chain on the points of one rank. The constructor binds the kernels and plans the halo
/// exchanges. Collective over the ranks of the session, which must outlive the pipeline.
template <class T>
class Pipeline {
  static_assert(std::is_same_v<T, float> || std::is_same_v<T, double>,
                "a pipeline computes in float or double");

 public:
  /// A function that is called on every rank after each step, with the number of points of the
  /// whole world that the step computed. The function must not throw, because other ranks may be
  /// waiting for this rank. To stop early, examine the field between calls of advance().
  using OnStep = std::function<void(Index)>;

  /// Binds the stages to a world and divides it among the ranks of the session at the least cost.
  ///
  /// @param shape  the shape of the inputs, {batch, y, x}
  /// @throws Error  on all ranks: see make_chain(); or stages or shapes differ between ranks, the
  ///                requested transport is not available, or the memory is insufficient
  Pipeline(Session& session, const std::vector<Stage>& stages, const Point& shape);

  /// @param chain  a chain of precision T, split over the ranks of the session for its backend
  /// @throws Error  on all ranks: see require_runs(); or the chain differs between ranks, the
  ///                kernel or transport is not available, or the memory for taps is insufficient
  Pipeline(Session& session, Chain chain);

  ~Pipeline();
  Pipeline(const Pipeline&) = delete;  // stages refer to the chain
  Pipeline& operator=(const Pipeline&) = delete;

  /// Number of steps of all stages.
  Index steps() const;
  /// Shape {batch, y, x} of the inputs of the first stage and of the outputs of the last stage,
  /// over all ranks.
  Point input_shape() const;
  Point output_shape() const;
  /// All decisions that were made for these stages. The type is defined in the internal header
  /// drivers/pipeline/chain.hpp.
  const Chain& chain() const { return *chain_; }

  /// Returns a field for the inputs of the first stage. The caller fills the owned points, but not
  /// the ghost points.
  Field<T> make_input() const;

  /// Applies all stages and steps.
  ///
  /// @param input  from make_input(), with valid owned points; its memory is reused
  /// @returns the outputs of the last stage: the owned points are valid, and there are no ghost
  /// points
  /// @throws Error  on all ranks: the field belongs to another pipeline or was moved from, or the
  ///                memory for a field is insufficient
  Field<T> run(Field<T> input, const OnStep& on_step = {});

  /// Returns the state before the first step. @param input  see run()
  State<T> start(Field<T> input) const { return State<T>(std::move(input)); }

  /// Continues from a state until `until` steps of all stages are done. The results have the same
  /// bits as those of run(), wherever and however often the steps are interrupted.
  ///
  /// @param until  number of steps that are done afterwards, from state.steps_done to steps()
  /// @throws Error  on all ranks: see run(); or `until` or state.steps_done differ between ranks.
  ///                The state then keeps the steps that are done, and may be advanced again
  void advance(State<T>& state, Index until, const OnStep& on_step = {});

  const PipelineTimes& times() const { return times_; }
  /// Bytes that this rank sent to other ranks.
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
