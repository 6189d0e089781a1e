"""Pictures of what stencil_run reads, plans, writes and reports: python -m stencil view FILE. Needs matplotlib and h5py."""
