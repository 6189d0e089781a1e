#pragma once

#include <string_view>

namespace stencil {

/// Processors that compute stencils. `automatic` stands for a GPU if this process sees one,
/// otherwise for the CPU.
enum class Backend { automatic, cpu, cuda };

constexpr std::string_view to_string(Backend backend) {
  switch (backend) {
    case Backend::automatic:
      return "auto";
    case Backend::cpu:
      return "cpu";
    case Backend::cuda:
      return "cuda";
  }
  return "?";
}

}  // namespace stencil
