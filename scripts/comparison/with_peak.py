"""with_peak.py FILE COMMAND...: runs a command and writes its peak memory, in bytes, to the file FILE.RANK of its MPI rank."""

import os
import resource
import subprocess
import sys

status = subprocess.run(sys.argv[2:]).returncode
with open(f"{sys.argv[1]}.{os.environ.get('OMPI_COMM_WORLD_RANK', '0')}", "w") as file:
    file.write(str(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024))
sys.exit(status)
