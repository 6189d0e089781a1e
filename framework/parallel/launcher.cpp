#include "framework/parallel/launcher.hpp"

#include <errno.h>  // program_invocation_short_name of glibc
#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "framework/grid/error.hpp"

namespace stencil {
namespace {

bool is_set(const char* name) {
  return std::getenv(name) != nullptr;
}

bool has_pmix() {
  return is_set("OMPI_COMM_WORLD_SIZE") || is_set("PMIX_RANK") || is_set("PMIX_NAMESPACE");
}

bool has_older_pmi() {
  return is_set("PMI_FD") || is_set("PMI_RANK") || is_set("PMI_PORT");
}

/// Number of tasks of a Slurm step that does not provide PMIx; 0 if there is no such step.
int silent_tasks() {
  const char* tasks = std::getenv("SLURM_STEP_NUM_TASKS");
  if (!tasks || !is_set("SLURM_STEP_ID") || !is_set("SLURM_PROCID")) return 0;
  return has_pmix() ? 0 : std::atoi(tasks);
}

/// Returns whether this MPI supports PMI-1 or PMI-2 with Slurm directly. OpenMPI before 5.0, if
/// built --with-pmi, lists one component for PMI-1 and one for PMI-2. PMI-1 cannot be detected from
/// the environment.
bool knows_older_pmi() {
#ifdef OPEN_MPI
  int provided = 0, variables = 0;
  if (MPI_T_init_thread(MPI_THREAD_SINGLE, &provided) != MPI_SUCCESS) return true;
  MPI_T_cvar_get_num(&variables);
  bool found = false;
  for (int i = 0; i < variables && !found; ++i) {
    char text[128]{};
    int length = sizeof text, verbosity = 0, no_words = 0, binding = 0, scope = 0;
    MPI_Datatype type{};
    MPI_T_enum values{};
    if (MPI_T_cvar_get_info(i, text, &length, &verbosity, &type, &values, nullptr, &no_words,
                            &binding, &scope) != MPI_SUCCESS)
      continue;
    const std::string_view name = text;
    found = name.starts_with("pmix_s1_") || name.starts_with("pmix_s2_") ||
            name.starts_with("pmix_cray_");
  }
  MPI_T_finalize();
  return found;
#else
  return true;  // other MPI libraries find the tasks of a Slurm step without environment variables
#endif
}

}  // namespace

void require_launch_with_pmi() {
  const int tasks = silent_tasks();
  if (tasks <= 1 || knows_older_pmi()) return;
  throw MachineError("srun started " + std::to_string(tasks) +
                     " tasks without PMIx, by which OpenMPI finds them: use srun --mpi=pmix, or "
                     "mpirun");
}

int refuse_launch_without_pmi() {
  try {
    require_launch_with_pmi();
    return 0;
  } catch (const MachineError& error) {
    if (std::string_view(std::getenv("SLURM_PROCID")) == "0")
      std::fprintf(stderr, "%s: %s\n", program_invocation_short_name, error.what());
    return static_cast<int>(error.status());
  }
}

void start_alone_quickly() {
  const int tasks = silent_tasks();
  if (tasks > 1) return;
  // otherwise OpenMPI would assume that the only task of a step (for example an interactive shell)
  // is one of several, and would not find PMI
  if (tasks == 1) ::unsetenv("SLURM_STEP_ID");
  if (has_pmix() || (has_older_pmi() && tasks == 0)) return;
  constexpr int keep = 0;  // do not overwrite variables that the user has set
  ::setenv("OMPI_MCA_ess_singleton_isolated", "1", keep);
  // Without this variable, all processes that no launcher has started would share one session
  // folder: a process that ends removes the folder while another process starts (MPI_Init failed in
  // 9 of 300 starts, eight at a time).
  ::setenv("OMPI_MCA_orte_create_session_dirs", "0", keep);
  ::setenv("OMPI_MCA_pml", "ob1", keep);
}

std::string words_on_mpirun() {
  if (!is_set("OMPI_MCA_orte_hnp_uri")) return "";  // only mpirun sets this variable
  return " (mpirun now adds a block about a non-zero exit code: that is status 75, and no error)";
}

}  // namespace stencil
