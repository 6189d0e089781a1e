#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "drivers/pipeline/array_tile.hpp"
#include "drivers/pipeline/chain.hpp"
#include "drivers/pipeline/folded_array.hpp"
#include "framework/device/field.hpp"
#include "framework/grid/exchange_plan.hpp"
#include "kernels/bound_stencil.hpp"

namespace stencil {

/// A chain and its kernels, for arrays in host memory. Makes no MPI calls. The object is immutable,
/// so several threads may call run() at the same time.
///
/// If the memory layout permits, kernels read and write the arrays directly, and only outputs near
/// the edges are computed from copies with ghost points. Other arrays (integers, strides along x)
/// are copied and converted box by box. Points between stages and steps are stored in fields.
template <class T>
class ArrayChain {
 public:
  /// @param chain  a single block, of precision T, for Backend::cpu
  /// @throws Error  see bind_kernel()
  explicit ArrayChain(Chain chain);
  ArrayChain(const ArrayChain&) = delete;  // stages_ refer to the chain
  ArrayChain& operator=(const ArrayChain&) = delete;

  const Chain& chain() const { return chain_; }

  /// Computes all outputs with the OpenMP threads of the calling thread. The results have the same
  /// bits as those of a Pipeline on one rank, for any number of threads.
  /// @param input   array of the chain's input shape
  /// @param output  array of the chain's output shape, which must not overlap the input
  /// @param between_parts  see ApplyOptions
  /// @throws MemoryError  the memory for intermediate points is insufficient
  void run(const FoldedArray<const std::byte>& input, const FoldedArray<std::byte>& output,
           IntegerCast cast, void (*between_parts)() = nullptr) const;

 private:
  struct StageWork {
    const BoundStage& plan;  ///< an element of chain_, which is constant
    std::unique_ptr<BoundStencil<T>> kernel;
    std::vector<ExchangePhase> ghosts;  ///< sources of the ghost points of a field of inputs
  };
  /// Inputs of a sweep: an array, or a field with valid ghost points.
  struct Source {
    const FoldedArray<const std::byte>* array = nullptr;
    std::optional<FieldView<const T>> view;  ///< the points of `covered`, if kernels can read them
    Box covered{};
  };
  /// Outputs of a sweep.
  struct Target {
    const FoldedArray<std::byte>* array = nullptr;
    std::optional<FieldView<T>> view;  ///< all points, if kernels can write them
    IntegerCast cast = IntegerCast::truncate;
    void (*between_parts)() = nullptr;
  };

  Subdomain subdomain_of(std::size_t stage) const;
  Source load(std::size_t stage, const Source& source, Field<T>& field) const;
  Source filled(std::size_t stage, Field<T>& field) const;
  void sweep(const StageWork& work, Index steps, const Source& source, const Target& target) const;
  void step(const StageWork& work, const Source& source, const Target& target) const;

  const Chain chain_;
  std::vector<StageWork> stages_;
};

extern template class ArrayChain<float>;
extern template class ArrayChain<double>;

}  // namespace stencil
