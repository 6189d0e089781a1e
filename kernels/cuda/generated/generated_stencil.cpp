#include "kernels/cuda/generated/generated_stencil.hpp"

#include <fmt/format.h>

#include "framework/grid/error.hpp"
#include "kernels/cuda/generated/strip_launch.hpp"
#include "kernels/cuda/launch.hpp"
#include "kernels/cuda/production/choice.hpp"
#include "kernels/generated/compiled_kernel.hpp"
#include "kernels/generated/nvrtc.hpp"
#include "kernels/generated/strip_source.hpp"

namespace stencil::cuda {
namespace {

template <class T>
Index multiplied(const Stencil<T>& stencil) {
  return Index(generated::multiplied_taps(stencil).size());
}

/// Whether a strip walk is faster than a kernel compiled ahead, as measured on an H200
/// (docs/measurements/gpu_kernels.md).
template <class T>
bool beats(Kernel kernel, const Stencil<T>& stencil) {
  const Index taps = multiplied(stencil);
  switch (kernel) {
    case Kernel::tile_column:
      return stencil.height <= 43 && (sizeof(T) == 8 || taps > 31);
    case Kernel::dense_small:
    case Kernel::generic:
      return true;
    case Kernel::tile_wide:
      return taps <= 100;
    case Kernel::tensor_dense:
      return taps <= 72;
    default:
      return false;
  }
}

/// The kernel compiled ahead that a large grid would get.
template <class T>
Kernel kernel_compiled_ahead(const Stencil<T>& stencil) {
  const Point many{1, 1 << 12, 1 << 16};
  const Index pitch = 1 << 17;
  return choose(
             make_arguments<T>(stencil, {}, {nullptr, many, 0, pitch}, {nullptr, many, 0, pitch}),
             stencil)
      .kernel;
}

/// Outputs and columns below which kernels compiled ahead are taken: rims between ranks, say.
constexpr Index least_points = 1 << 16, least_columns = 96;

/// The lead of inputs in a Field, for a mask whose centre is tap width / 2.
template <class T>
int usual_lead(const Stencil<T>& stencil) {
  const Index sector = 32 / Index(sizeof(T));
  return int((sector - stencil.width / 2 % sector) % sector);
}

/// Whether a generated kernel is wanted, if there is a compiler for it.
template <class T>
bool would_be_faster(const Stencil<T>& stencil) {
  return generated::may_generate() && generated::has_strip_walk(stencil) &&
         beats(kernel_compiled_ahead(stencil), stencil);
}

}  // namespace

template <class T>
bool wants_generated(const Stencil<T>& stencil) {
  return would_be_faster(stencil) && generated::Nvrtc::find() != nullptr;
}

template <class T>
std::string chosen_name(const Stencil<T>& stencil) {
  if (!would_be_faster(stencil)) return production_name(stencil);
  if (generated::Nvrtc::find() != nullptr) return generated_name(stencil);
  return production_name(stencil) + ", as libnvrtc.so cannot be loaded to compile a faster one";
}

template <class T>
std::string generated_name(const Stencil<T>& stencil) {
  const Index taps = multiplied(stencil), all = stencil.height * stencil.width;
  if (stencil.height == 1 || stencil.width == 1)
    return fmt::format("cuda generated {} {}", stencil.height == 1 ? "line" : "column", all);
  if (taps == all) return fmt::format("cuda generated dense {}x{}", stencil.height, stencil.width);
  return fmt::format("cuda generated sparse {} of {}x{}", taps, stencil.height, stencil.width);
}

template <class T>
GeneratedStencil<T>::GeneratedStencil(const Stencil<T>& stencil)
    : stencil_(stencil), taps_(generated::multiplied_taps(stencil)) {}

template <class T>
std::unique_ptr<GeneratedStencil<T>> GeneratedStencil<T>::make(const Stencil<T>& stencil) {
  std::unique_ptr<GeneratedStencil> made(new GeneratedStencil(stencil));
  if (!made->walk_for(usual_lead(stencil)).kernel) return nullptr;
  return made;
}

template <class T>
const typename GeneratedStencil<T>::Walk& GeneratedStencil<T>::walk_for(int lead) {
  const std::lock_guard lock(mutex_);
  const auto [at, is_new] = walks_.try_emplace(lead);
  Walk& walk = at->second;
  if (!is_new) return walk;
  walk.spec = generated::make_strip_spec(stencil_, lead);
  const auto compiled = generated::compiled_kernel(
      generated::strip_source(walk.spec), gpu_architecture(), generated::KernelCache::of_user());
  if (compiled.cubin.empty()) return walk;
  try {
    walk.kernel = std::make_unique<LoadedKernel>(compiled.cubin, "strip_walk");
  } catch (const MachineError&) {
    // a driver older than the compiler: the kernel compiled ahead serves
  }
  return walk;
}

template <class T>
bool GeneratedStencil<T>::run(FieldView<const T> source, FieldView<T> target, CUstream_st* stream) {
  if (points(target.extent) < least_points || target.extent[2] < least_columns) return false;
  const auto lead = strip_lead_of(source, target);
  if (!lead) return false;
  const Walk& walk = walk_for(*lead);
  if (!walk.kernel) return false;
  launch_strip_walk(*walk.kernel, walk.spec, taps_, source, target, stream);
  return true;
}

template bool wants_generated(const Stencil<float>&);
template bool wants_generated(const Stencil<double>&);
template std::string generated_name(const Stencil<float>&);
template std::string generated_name(const Stencil<double>&);
template std::string chosen_name(const Stencil<float>&);
template std::string chosen_name(const Stencil<double>&);
template class GeneratedStencil<float>;
template class GeneratedStencil<double>;

}  // namespace stencil::cuda
