#!/bin/bash
#SBATCH --job-name=stencil
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=4
#SBATCH --cpus-per-task=8
#SBATCH --time=01:00:00
#SBATCH --output=%x-%j.out
#
# sbatch job.sh CONFIG.ini [--section.key=value ...]
# One MPI rank per task, one thread per core of the task. Set the numbers above to your nodes:
# ntasks-per-node times cpus-per-task is the number of cores of a node.
set -euo pipefail

if [ $# -lt 1 ]; then
  echo "usage: sbatch job.sh CONFIG.ini [--section.key=value ...]" >&2
  exit 2
fi
program=${STENCIL_RUN:-stencil_run}
if ! command -v "$program" >/dev/null; then
  echo "job.sh: $program not found; put build/bin into PATH, or set STENCIL_RUN to the program" >&2
  exit 2
fi

export OMP_NUM_THREADS=${SLURM_CPUS_PER_TASK:-1}
export OMP_PLACES=cores OMP_PROC_BIND=close

# Not a plain srun: it starts the tasks without the PMI by which OpenMPI finds the others, and none
# could compute. Where mpirun does not know Slurm: launch=(srun --mpi=pmix "$program")
launch=(mpirun --map-by "slot:PE=$OMP_NUM_THREADS" "$program")

# The plan first: it goes into the log, and a wrong word ends the job before any work. It takes the
# same words, less --report: a plan has nothing to report.
words=()
previous=
for word in "$@"; do
  [ "$previous" = --report ] || [[ $word = --report || $word = --report=* ]] || words+=("$word")
  previous=$word
done
"${launch[@]}" --check "${words[@]}"
exec "${launch[@]}" "$@"
