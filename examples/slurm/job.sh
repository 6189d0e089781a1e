#!/bin/bash
#SBATCH --job-name=stencil
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=4
#SBATCH --cpus-per-task=8
#SBATCH --time=01:00:00
#SBATCH --output=%x-%j.out
#SBATCH --open-mode=append
#SBATCH --requeue
#SBATCH --signal=B:USR1@120
#
# sbatch job.sh CONFIG.ini [--section.key=value ...]
# One MPI rank per task, one thread per core of the task. Set the numbers above to your nodes:
# ntasks-per-node times cpus-per-task is the number of cores of a node.
#
# Slurm sends USR1 two minutes before the time limit (up to three minutes). A run with a checkpoint then writes it and
# ends with status 75; the job is requeued and continues from the checkpoint. Environment variables (defaults):
#   STENCIL_RUN       the program                                      (stencil_run)
#   STENCIL_LAUNCHER  mpirun, or srun if Slurm has PMIx                (mpirun)
#   STENCIL_REQUEUES  largest number of times that the job is requeued (10)
#   STENCIL_MODULES   modules to be loaded, such as "openmpi hdf5/1.14-parallel"
#   STENCIL_IMAGE     a container made by stencil.def, which has the program
set -euo pipefail

say() {
  echo "job.sh: $(date +%FT%T%z) $*"
}

refuse() {
  echo "job.sh: $*" >&2
  exit 2
}

[ $# -ge 1 ] || refuse "usage: sbatch job.sh CONFIG.ini [--section.key=value ...]"
if [ -n "${STENCIL_MODULES:-}" ]; then
  # shellcheck disable=SC2086 # one word for each module
  module load $STENCIL_MODULES || refuse "cannot load $STENCIL_MODULES: module avail lists what there is"
fi

program=("${STENCIL_RUN:-stencil_run}")
if [ -n "${STENCIL_IMAGE:-}" ]; then
  command -v apptainer >/dev/null || refuse "no apptainer, which runs STENCIL_IMAGE = $STENCIL_IMAGE"
  [ -r "$STENCIL_IMAGE" ] || refuse "no image $STENCIL_IMAGE: apptainer build makes it of stencil.def"
  program=(apptainer exec "$STENCIL_IMAGE" "${program[@]}")
  ! [ -e /dev/nvidiactl ] || program=(apptainer exec --nv "${program[@]:2}")
elif ! command -v "${program[0]}" >/dev/null; then
  refuse "${program[0]} not found; put build/bin into PATH, or set STENCIL_RUN to the program"
fi

threads=${SLURM_CPUS_PER_TASK:-1}
export OMP_NUM_THREADS=$threads OMP_PLACES=cores OMP_PROC_BIND=close

# A plain srun does not work: it starts the tasks without PMI, which OpenMPI needs to connect them.
case ${STENCIL_LAUNCHER:-mpirun} in
  mpirun) launch=(mpirun --map-by "slot:PE=$threads" "${program[@]}") ;;
  srun) launch=(srun --mpi=pmix --cpus-per-task="$threads" "${program[@]}") ;;
  *) refuse "STENCIL_LAUNCHER = $STENCIL_LAUNCHER: write mpirun or srun" ;;
esac

# Prints a value that Slurm reports for this job; nothing if Slurm does not answer.
fact() {
  scontrol --oneliner show job "$SLURM_JOB_ID" 2>/dev/null | tr ' ' '\n' | sed -n "s/^$1=//p;" | head -n 1 || true
}

# Returns whether the site automatically requeues jobs that end with status 75.
site_requeues() {
  scontrol show config 2>/dev/null | grep -E '^RequeueExit +=' | grep -qE '[ ,]75(,|$)'
}

# This script passes signals on to the launcher, which passes USR1 and USR2 on to all ranks. At the end of a job, Slurm
# sends SIGTERM to launcher and ranks, too. A SIGTERM for this script alone is passed on as USR1, because mpirun kills
# its ranks a second after SIGTERM.
running=
pass_on() {
  if [ -n "$running" ]; then
    say "passes $1 on"
    kill -s "$1" "$running" 2>/dev/null || true
  fi
}
trap 'pass_on USR1' USR1
trap 'pass_on USR2' USR2
trap 'state=$(fact JobState); [ "${state:-RUNNING}" != RUNNING ] || pass_on USR1' TERM

# Runs a command and returns its exit status. A trap interrupts `wait`, but does not end the command.
run() {
  local status=0
  "$@" &
  running=$!
  while kill -0 "$running" 2>/dev/null; do wait "$running" || true; done
  wait "$running" || status=$?
  running=
  return $status
}

requeue() {
  local restarts=${SLURM_RESTART_COUNT:-0} most=${STENCIL_REQUEUES:-10} state
  trap '' TERM # for scontrol, too: Slurm may end a job that is requeued before scontrol has its answer
  state=$(fact JobState)
  # at the time limit a job may still be requeued; a cancelled job stays cancelled
  if [ "${state:-RUNNING}" != RUNNING ] && [ "$(fact Reason)" != TimeLimit ]; then
    say "stopped with a checkpoint; the job was cancelled, or Slurm requeues it"
  elif [ "$restarts" -ge "$most" ]; then
    say "stopped with a checkpoint; not requeued, as STENCIL_REQUEUES = $most: sbatch continues from it"
    ! site_requeues || exit 1
  elif [ "$state" = RUNNING ] && site_requeues; then
    say "stopped with a checkpoint; Slurm requeues the job for its status 75"
  elif scontrol requeue "$SLURM_JOB_ID"; then
    say "stopped with a checkpoint; requeued"
  else
    say "stopped with a checkpoint; cannot be requeued: sbatch continues from it"
  fi
}

if [ -n "${SLURM_JOB_ID:-}" ]; then
  end=$(fact EndTime)
  # run.time_limit = auto reads this variable, which Slurm 22.05 does not set. `date` reads an empty text as midnight.
  [ -z "$end" ] || ! seconds=$(date -d "$end" +%s 2>/dev/null) || export SLURM_JOB_END_TIME=$seconds
  say "job ${SLURM_ARRAY_JOB_ID:+${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID, }$SLURM_JOB_ID, start" \
    "$((${SLURM_RESTART_COUNT:-0} + 1)), until ${end:-a time that Slurm did not tell}"
  say "on $SLURM_JOB_NUM_NODES nodes: $(scontrol show hostnames "$SLURM_JOB_NODELIST" | tr '\n' ' ')"
fi
printf -v command '%q ' "${launch[@]}" "$@"
say "on host $(hostname): $command"

# The plan is printed first: it is then in the log, and an error in the configuration ends the job before any work.
# --check takes the same arguments except --report, because a plan has no report.
words=()
previous=
for word in "$@"; do
  [ "$previous" = --report ] || [[ $word = --report || $word = --report=* ]] || words+=("$word")
  previous=$word
done
status=0
run "${launch[@]}" --check "${words[@]}" || status=$?
if [ $status -eq 0 ]; then
  say "starts"
  run "${launch[@]}" "$@" || status=$?
fi
say "ended with status $status after $SECONDS s"
[ $status -ne 75 ] || [ -z "${SLURM_JOB_ID:-}" ] || requeue
exit $status
