/// The part of the library that does not need MPI: apply() on arrays in host memory.
#pragma once

#include "drivers/pipeline/apply.hpp"
#include "drivers/pipeline/array_view.hpp"
#include "drivers/pipeline/stage.hpp"
#include "framework/grid/boundary.hpp"
#include "framework/grid/error.hpp"
#include "framework/grid/sampling.hpp"
#include "framework/grid/shape.hpp"
#include "include/stencil/version.hpp"
#include "kernels/channels/channel_mask.hpp"
#include "kernels/families/mask_families.hpp"
#include "kernels/mask.hpp"
