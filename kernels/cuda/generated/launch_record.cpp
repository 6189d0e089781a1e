#include "kernels/cuda/generated/launch_record.hpp"

#include <cstring>

#include "kernels/cuda/generated/loaded_kernel.hpp"

namespace stencil::cuda {
namespace {

thread_local LaunchRecord* record_of_thread = nullptr;

}  // namespace

LaunchRecord::Recording::Recording(LaunchRecord& record) {
  record_of_thread = &record;
}

LaunchRecord::Recording::~Recording() {
  record_of_thread = nullptr;
}

void LaunchRecord::add(const LoadedKernel& kernel, const std::array<unsigned, 3>& grid,
                       unsigned threads, std::size_t shared_bytes,
                       std::initializer_list<Argument> arguments) {
  LaunchRecord* const record = record_of_thread;
  if (record == nullptr) return;
  Launch launch{&kernel, grid, threads, shared_bytes, {}};
  std::vector<Line>& lines = record->lines_;
  for (const Argument& argument : arguments) {
    const std::size_t first = lines.size();
    launch.arguments.push_back(first);
    lines.resize(first + (argument.bytes + sizeof(Line) - 1) / sizeof(Line));
    if (argument.bytes > 0) std::memcpy(lines[first].bytes, argument.address, argument.bytes);
  }
  record->launches_.push_back(std::move(launch));
}

void LaunchRecord::note_other_work() {
  if (record_of_thread != nullptr) record_of_thread->has_other_work_ = true;
}

void LaunchRecord::replay(CUstream_st* stream) const {
  std::vector<void*> addresses;
  for (const Launch& launch : launches_) {
    addresses.clear();
    for (const std::size_t first : launch.arguments)
      addresses.push_back(const_cast<Line*>(lines_.data() + first));
    launch.kernel->launch(launch.grid, launch.threads, launch.shared_bytes, stream,
                          addresses.data());
  }
}

}  // namespace stencil::cuda
