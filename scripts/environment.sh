# For use by the other scripts (with `.`): sets PYTHON, and the MPI variables that a workstation or a container needs. On a cluster
# the settings of the scheduler's mpirun or srun are better: see examples/slurm.

# The first Python that has the packages to read and check the results; empty if there is none.
PYTHON=
for candidate in python3 /usr/bin/python3; do
  if "$candidate" -c 'import h5py, numpy, scipy, matplotlib' >/dev/null 2>&1; then
    PYTHON=$candidate
    break
  fi
done
export PYTHON

# With more ranks than cores, waiting ranks yield their core.
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1
# Containers often forbid direct copies between the memory of processes, which MPI uses between ranks of one host.
export OMPI_MCA_btl_vader_single_copy_mechanism=none
if [ "$(id -u)" -eq 0 ]; then
  export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
fi
