#pragma once

#include <optional>
#include <string>
#include <vector>

namespace stencil::generated {

/// What the compiler made of a source.
struct Compilation {
  std::string cubin;   ///< empty: it did not compile
  std::string symbol;  ///< name of the kernel in the cubin
  std::string log;     ///< messages, and for each kernel its registers and spills
};

/// What the log of a compilation says of the kernel.
struct Resources {
  int registers = 0;  ///< of a thread
  int spilled = 0;    ///< bytes of values that found no register, written and read again
};
Resources resources_of(const std::string& log);

/// NVRTC, CUDA's run-time compiler. Its shared library is loaded when it is first needed, so that
/// programs start without it. Threads may share it.
class Nvrtc {
 public:
  /// The compiler of this process; none where the library cannot be loaded or lacks a function.
  static const Nvrtc* find();

  /// `13.0`; part of the key of what is kept.
  const std::string& version() const { return version_; }

  /// Compiles a source, whose includes are included_text (source_text.hpp), to machine code. A
  /// source that does not compile has an empty cubin and a log.
  ///
  /// @param kernel        the kernel, with its namespaces and template arguments:
  ///                      `stencil::cuda::tile_line<float, 17>`
  /// @param architecture  of the GPU: `sm_90`
  Compilation compile(const std::string& source, const std::string& kernel,
                      const std::string& architecture) const;

  /// Options of every compilation beside the architecture.
  static std::vector<std::string> options();

 private:
  struct Functions;
  explicit Nvrtc(const Functions& functions);
  static std::optional<Nvrtc> load();

  const Functions* functions_;
  std::string version_;
};

}  // namespace stencil::generated
