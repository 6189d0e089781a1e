#include "drivers/plan/split/remaining.hpp"

#include "drivers/plan/predict/plan_costs.hpp"
#include "drivers/plan/split/passes.hpp"

namespace stencil {

OutputSpec checkpoint_of(const Problem& rest, const std::string& file,
                         const CheckpointRecord& record) {
  OutputSpec spec = checkpoint_spec(file, rest.chain.input_shape(), rest.compute_type(), record);
  spec.verify = rest.output.verify;
  return spec;
}

Problem remaining(const Problem& whole, const Checkpoint& from) {
  Problem rest = pass_of(whole, from.record.steps_done, whole.chain.steps());
  rest.input = from.points;
  rest.watching = whole.watching;  // pass_of() omits the checks
  count_costs(rest);
  return rest;
}

}  // namespace stencil
