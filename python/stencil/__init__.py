"""Convolution stencils on arrays: the filters of scipy.ndimage and scipy.signal on the kernels of Stencil."""

from . import masks
from ._arrays import version as __version__
from .filters import *  # noqa: F403
from .filters import __all__ as _filters
from .iteration import iterate
from .program import ConfigError, Error, ResourceError, StoppedError, StorageError, check, run
from .signal import fftconvolve, oaconvolve, savgol_filter

__all__ = [*_filters, "fftconvolve", "iterate", "masks", "oaconvolve", "savgol_filter", "run", "check", "Error", "ConfigError",
           "StorageError", "ResourceError", "StoppedError", "__version__"]


def __getattr__(name):
    """Imports stencil.Session at its first use, because the import starts MPI."""
    if name != "Session":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        from .session import Session
    except ImportError as error:
        raise ImportError(f"stencil.Session needs mpi4py (pip install mpi4py): {error}") from None
    return Session
