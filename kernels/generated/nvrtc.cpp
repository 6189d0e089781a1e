#include "kernels/generated/nvrtc.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include "kernels/generated/source_text.hpp"

namespace stencil::generated {

// Functions as declared in nvrtc.h: nvrtcResult is an int with 0 for success; nvrtcProgram is a
// pointer.
struct Nvrtc::Functions {
  int (*version)(int*, int*);
  int (*create)(void**, const char*, const char*, int, const char* const*, const char* const*);
  int (*add_name)(void*, const char*);
  int (*compile)(void*, int, const char* const*);
  int (*lowered_name)(void*, const char*, const char**);
  int (*log_size)(void*, std::size_t*);
  int (*log)(void*, char*);
  int (*cubin_size)(void*, std::size_t*);
  int (*cubin)(void*, char*);
  int (*ptx_size)(void*, std::size_t*);
  int (*ptx)(void*, char*);
  int (*destroy)(void**);
};

namespace {

/// Opens the library by the first of its names that is found; the runtime packages use names with
/// the major version.
void* open_library() {
  for (const char* name : {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"})
    if (void* library = dlopen(name, RTLD_NOW | RTLD_LOCAL)) return library;
  return nullptr;
}

template <class Function>
bool look_up(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

/// Returns a text or the machine code of a program. `size_of` returns the size of this text or
/// code.
std::string fetch(void* program, int (*size_of)(void*, std::size_t*), int (*copy)(void*, char*)) {
  std::size_t size = 0;
  if (size_of(program, &size) != 0) return {};
  std::string bytes(size, '\0');
  if (size > 0 && copy(program, bytes.data()) != 0) return {};
  return bytes;
}

}  // namespace

Resources resources_of(const std::string& log) {
  // the log has for example `0 bytes spill stores, 0 bytes spill loads` and `Used 64 registers`
  const auto number_before = [&](const std::string& words) {
    const std::size_t at = log.find(words);
    if (at == std::string::npos) return 0;
    const std::size_t begin = log.find_last_not_of("0123456789", at - 1) + 1;
    return begin < at ? std::stoi(log.substr(begin, at - begin)) : 0;
  };
  return {number_before(" registers"),
          number_before(" bytes spill stores") + number_before(" bytes spill loads")};
}

Nvrtc::Nvrtc(const Functions& functions) : functions_(&functions) {
  int major = 0, minor = 0;
  functions.version(&major, &minor);
  version_ = fmt::format("{}.{}", major, minor);
}

std::optional<Nvrtc> Nvrtc::load() {
  void* const library = open_library();
  if (library == nullptr) return {};
  static Functions f;
  const bool complete = look_up(library, "nvrtcVersion", f.version) &&
                        look_up(library, "nvrtcCreateProgram", f.create) &&
                        look_up(library, "nvrtcAddNameExpression", f.add_name) &&
                        look_up(library, "nvrtcCompileProgram", f.compile) &&
                        look_up(library, "nvrtcGetLoweredName", f.lowered_name) &&
                        look_up(library, "nvrtcGetProgramLogSize", f.log_size) &&
                        look_up(library, "nvrtcGetProgramLog", f.log) &&
                        look_up(library, "nvrtcGetCUBINSize", f.cubin_size) &&
                        look_up(library, "nvrtcGetCUBIN", f.cubin) &&
                        look_up(library, "nvrtcGetPTXSize", f.ptx_size) &&
                        look_up(library, "nvrtcGetPTX", f.ptx) &&
                        look_up(library, "nvrtcDestroyProgram", f.destroy);
  if (!complete) return {};
  return Nvrtc(f);
}

const Nvrtc* Nvrtc::find() {
  static const std::optional<Nvrtc> found = load();
  return found ? &*found : nullptr;
}

std::vector<std::string> Nvrtc::options() {
  // the compiler must not fuse products and sums, except where the source uses a fused multiply-add
  return {"--std=c++20", "--fmad=false", "-default-device", "--ptxas-options=-v"};
}

Compilation Nvrtc::compile(const std::string& source, const std::string& kernel,
                           const std::string& architecture) const {
  std::vector<const char*> texts, names;
  for (const SourceText& included : included_text) {
    texts.push_back(included.text);
    names.push_back(included.name);
  }
  Compilation result;
  void* program = nullptr;
  if (functions_->create(&program, source.c_str(), "stencil.cu", int(texts.size()), texts.data(),
                         names.data()) != 0)
    return result;
  functions_->add_name(program, kernel.c_str());
  std::vector<std::string> words = options();
  words.push_back("--gpu-architecture=" + architecture);
  std::vector<const char*> arguments;
  for (const std::string& word : words) arguments.push_back(word.c_str());
  const int status = functions_->compile(program, int(arguments.size()), arguments.data());
  result.log = fetch(program, functions_->log_size, functions_->log);
  while (!result.log.empty() && (result.log.back() == '\0' || result.log.back() == '\n'))
    result.log.pop_back();
  const char* symbol = nullptr;
  if (status == 0 && functions_->lowered_name(program, kernel.c_str(), &symbol) == 0) {
    const bool is_virtual = architecture.starts_with("compute_");
    result.code = is_virtual ? fetch(program, functions_->ptx_size, functions_->ptx)
                             : fetch(program, functions_->cubin_size, functions_->cubin);
    result.symbol = symbol;
  }
  functions_->destroy(&program);
  return result;
}

}  // namespace stencil::generated
