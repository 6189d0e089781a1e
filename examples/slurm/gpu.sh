#!/bin/bash
#SBATCH --job-name=stencil
#SBATCH --nodes=1
#SBATCH --gpus-per-node=4
#SBATCH --ntasks-per-node=4
#SBATCH --cpus-per-task=8
#SBATCH --time=01:00:00
#SBATCH --output=%x-%j.out
#SBATCH --open-mode=append
#SBATCH --requeue
#SBATCH --signal=B:USR1@120
#
# sbatch gpu.sh CONFIG.ini [--section.key=value ...]
# One MPI rank for each GPU: as many tasks as GPUs on a node. Not --gpus-per-task: it hides the GPUs of a rank's
# neighbours, which then reach each other through the host only. job.sh has to lie where you call sbatch (or name it:
# STENCIL_JOB).
set -euo pipefail

echo "gpu.sh: GPUs ${CUDA_VISIBLE_DEVICES:-none} of $(hostname)"
exec "${STENCIL_JOB:-$SLURM_SUBMIT_DIR/job.sh}" "$@" --run.backend=cuda
