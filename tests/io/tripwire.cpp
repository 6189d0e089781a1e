// A substitute for a filter plugin, which writes a file when it is loaded.
#include <cstdlib>
#include <fstream>

namespace {

const bool is_loaded = [] {
  if (const char* trace = std::getenv("STENCIL_TRIPWIRE")) std::ofstream(trace) << "loaded\n";
  return true;
}();

}  // namespace
