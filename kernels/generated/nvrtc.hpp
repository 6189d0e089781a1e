#pragma once

#include <optional>
#include <string>
#include <vector>

namespace stencil::generated {

/// Result of the compilation of a source.
struct Compilation {
  /// Machine code, or text in the intermediate language PTX for a virtual architecture; empty if
  /// the source did not compile.
  std::string code;
  std::string symbol;  ///< name of the kernel in the code
  std::string log;     ///< messages, and the registers and spills of each kernel
};

/// Resources of a kernel according to the log of its compilation.
struct Resources {
  int registers = 0;  ///< number of registers of a thread
  int spilled = 0;    ///< number of bytes of spill stores and spill loads
};
Resources resources_of(const std::string& log);

/// NVRTC, the run-time compiler of CUDA. Its shared library is loaded when it is first needed, so
/// that programs also start where the library is missing. Several threads may use the compiler at
/// the same time.
class Nvrtc {
 public:
  /// Returns the compiler of this process, or nullptr if the library cannot be loaded or lacks a
  /// function.
  static const Nvrtc* find();

  /// Version of the compiler, for example `13.0`; a part of the cache key.
  const std::string& version() const { return version_; }

  /// Compiles a source. The source may include the texts of included_text
  /// (source_text.hpp). If the source does not compile, the code is empty and the log is not.
  ///
  /// @param kernel        name of the kernel with namespaces and template arguments:
  ///                      `stencil::cuda::tile_line<float, 17>`
  /// @param architecture  architecture of the GPU: `sm_90`, or a virtual one:
  ///                      `compute_80`. The log has the registers for the former only.
  Compilation compile(const std::string& source, const std::string& kernel,
                      const std::string& architecture) const;

  /// Options of every compilation, without the architecture.
  static std::vector<std::string> options();

 private:
  struct Functions;
  explicit Nvrtc(const Functions& functions);
  static std::optional<Nvrtc> load();

  const Functions* functions_;
  std::string version_;
};

}  // namespace stencil::generated
