#pragma once

#include <memory>
#include <vector>

#include "drivers/pipeline/chain.hpp"
#include "drivers/pipeline/folded_array.hpp"
#include "framework/device/executor.hpp"
#include "framework/grid/exchange_plan.hpp"
#include "kernels/bound_stencil.hpp"

namespace stencil {

/// One stage that keeps the shape of its inputs, bound to an executor, for arrays in the memory of
/// that executor. Makes no MPI calls. The results have the same bits as those of a Pipeline on one
/// rank with the same backend.
template <class T>
class DeviceFilter {
 public:
  /// Kernels read and write arrays with at least this number of points in place, and compute only
  /// the outputs near the edges from a copy. For smaller arrays it is faster to copy all points
  /// into one field with ghost points.
  static constexpr Index large_array = Index{1} << 25;

  /// @param executor        must outlive the filter
  /// @param chain           a single block with one stage, of precision T, for the backend of the
  ///                        executor; inputs and outputs have the same shape
  /// @param least_in_place  see large_array
  /// @throws Error  see bind_kernel()
  DeviceFilter(Executor& executor, Chain chain, Index least_in_place = large_array);
  /// Waits until the kernels have read the memory of the filter.
  ~DeviceFilter();
  DeviceFilter(const DeviceFilter&) = delete;  // stage_ refers to the chain
  DeviceFilter& operator=(const DeviceFilter&) = delete;

  /// Queues the computation of all outputs. The computation ends before later work on the work lane
  /// begins. Filters of one executor must not run at the same time in several threads.
  ///
  /// @param input, output  arrays of type T and of the chain's shape, aligned to T
  /// @param shares_memory  whether the arrays may share memory; the result is the same as for
  ///                       arrays that do not share memory
  /// @throws MemoryError  the memory for a copy of points is insufficient
  void run(const FoldedArray<const std::byte>& input, const FoldedArray<std::byte>& output,
           bool shares_memory) const;

 private:
  Box inner_outputs(const FieldView<const T>& source) const;
  void run_in_place(const Box& inner, const FoldedArray<const std::byte>& input,
                    const FieldView<const T>& source, const FieldView<T>& target) const;
  void run_from_copy(const FoldedArray<const std::byte>& input,
                     const FoldedArray<std::byte>& output) const;

  Executor& executor_;
  const Chain chain_;
  const BoundStage& stage_;
  const Index least_in_place_;
  const std::unique_ptr<BoundStencil<T>> kernel_;
  const std::vector<ExchangePhase> ghosts_;  ///< sources of the ghost points of a field of inputs
};

extern template class DeviceFilter<float>;
extern template class DeviceFilter<double>;

}  // namespace stencil
