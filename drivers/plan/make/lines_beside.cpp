#include "drivers/plan/make/lines_beside.hpp"

#include <string_view>

namespace stencil {

std::string lines_beside(const std::string& report) {
  constexpr std::string_view json = ".json";
  if (!report.ends_with(json)) return {};
  return report.substr(0, report.size() - json.size()) + ".steps.jsonl";
}

}  // namespace stencil
