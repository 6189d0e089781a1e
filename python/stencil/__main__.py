"""python -m stencil view out.h5: pictures of results, plans and reports."""

import sys

from .view.command import main

sys.exit(main())
