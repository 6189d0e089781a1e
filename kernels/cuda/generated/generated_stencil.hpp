#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "framework/device/field_view.hpp"
#include "kernels/cuda/generated/loaded_kernel.hpp"
#include "kernels/generated/strip_spec.hpp"
#include "kernels/stencil.hpp"

namespace stencil::cuda {

/// Whether a kernel generated for this stencil is expected to be faster than the one compiled
/// ahead, and can be compiled here.
///
/// @throws WordsError  STENCIL_GENERATED_KERNELS is neither `off` nor `auto`
template <class T>
bool wants_generated(const Stencil<T>& stencil);

/// Name of that kernel: `cuda generated dense 7x5`, `cuda generated sparse 13 of 7x7`.
template <class T>
std::string generated_name(const Stencil<T>& stencil);

/// Name of the kernel that a stencil will use: the generated one, or production_name. The latter
/// says if a generated one would be faster but libnvrtc cannot be loaded.
///
/// @throws WordsError  as wants_generated
template <class T>
std::string chosen_name(const Stencil<T>& stencil);

/// The strip walks of one stencil on one GPU. The bits are those of launch_production.
template <class T>
class GeneratedStencil {
 public:
  /// Compiles the walk, or loads it from the user's cache, for inputs with the layout of a Field.
  /// Null if the compiler or the driver refuses: then kernels compiled ahead do all of the work.
  ///
  /// @pre has_strip_walk(stencil)
  static std::unique_ptr<GeneratedStencil> make(const Stencil<T>& stencil);

  /// Queues one sweep. Compiles first if the relative alignment of the views is new.
  ///
  /// @returns false, with nothing queued, if no walk supports the views or they are too small to be
  ///          worth it
  /// @throws MachineError  the launch failed
  bool run(FieldView<const T> source, FieldView<T> target, CUstream_st* stream);

 private:
  struct Walk {
    generated::StripSpec spec;
    std::unique_ptr<LoadedKernel> kernel;  ///< none: it did not compile
  };

  explicit GeneratedStencil(const Stencil<T>& stencil);
  const Walk& walk_for(int lead);

  Stencil<T> stencil_;
  std::vector<T> taps_;
  std::mutex mutex_;
  std::map<int, Walk> walks_;  ///< by the lead of their inputs
};

}  // namespace stencil::cuda
