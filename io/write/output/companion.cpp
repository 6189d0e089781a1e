#include "io/write/output/companion.hpp"

#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "framework/grid/error.hpp"
#include "io/hdf5/system_error.hpp"
#include "io/write/lock/own_mark.hpp"
#include "io/write/write_errors.hpp"
#include "io/write/xdmf.hpp"

namespace stencil::storage {

std::string Companion::make(const OutputSpec& spec, const OutputPaths& paths,
                            const std::vector<double>& times, OutputLock& lock) {
  const std::string text = spec.snapshots ? xdmf_of(spec, paths.final_name(), times) : "";
  if (text.empty()) return "";
  try {
    const std::string name = fresh_name_beside(paths.final);
    lock.note_fresh(std::filesystem::path(name).filename().string());
    file_.emplace(name, paths.final + ".xdmf");
  } catch (const StorageError& error) {
    return error.what();
  }
  const auto* const bytes = reinterpret_cast<const std::byte*>(text.data());
  const int error = write_exactly(file_->number(), bytes, std::ssize(text), 0);
  if (error == 0) return "";
  file_.reset();
  return fmt::format("{}: {}", std::strerror(error), remedy_of(error));
}

std::string Companion::publish(const OutputPaths& paths) {
  if (!file_) return "";
  const std::string name = paths.final + ".xdmf";
  struct stat state {};
  const int error = ::lstat(name.c_str(), &state) == 0 ? EEXIST : file_->take_place(name);
  if (error == 0) return "";
  return fmt::format("{}: {}", std::strerror(error),
                     error == EEXIST ? "remove what is in its way" : remedy_of(error));
}

void remove_companion(int folder, const OutputPaths& paths) {
  const std::string name = paths.final_name() + ".xdmf";
  if (!is_foreign_companion(folder, name)) ::unlinkat(folder, name.c_str(), 0);
}

}  // namespace stencil::storage
