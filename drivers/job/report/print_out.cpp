#include "drivers/job/report/print_out.hpp"

#include <fmt/core.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "framework/grid/error.hpp"

namespace stencil {

void print_out(const std::string& text) {
  const bool is_written = std::fputs(text.c_str(), stdout) >= 0 && std::fflush(stdout) == 0;
  if (!is_written && errno != EPIPE)
    throw StorageError(
        fmt::format("cannot write to stdout: {}: send it somewhere else", std::strerror(errno)));
}

}  // namespace stencil
