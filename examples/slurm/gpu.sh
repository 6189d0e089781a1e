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
# One MPI rank per GPU: the number of tasks per node is the number of GPUs. Do not use --gpus-per-task: it hides the
# GPUs of other ranks, so that the ranks can exchange data only through the host. job.sh must be in the folder where you
# call sbatch (or be named by STENCIL_JOB).
set -euo pipefail

echo "gpu.sh: GPUs ${CUDA_VISIBLE_DEVICES:-none} of $(hostname)"
exec "${STENCIL_JOB:-$SLURM_SUBMIT_DIR/job.sh}" "$@" --run.backend=cuda
