#include "kernels/generated/compiled_kernel.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <string_view>

#include "framework/grid/error.hpp"
#include "kernels/generated/nvrtc.hpp"
#include "kernels/generated/source_text.hpp"

namespace stencil::generated {
namespace {

/// Everything that the machine code depends on.
std::string key_of(const std::string& source, const std::string& architecture,
                   const std::string& version) {
  std::string key =
      fmt::format("NVRTC {} {}\n{}\n", version, architecture, fmt::join(Nvrtc::options(), " "));
  for (const SourceText& text : included_text) key += fmt::format("{}\n{}\n", text.name, text.text);
  return key + source;
}

std::string first_line(const std::string& log) {
  const std::string line = log.substr(0, log.find('\n'));
  return line.empty() ? "it gives no reason" : line;
}

}  // namespace

CompiledKernel compiled_kernel(const std::string& source, const std::string& architecture,
                               const KernelCache& cache) {
  const Nvrtc* const compiler = Nvrtc::find();
  if (compiler == nullptr) return {"", "libnvrtc cannot be loaded", false};
  const std::string key = key_of(source, architecture, compiler->version());
  if (auto kept = cache.load(key)) return {std::move(*kept), "", true};
  Compilation made = compiler->compile(source, architecture);
  if (made.cubin.empty())
    return {"",
            fmt::format("NVRTC {} does not compile for {}: {}", compiler->version(), architecture,
                        first_line(made.log)),
            false};
  cache.store(key, made.cubin);
  return {std::move(made.cubin), "", false};
}

bool may_generate() {
  const char* const word = std::getenv("STENCIL_GENERATED_KERNELS");
  if (word == nullptr || *word == 0) return true;
  const std::string_view value = word;
  if (value != "off" && value != "auto")
    throw WordsError(fmt::format(
        "STENCIL_GENERATED_KERNELS = {}: it is off or auto: use one of them, or unset it", value));
  return value == "auto";
}

bool can_generate() {
  return may_generate() && Nvrtc::find() != nullptr;
}

}  // namespace stencil::generated
