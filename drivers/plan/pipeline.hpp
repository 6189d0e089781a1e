#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "drivers/plan/plan.hpp"
#include "framework/device/field.hpp"
#include "framework/parallel/halo_exchange.hpp"
#include "kernels/bound_stencil.hpp"

namespace stencil {

/// Seconds that one rank spent, by what it did.
struct PipelineTimes {
  double exchange = 0;         ///< packing, sending and waiting for halos
  double memory = 0;           ///< getting pages for new fields from the system
  double compute = 0;          ///< inside kernels
  std::vector<double> stages;  ///< inside kernels, of each stage
};

/// Runs the stages of a plan on the points of one rank. Built once: kernels are bound and halos
/// planned before any data move. Collective over the communicator.
template <class T>
class Pipeline {
 public:
  /// @throws Error  agreed on by all ranks: no such kernel or transport, no memory for taps
  Pipeline(const Communicator& communicator, const Plan& plan, Executor& executor);

  /// Field of the first stage's input: owned points to be filled by the caller, ghosts are not.
  Field<T> make_input() const;

  /// Applies all stages and steps.
  ///
  /// @param input    from make_input(), owned points valid; given up to save memory
  /// @param on_step  called on every rank after each step with the points that the world has
  /// advanced
  /// @returns the output of the last stage: owned points valid, no ghosts
  /// @throws Error  agreed on by all ranks: no memory for a field
  Field<T> run(Field<T> input, const std::function<void(Index)>& on_step);

  const PipelineTimes& times() const { return times_; }
  /// How halos travel, and why so.
  const TransportChoice& transport() const { return transport_; }
  /// Bytes that this rank sent to others.
  Index bytes_sent() const { return bytes_sent_; }

 private:
  struct Stage {
    const StagePlan& plan;
    std::unique_ptr<BoundStencil<T>> kernel;
    std::unique_ptr<HaloExchange<T>> exchange;
  };

  Field<T> make_field(std::size_t stage) const;
  void touch(const Field<T>& field);
  void run_stages(Field<T>& current, const std::function<void(Index)>& on_step);
  void pace();
  void step(Stage& stage, const Field<T>& in, const Field<T>& out);
  void compute(const Stage& stage, const Box& outputs, const Field<T>& in, const Field<T>& out,
               Lane lane);
  void sweep(Stage& stage, Index steps, const Field<T>& in, const Field<T>& out);
  void advance(const Stage& stage, Index steps, const Box& box, const Field<T>& in,
               const Field<T>& out, Lane lane);

  const Communicator& communicator_;
  const Plan& plan_;
  Executor& executor_;
  TransportChoice transport_;
  std::vector<Stage> stages_;
  PipelineTimes times_;
  Index bytes_sent_ = 0;
};

extern template class Pipeline<float>;
extern template class Pipeline<double>;

}  // namespace stencil
