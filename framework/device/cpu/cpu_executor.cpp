#include "framework/device/cpu/cpu_executor.hpp"

#include <fmt/core.h>
#include <omp.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

#include "framework/grid/error.hpp"

namespace stencil {
namespace {

constexpr std::size_t huge_page = std::size_t{2} << 20;

template <class T>
void copy_elements(const ConstRectangle& from, const Rectangle& to, Index b, Index y) {
  const std::byte* source = from.origin + b * from.stride[0] + y * from.stride[1];
  std::byte* target = to.origin + b * to.stride[0] + y * to.stride[1];
  const Index count = from.extent[x_axis];
  if (from.stride[2] == Index{sizeof(T)} && to.stride[2] == Index{sizeof(T)}) {
    std::memcpy(target, source, static_cast<std::size_t>(count) * sizeof(T));
    return;
  }
  for (Index x = 0; x < count; ++x)
    std::memcpy(target + x * to.stride[2], source + x * from.stride[2], sizeof(T));
}

template <class T>
void fill_elements(const Rectangle& to, const void* value, Index b, Index y) {
  std::byte* target = to.origin + b * to.stride[0] + y * to.stride[1];
  for (Index x = 0; x < to.extent[x_axis]; ++x)
    std::memcpy(target + x * to.stride[2], value, sizeof(T));
}

/// Calls `row(b, y)` for every row, with several threads if there are enough points.
template <class Row>
void for_each_row(const Point& extent, const Row& row) {
  if (points(extent) == 0) return;  // a field without points has no memory
  const Index rows = extent[0] * extent[1];
  const bool worthwhile = points(extent) > 1 << 16;
#pragma omp parallel for schedule(static) if (worthwhile)
  for (Index r = 0; r < rows; ++r) row(r / extent[1], r % extent[1]);
}

template <class Work>
void with_element(std::size_t size, const Work& work) {
  if (size == 4) return work(float{});
  if (size == 8) return work(double{});
  throw std::logic_error("elements of 4 or 8 bytes only");
}

}  // namespace

std::string CpuExecutor::facts() const {
  return fmt::format("{} threads", omp_get_max_threads());
}

Memory CpuExecutor::allocate(std::size_t bytes) {
  if (bytes == 0) return {nullptr, [](std::byte*) {}};
  const std::size_t alignment = bytes >= huge_page ? huge_page : 64;
  void* memory = nullptr;
  if (::posix_memalign(&memory, alignment, (bytes + 63) / 64 * 64) != 0)
    throw MemoryError(fmt::format(
        "{} bytes of memory are not to be had: use more ranks or nodes, or a smaller input",
        bytes));
  // only whole huge pages are requested, because a partial last page would take up to 2 MiB more
  // than needed
  if (bytes >= huge_page) ::madvise(memory, bytes / huge_page * huge_page, MADV_HUGEPAGE);
  return {static_cast<std::byte*>(memory), [](std::byte* p) { std::free(p); }};
}

void CpuExecutor::touch(std::byte* memory, std::size_t bytes) {
  static const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const std::size_t pages = (bytes + page - 1) / page;
#pragma omp parallel for schedule(static) if (bytes > huge_page)
  for (std::size_t i = 0; i < pages; ++i) memory[i * page] = std::byte{0};
}

void CpuExecutor::copy(const ConstRectangle& from, const Rectangle& to, std::size_t element_size,
                       Lane) {
  if (from.extent != to.extent) throw std::logic_error("copy between rectangles of two shapes");
  with_element(element_size, [&]<class T>(T) {
    for_each_row(from.extent, [&](Index b, Index y) { copy_elements<T>(from, to, b, y); });
  });
}

void CpuExecutor::fill(const Rectangle& to, const void* value, std::size_t element_size, Lane) {
  with_element(element_size, [&]<class T>(T) {
    for_each_row(to.extent, [&](Index b, Index y) { fill_elements<T>(to, value, b, y); });
  });
}

}  // namespace stencil
