#include "drivers/survey/answer.hpp"

#include <fmt/core.h>

#include <cstdio>

#include "drivers/config/help.hpp"
#include "drivers/job/report/print_out.hpp"
#include "drivers/survey/first_config.hpp"
#include "drivers/survey/list_text.hpp"
#include "framework/grid/error.hpp"
#include "framework/grid/one_line.hpp"
#include "framework/parallel/run_guarded.hpp"
#include "include/stencil/version.hpp"
#include "io/listing.hpp"

namespace stencil {
namespace {

std::string init(const CommandLine& line) {
  const std::string dataset = line.overrides.empty() ? "" : line.overrides.front().value;
  const FirstConfig config = make_first_config(line.init, line.file, dataset);
  write_first_config(config);
  const std::string name = one_line(config.name);
  return fmt::format(
      "{0} is written. Look at it, then\n  stencil_run --check {0}\n"
      "  mpirun -n 4 stencil_run {0}\n",
      name);
}

std::string text_of(Request request, const CommandLine& line) {
  switch (request) {
    case Request::help:
      return help_text();
    case Request::version:
      return "stencil_run " STENCIL_VERSION "\n";
    case Request::list:
      return list_text(line.list, list_datasets(line.list));
    default:
      return init(line);
  }
}

}  // namespace

int answer(Request request, const CommandLine& line) {
  if (!will_be_first_rank()) return request == Request::guide ? static_cast<int>(Status::words) : 0;
  try {
    if (request == Request::guide) throw WordsError(guide_text());
    print_out(text_of(request, line));
    return 0;
  } catch (const Error& error) {
    std::fputs(fmt::format("stencil_run: {}\n", error.what()).c_str(), stderr);
    return static_cast<int>(error.status());
  }
}

}  // namespace stencil
