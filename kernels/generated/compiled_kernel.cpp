#include "kernels/generated/compiled_kernel.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <optional>
#include <string_view>

#include "framework/grid/error.hpp"
#include "kernels/generated/nvrtc.hpp"
#include "kernels/generated/source_text.hpp"

namespace stencil::generated {
namespace {

/// Returns all texts that a source may include, with their names.
std::string all_included() {
  std::string all;
  for (const SourceText& text : included_text) all += fmt::format("{}\n{}\n", text.name, text.text);
  return all;
}

/// Returns the cache key: all texts, names and options on which the machine code depends.
std::string key_of(const std::string& source, const std::string& kernel,
                   const std::string& architecture, const std::string& version) {
  static const std::string included = all_included();
  return fmt::format("NVRTC {} {}\n{}\n{}{}\n{}", version, architecture,
                     fmt::join(Nvrtc::options(), " "), included, source, kernel);
}

/// Returns the content of a cache file: the symbol, a zero byte, the code.
std::string kept_form(const Compilation& made) {
  return made.symbol + '\0' + made.code;
}

std::optional<CompiledKernel> kept_kernel(const KernelCache& cache, const std::string& key) {
  const auto kept = cache.load(key);
  if (!kept) return {};
  const std::size_t end = kept->find('\0');
  if (end == std::string::npos) return {};
  return CompiledKernel{kept->substr(end + 1), kept->substr(0, end), "", true};
}

std::string first_line(const std::string& log) {
  const std::string line = log.substr(0, log.find('\n'));
  return line.empty() ? "it gives no reason" : line;
}

}  // namespace

CompiledKernel compiled_kernel(const std::string& source, const std::string& kernel,
                               const std::string& architecture, const KernelCache& cache) {
  const Nvrtc* const compiler = Nvrtc::find();
  if (compiler == nullptr) return {"", "", "libnvrtc cannot be loaded", false};
  const std::string key = key_of(source, kernel, architecture, compiler->version());
  if (auto kept = kept_kernel(cache, key)) return *kept;
  const KernelCache::Turn turn = cache.await_turn(key);
  // another process may have compiled the kernel meanwhile
  if (auto kept = kept_kernel(cache, key)) return *kept;
  Compilation made = compiler->compile(source, kernel, architecture);
  if (made.code.empty())
    return {"", "",
            fmt::format("NVRTC {} does not compile for {}: {}", compiler->version(), architecture,
                        first_line(made.log)),
            false};
  cache.store(key, kept_form(made));
  return {std::move(made.code), std::move(made.symbol), "", false};
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
