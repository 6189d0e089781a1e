"""python -m stencil view FILE: pictures of outputs, plans and reports of stencil_run. Needs matplotlib and h5py."""
