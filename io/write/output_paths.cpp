#include "io/write/output_paths.hpp"

#include <filesystem>

#include "framework/grid/error.hpp"
#include "io/write/file_identity.hpp"

namespace stencil::storage {

namespace fs = std::filesystem;

OutputPaths OutputPaths::of(const std::string& file) {
  if (file.empty()) throw WordsError("output.file is empty: name the file to write");
  const fs::path path = resolved(fs::absolute(file));
  return {path.string(), path.string() + ".part", path.string() + ".lock",
          path.parent_path().string()};
}

}  // namespace stencil::storage
