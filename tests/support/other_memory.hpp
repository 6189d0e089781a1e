#pragma once

#include <algorithm>
#include <cstring>
#include <memory>
#include <mutex>
#include <set>
#include <string>

#include "framework/device/cpu/cpu_executor.hpp"
#include "framework/device/device_blocks.hpp"

namespace stencil::testing {

/// An executor that computes on the CPU but declares that its memory is not the host's, so that
/// the code copies points to this memory and back, as it does for a GPU. It rounds allocations up
/// to the blocks in which a GPU allocates memory.
class OtherMemory : public CpuExecutor {
 public:
  std::string name() const override { return "other"; }
  bool is_host() const override { return false; }
  std::unique_ptr<Executor> sibling() const override {
    auto other = std::make_unique<OtherMemory>();
    other->count_ = count_;
    return other;
  }
  Memory allocate(std::size_t bytes) override {
    const Index taken = in_device_blocks(static_cast<Index>(bytes));
    Memory memory = CpuExecutor::allocate(bytes);
    count_->add(taken);
    if (memory == nullptr) return memory;
    return {memory.release(), [free = memory.get_deleter(), count = count_, taken](std::byte* p) {
              count->add(-taken);
              free(p);
            }};
  }
  /// Host memory: messages through the host need no device memory.
  Memory allocate_shared(std::size_t bytes) override { return CpuExecutor::allocate(bytes); }

  /// Copies elements of any size, as a GPU's executor does.
  void upload(const ConstRectangle& host, const Rectangle& to, std::size_t element_size) override {
    for (Index b = 0; b < to.extent[0]; ++b)
      for (Index y = 0; y < to.extent[1]; ++y)
        std::memcpy(to.origin + b * to.stride[0] + y * to.stride[1],
                    host.origin + b * host.stride[0] + y * host.stride[1],
                    static_cast<std::size_t>(to.extent[2]) * element_size);
  }
  void download(const ConstRectangle& from, const Rectangle& host,
                std::size_t element_size) override {
    upload(from, host, element_size);
  }

  void begin_range(const char* name) override {
    ++depth_;
    ranges_.insert(name);
  }
  void end_range() override { --depth_; }

  /// Names of all ranges that were begun, and the number of ranges that have not ended.
  const std::set<std::string>& ranges() const { return ranges_; }
  int open_ranges() const { return depth_; }
  Index peak() const { return count_->peak; }

 private:
  /// Bytes in use, shared by an executor and its siblings.
  struct Count {
    Index now = 0, peak = 0;
    std::mutex mutex{};

    void add(Index bytes) {
      const std::lock_guard lock(mutex);
      now += bytes;
      peak = std::max(peak, now);
    }
  };
  std::set<std::string> ranges_;
  int depth_ = 0;
  std::shared_ptr<Count> count_ = std::make_shared<Count>();  // memory may outlive the executor
};

}  // namespace stencil::testing
