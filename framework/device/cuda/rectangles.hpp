#pragma once

#include "framework/device/executor.hpp"

struct CUstream_st;

namespace stencil::cuda {

/// Queue Executor::copy and Executor::fill on a stream; elements have 4 or 8 bytes.
void copy_rectangle(const ConstRectangle& from, const Rectangle& to, std::size_t element_size,
                    CUstream_st* stream);
void fill_rectangle(const Rectangle& to, const void* value, std::size_t element_size,
                    CUstream_st* stream);

}  // namespace stencil::cuda
