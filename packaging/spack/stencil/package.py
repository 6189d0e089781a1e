from spack_repo.builtin.build_systems.cmake import CMakePackage
from spack_repo.builtin.build_systems.cuda import CudaPackage

from spack.package import *


class Stencil(CMakePackage, CudaPackage):
    """Convolution stencils on huge signals and grids, over MPI ranks and GPUs: stencil_run filters HDF5 files, with the names, the edge
    rules and the results of SciPy."""

    homepage = "https://stencil.invalid"
    git = "https://stencil.invalid/stencil.git"

    license("Apache-2.0")

    version("main", branch="main")
    version("0.2.0", tag="v0.2.0")

    variant("shared", default=False, description="Build the library as a shared one")
    variant("nccl", default=False, when="+cuda", description="Exchange ghost points between GPUs by NCCL, too")

    generator("ninja")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("pkgconfig", type="build")

    depends_on("mpi")
    depends_on("hdf5@1.10:1.14 +mpi +hl")
    depends_on("boost@1.74: +program_options")
    depends_on("fmt@9:")
    depends_on("nlohmann-json")
    depends_on("eigen@3.3:3")
    depends_on("xxhash")
    depends_on("libdeflate")
    depends_on("libaec")
    depends_on("udunits")
    depends_on("cuda@12.5:", when="+cuda")
    depends_on("nccl", when="+nccl")

    for architecture in ("none", *(str(number) for number in range(10, 80))):
        conflicts(f"cuda_arch={architecture}", when="+cuda", msg="GPUs of compute capability 8.0 or newer are needed: cuda_arch=80")

    def cmake_args(self):
        arguments = [
            self.define("STENCIL_CUDA", "ON" if self.spec.satisfies("+cuda") else "OFF"),
            self.define("STENCIL_TESTS", False),
            self.define("STENCIL_PYTHON_MODULE", "OFF"),
            self.define_from_variant("BUILD_SHARED_LIBS", "shared"),
        ]
        if self.spec.satisfies("+cuda"):
            arguments.append(self.define("CMAKE_CUDA_ARCHITECTURES", self.spec.variants["cuda_arch"].value))
        return arguments
