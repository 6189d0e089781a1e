#pragma once

#include "framework/device/executor.hpp"

struct CUstream_st;

namespace stencil::cuda {

/// Implement Executor::copy and Executor::fill by kernels that are queued on a stream. Elements
/// have 4 or 8 bytes.
void copy_rectangle(const ConstRectangle& from, const Rectangle& to, std::size_t element_size,
                    CUstream_st* stream);
void fill_rectangle(const Rectangle& to, const void* value, std::size_t element_size,
                    CUstream_st* stream);

}  // namespace stencil::cuda
