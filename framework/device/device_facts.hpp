#pragma once

#include <string>
#include <vector>

namespace stencil {

/// One line per GPU that this process can compute on: name, multiprocessors, and the sizes of
/// memory, L2 cache, constant and shared memory that the device reports. Empty without a GPU or a
/// driver, and in a CPU-only build.
std::vector<std::string> gpu_facts();

/// Returns the reason why gpu_facts() is empty although this program was built for GPUs and the
/// machine seems to have one; for example, the driver may be too old. In all other cases, returns
/// an empty text.
std::string gpu_trouble();

}  // namespace stencil
