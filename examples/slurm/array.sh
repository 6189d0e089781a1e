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
# One configuration, many inputs: each task of the array processes one input and writes FOLDER/INPUT.h5, at most ten
# tasks at a time. If the configuration or the command line names a checkpoint, each task has a separate one,
# FOLDER/INPUT.checkpoint.h5. Each task has a separate report: with --report r.json it is r.INPUT.json. Every task reads
# the whole list of inputs and refuses it if two inputs would be written to the same file. Each task calls job.sh, which
# must be in the folder where you call sbatch (or be named by STENCIL_JOB).
set -euo pipefail

# Prints one line, even if names contain line breaks.
refuse() {
  local text=$*
  [[ $text != *[[:cntrl:]]* ]] || printf -v text %q "$text"
  echo "array.sh: $text" >&2
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

# Arguments for all tasks. Arguments that name a file are changed or refused, because all tasks would write the same
# file.
words=() report='' has_checkpoint=''
! grep -Eq '^[[:space:]]*checkpoint[[:space:]]*=' "$config" || has_checkpoint=yes
while [ $# -gt 0 ]; do
  case $1 in
    --report=*) report=${1#*=} ;;
    --report | --run.checkpoint)
      [ $# -ge 2 ] || refuse "$1 wants the name of a file"
      if [ "$1" = --report ]; then report=$2; else has_checkpoint=yes; fi
      shift
      ;;
    --run.checkpoint=*) has_checkpoint=yes ;;
    --input.file | --input.file=* | --output.file | --output.file=*)
      refuse "$1: each task has files of its own: write FOLDER INPUT.h5 ... instead" ;;
    *) words+=("$1") ;;
  esac
  shift
done

# Sets the names of the files that a task writes for an input: output, checkpoint and report.
name_files() {
  local base=${1##*/}
  [ -n "$base" ] || refuse "$1: no name of a file"
  output=$folder/$base
  checkpoint=${output%.h5}.checkpoint.h5
  own_report=
  [ -z "$report" ] || own_report=${report%.json}.${base%.h5}.json
}

# Two inputs must not have a file in common, including temporary files.
declare -A writer
for input in "${inputs[@]}"; do
  name_files "$input"
  for file in "$output" "$output".{part,lock,xdmf} "$checkpoint" "$checkpoint".{next,previous,lock,windows,snapshots} \
    ${own_report:+"$own_report"}; do
    [ -z "${writer[$file]+there}" ] ||
      refuse "${writer[$file]} and $input would both write $file: give them different names, or submit one array for each folder"
    writer[$file]=$input
  done
done

name_files "${inputs[number - 1]}"
mkdir -p "$folder"
words=(--input.file="${inputs[number - 1]}" --output.file="$output" "${words[@]}")
[ -z "$has_checkpoint" ] || words+=(--run.checkpoint="$checkpoint")
[ -z "$own_report" ] || words+=(--report="$own_report")

exec "${STENCIL_JOB:-$SLURM_SUBMIT_DIR/job.sh}" "$config" "${words[@]}"
