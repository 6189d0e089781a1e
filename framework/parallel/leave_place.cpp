#include "framework/parallel/leave_place.hpp"

#include <omp.h>
#include <sched.h>

#include <vector>

namespace stencil {

void leave_place() {
  cpu_set_t processors;
  CPU_ZERO(&processors);
  for (int place = 0; place < omp_get_num_places(); ++place) {
    std::vector<int> numbers(static_cast<std::size_t>(omp_get_place_num_procs(place)));
    omp_get_place_proc_ids(place, numbers.data());
    for (const int number : numbers)
      if (number < CPU_SETSIZE) CPU_SET(static_cast<std::size_t>(number), &processors);
  }
  if (CPU_COUNT(&processors) > 0) ::sched_setaffinity(0, sizeof processors, &processors);
}

}  // namespace stencil
