#include "drivers/plan/split/volumes.hpp"

#include <utility>

namespace stencil {

Plan volume_of(const Plan& plan, Index number) {
  Problem one = plan;
  one.input_form = plan.input_form.volume(number);
  one.output_form = plan.output_form.volume(number);
  one.output.form = one.output_form;
  return Plan(std::move(one), plan.way(), plan.start());
}

}  // namespace stencil
