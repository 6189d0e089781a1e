#include "drivers/plan/make/values_per_axis.hpp"

#include <fmt/format.h>

#include "drivers/plan/make/refuse.hpp"

namespace stencil {

void require_values(const StageConfig& stage, const char* key, std::size_t values,
                    std::size_t mask_axes) {
  if (values != 1 && values != mask_axes)
    refuse(stage,
           fmt::format("{} has {} values, but the mask runs along {} {}: write one value, or "
                       "one per axis in the order {}",
                       key, values, mask_axes, mask_axes == 1 ? "axis" : "axes",
                       mask_axes == 3 ? "of its axes" : "y x"));
}

}  // namespace stencil
