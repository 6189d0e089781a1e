"""xdmf_view.py FILE OUT.npz: writes the contents of a temporal collection as ParaView's XDMF reader reads it: `times`, and the
points at each time as `points0`, `points1` ... The reader is missing in Debian's VTK, but included in VTK from PyPI. If the
reader is not installed, the exit status is 77."""

import sys

import numpy as np

try:
    from vtkmodules.util.numpy_support import vtk_to_numpy
    from vtkmodules.vtkCommonExecutionModel import vtkStreamingDemandDrivenPipeline
    from vtkmodules.vtkIOXdmf2 import vtkXdmfReader
except ImportError:
    sys.exit(77)

reader = vtkXdmfReader()
reader.SetFileName(sys.argv[1])
reader.UpdateInformation()
times = reader.GetOutputInformation(0).Get(vtkStreamingDemandDrivenPipeline.TIME_STEPS())
found = {}
for number, when in enumerate(times):
    reader.UpdateTimeStep(when)
    grid = reader.GetOutputDataObject(0)
    found[f"points{number}"] = vtk_to_numpy(grid.GetPointData().GetArray(0)).reshape(grid.GetDimensions()[::-1])
np.savez(sys.argv[2], times=times, **found)
