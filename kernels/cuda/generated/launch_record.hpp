#pragma once

#include <array>
#include <cstddef>
#include <initializer_list>
#include <vector>

struct CUstream_st;

namespace stencil::cuda {

class LoadedKernel;

/// The launches of one sweep, with their arguments. They can be queued again without choosing
/// kernels, dividing the work among blocks and asking the GPU for the occupancy of kernels.
class LaunchRecord {
 public:
  /// An argument of a kernel, in host memory.
  struct Argument {
    const void* address;
    std::size_t bytes;
  };

  /// Until this object is destroyed, the launches that this thread makes by launch_instance are
  /// also added to the record. Recordings of a thread are not nested.
  class Recording {
   public:
    explicit Recording(LaunchRecord& record);
    ~Recording();
    Recording(const Recording&) = delete;
    Recording& operator=(const Recording&) = delete;
  };

  /// Adds a launch to the record of this thread; does nothing if this thread does not record.
  ///
  /// @param kernel  stays loaded until the process ends
  static void add(const LoadedKernel& kernel, const std::array<unsigned, 3>& grid, unsigned threads,
                  std::size_t shared_bytes, std::initializer_list<Argument> arguments);

  /// Notes that this thread has queued work in another way than by launch_instance. The record of
  /// this thread, if there is one, is then incomplete.
  static void note_other_work();

  /// Returns whether the record contains all of the queued work, and at least one launch.
  bool is_complete() const { return !has_other_work_ && !launches_.empty(); }

  /// Number of launches.
  std::size_t size() const { return launches_.size(); }

  /// Queues the launches of a complete record again.
  /// @throws MachineError  a launch failed
  void replay(CUstream_st* stream) const;

 private:
  /// A part of an argument; arguments are aligned like tensor maps.
  struct alignas(64) Line {
    std::byte bytes[64];
  };
  struct Launch {
    const LoadedKernel* kernel;
    std::array<unsigned, 3> grid;
    unsigned threads;
    std::size_t shared_bytes;
    std::vector<std::size_t> arguments;  ///< index of the first line of each argument
  };

  std::vector<Launch> launches_;
  std::vector<Line> lines_;
  bool has_other_work_ = false;
};

}  // namespace stencil::cuda
