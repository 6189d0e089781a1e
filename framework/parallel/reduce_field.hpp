#pragma once

#include "framework/device/field.hpp"
#include "framework/parallel/communicator.hpp"

namespace stencil {

/// Reductions over the owned points of a field on all ranks, see Session. Collective; every rank
/// gets the same result.
///
/// @throws Error  on all ranks: the field was moved from, or there is no host memory for
///                a copy of points in device memory
template <class T>
double sum_of_field(const Communicator& communicator, const Field<T>& field, Executor& executor);
template <class T>
double norm_of_field(const Communicator& communicator, const Field<T>& field, Executor& executor);
template <class T>
double max_of_field(const Communicator& communicator, const Field<T>& field, Executor& executor);
template <class T>
double min_of_field(const Communicator& communicator, const Field<T>& field, Executor& executor);

extern template double sum_of_field(const Communicator&, const Field<float>&, Executor&);
extern template double sum_of_field(const Communicator&, const Field<double>&, Executor&);
extern template double norm_of_field(const Communicator&, const Field<float>&, Executor&);
extern template double norm_of_field(const Communicator&, const Field<double>&, Executor&);
extern template double max_of_field(const Communicator&, const Field<float>&, Executor&);
extern template double max_of_field(const Communicator&, const Field<double>&, Executor&);
extern template double min_of_field(const Communicator&, const Field<float>&, Executor&);
extern template double min_of_field(const Communicator&, const Field<double>&, Executor&);

}  // namespace stencil
