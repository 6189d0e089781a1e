"""xdmf_view.py FILE OUT.npz: writes the contents of a temporal collection as ParaView's reader of XDMF sees it: `times`, and
the points of each as `points0`, `points1` ... Debian's VTK lacks this reader, that of PyPI has it. Exit status 77: not
installed."""

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
