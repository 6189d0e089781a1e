#include "drivers/job/report/print_out.hpp"

#include <fmt/core.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "drivers/config/help.hpp"
#include "drivers/config/words.hpp"
#include "framework/grid/error.hpp"
#include "framework/parallel/run_guarded.hpp"

namespace stencil {

void print_out(const std::string& text) {
  const bool is_written = std::fputs(text.c_str(), stdout) >= 0 && std::fflush(stdout) == 0;
  if (!is_written && errno != EPIPE)
    throw StorageError(
        fmt::format("cannot write to stdout: {}: send it somewhere else", std::strerror(errno)));
}

int print_facts(Request request) {
  if (!will_be_first_rank()) return 0;
  try {
    print_out(request == Request::help ? help_text() : "stencil_run " STENCIL_VERSION "\n");
    return 0;
  } catch (const Error& error) {
    std::fputs(fmt::format("stencil_run: {}\n", error.what()).c_str(), stderr);
    return static_cast<int>(error.status());
  }
}

}  // namespace stencil
