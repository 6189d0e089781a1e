#include "framework/device/cuda/rectangles.hpp"

#include <cuda_runtime.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "framework/device/cuda/check.hpp"

namespace stencil::cuda {
namespace {

constexpr int threads = 256;
constexpr long most_blocks = 65535;

/// A rectangle as an argument of kernels, which cannot use arrays of the standard library.
template <class Byte>
struct Elements {
  Byte* origin;
  Index batch, y, x;  ///< strides in bytes

  Elements(Byte* first, const Point& stride)
      : origin(first), batch(stride[0]), y(stride[1]), x(stride[2]) {}
  __device__ Byte* at(Index b, Index row, Index column) const {
    return origin + b * batch + row * y + column * x;
  }
};

/// Calls element(b, row, column) for every point of `[nb, ny, nx]`. Adjacent threads process
/// adjacent points along x. Each block processes as many rows at a time as it has threads for, so
/// that no thread is idle even in a halo of two columns.
template <class Element>
__device__ void for_each_point(Index nb, Index ny, Index nx, const Element& element) {
  const Index rows = nb * ny;
  for (Index row = blockIdx.y * Index{blockDim.y} + threadIdx.y; row < rows;
       row += Index{gridDim.y} * blockDim.y) {
    const Index b = row / ny, y = row - b * ny;
    for (Index x = blockIdx.x * Index{blockDim.x} + threadIdx.x; x < nx;
         x += Index{gridDim.x} * blockDim.x)
      element(b, y, x);
  }
}

template <class T>
__global__ void copy_points(Index nb, Index ny, Index nx, const Elements<const std::byte> from,
                            const Elements<std::byte> to) {
  for_each_point(nb, ny, nx, [&](Index b, Index y, Index x) {
    *reinterpret_cast<T*>(to.at(b, y, x)) = *reinterpret_cast<const T*>(from.at(b, y, x));
  });
}

template <class T>
__global__ void fill_points(Index nb, Index ny, Index nx, T value, const Elements<std::byte> to) {
  for_each_point(nb, ny, nx,
                 [&](Index b, Index y, Index x) { *reinterpret_cast<T*>(to.at(b, y, x)) = value; });
}

struct Grid {
  dim3 blocks, block;
};

Grid grid_for(const Point& extent) {
  int wide = 1;
  while (wide < threads && wide < extent[x_axis]) wide *= 2;
  const int high = threads / wide;
  const auto count = [](Index n, int each) {
    return static_cast<unsigned>(std::min((n + each - 1) / each, Index{most_blocks}));
  };
  return {dim3(count(extent[x_axis], wide), count(extent[0] * extent[1], high)), dim3(wide, high)};
}

template <class Work>
void with_element(std::size_t size, const Work& work) {
  if (size == 4) return work(unsigned{});
  if (size == 8) return work(static_cast<unsigned long long>(0));
  throw std::logic_error("elements of 4 or 8 bytes only");
}

}  // namespace

void copy_rectangle(const ConstRectangle& from, const Rectangle& to, std::size_t element_size,
                    CUstream_st* stream) {
  if (from.extent != to.extent) throw std::logic_error("copy between rectangles of two shapes");
  if (points(to.extent) == 0) return;
  const Grid grid = grid_for(to.extent);
  with_element(element_size, [&]<class T>(T) {
    copy_points<T><<<grid.blocks, grid.block, 0, stream>>>(to.extent[0], to.extent[1], to.extent[2],
                                                           Elements(from.origin, from.stride),
                                                           Elements(to.origin, to.stride));
  });
  check(cudaGetLastError(), "copying halos");
}

void fill_rectangle(const Rectangle& to, const void* value, std::size_t element_size,
                    CUstream_st* stream) {
  if (points(to.extent) == 0) return;
  const Grid grid = grid_for(to.extent);
  with_element(element_size, [&]<class T>(T element) {
    std::memcpy(&element, value, sizeof element);
    fill_points<T><<<grid.blocks, grid.block, 0, stream>>>(to.extent[0], to.extent[1], to.extent[2],
                                                           element, Elements(to.origin, to.stride));
  });
  check(cudaGetLastError(), "filling halos");
}

}  // namespace stencil::cuda
