#!/bin/bash
#SBATCH --job-name=stencil
#SBATCH --array=1-100%10
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=4
#SBATCH --cpus-per-task=8
#SBATCH --time=01:00:00
#SBATCH --output=%x-%A_%a.out
#SBATCH --open-mode=append
#SBATCH --requeue
#SBATCH --signal=B:USR1@120
#
# sbatch --array=1-24%10 array.sh CONFIG.ini FOLDER INPUT.h5 ... [--section.key=value ...]
# One configuration, many inputs: each task of the array takes the input of its number and writes FOLDER/INPUT.h5, at
# most ten at a time, with a checkpoint of its own beside it if the configuration has one. Each is a job for job.sh,
# which has to lie where you call sbatch (or name it: STENCIL_JOB).
set -euo pipefail

refuse() {
  echo "array.sh: $*" >&2
  exit 2
}

usage="usage: sbatch --array=1-NUMBER_OF_INPUTS array.sh CONFIG.ini FOLDER INPUT.h5 ... [--section.key=value ...]"
[ $# -ge 3 ] || refuse "$usage"
config=$1 folder=$2
shift 2
inputs=()
while [ $# -gt 0 ] && [[ $1 != --* ]]; do
  inputs+=("$1")
  shift
done

number=${SLURM_ARRAY_TASK_ID:?array.sh: no job of an array: $usage}
{ [ "$number" -ge 1 ] && [ "$number" -le ${#inputs[@]} ]; } ||
  refuse "no input number $number: --array=1-${#inputs[@]} has one task for each of ${#inputs[@]} inputs"
input=${inputs[number - 1]}
name=$folder/$(basename "$input")
mkdir -p "$folder"
words=(--input.file="$input" --output.file="$name")
! grep -Eq '^[[:space:]]*checkpoint[[:space:]]*=' "$config" || words+=(--run.checkpoint="${name%.h5}.checkpoint.h5")

exec "${STENCIL_JOB:-$SLURM_SUBMIT_DIR/job.sh}" "$config" "${words[@]}" "$@"
