"""A configuration of ReFrame for a machine without a batch system, where mpirun starts the ranks."""

site_configuration = {
    "systems": [{
        "name": "workstation",
        "hostnames": [".*"],
        "partitions": [{"name": "cpu", "scheduler": "local", "launcher": "mpirun", "environs": ["default"]}],
    }],
    "environments": [{"name": "default", "cc": "mpicc", "cxx": "mpicxx", "ftn": ""}],
}
