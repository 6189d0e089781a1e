"""recipes.py SOURCE: checks that versions, release date, libraries, options and packages in the recipes of packaging/, in CITATION.cff
and in CHANGELOG.md agree with CMake and scripts/install_packages. Checks that need conda, Spack or Apptainer are not run here."""

import pathlib
import re
import subprocess
import sys
import types

# The packages that CMake searches for, with their names in Spack and conda.
LIBRARIES = {"MPI": ("mpi", "{{ mpi }}"), "HDF5": ("hdf5", "hdf5"), "Boost": ("boost", "libboost-devel"), "fmt": ("fmt", "fmt"),
             "nlohmann_json": ("nlohmann-json", "nlohmann_json"), "Eigen3": ("eigen", "eigen"), "xxhash": ("xxhash", "xxhash"),
             "libdeflate": ("libdeflate", "libdeflate"), "libaec": ("libaec", "libaec"), "udunits2": ("udunits", "udunits2")}
# The Debian packages of the headers that the Python module includes. The other headers belong to the system, or to libraries that may be
# missing.
HEADERS = {"fmt": "libfmt-dev", "Eigen": "libeigen3-dev", "xxhash.h": "libxxhash-dev", "Python.h": "python3-dev"}
OTHER_HEADERS = {"omp.h", "unistd.h", "errno.h", "signal.h", "fcntl.h", "sys", "sched.h", "semaphore.h", "malloc.h", "limits.h", "immintrin.h",
                 "dlfcn.h", "arm_neon.h", "nanobind", "mpi.h", "mpi-ext.h", "cuda.h", "cuda_runtime.h", "cudaTypedefs.h", "nvtx3", "nccl.h"}
found = []


def expect(holds, words):
    if not holds:
        found.append(words)


def cmake_words(source):
    """The packages that cmake/ searches for, the options, and the version of the project."""
    text = "\n".join((source / name).read_text() for name in ("cmake/dependencies.cmake", "cmake/modules/FindStencilStorage.cmake"))
    libraries = set(re.findall(r"find_package\((\w+)", text)) - {"OpenMP", "Threads", "StencilStorage", "StencilNccl", "CUDAToolkit"}
    libraries |= set(re.findall(r"find_path\(STENCIL_\w+ (\w+)\.h ", text))
    options = set(re.findall(r"(?:option|set)\((\w+)", (source / "CMakeLists.txt").read_text()))
    options |= {"CMAKE_BUILD_TYPE", "CMAKE_INSTALL_PREFIX", "CMAKE_CUDA_ARCHITECTURES", "BUILD_SHARED_LIBS"}
    header = (source / "include/stencil/version.hpp").read_text()
    version = ".".join(re.findall(r"VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", header))
    expect(f'#define STENCIL_VERSION "{version}"' in header, "version.hpp: STENCIL_VERSION is another version than the three numbers")
    return libraries, options, version


def check_options(name, text, options):
    given = set(re.findall(r"-D (\w+)=", text))
    expect(given and given <= options, f"{name}: no such options of CMake: {sorted(given - options)}")


def run_spack(path):
    """Runs the Spack package with mock functions that record their arguments. Returns these arguments, and the arguments for CMake for each
    set of enabled variants."""
    calls = []

    def noting(name):
        return lambda *words, **more: calls.append((name, *words, more))
    spec = types.SimpleNamespace(on=set(), variants={"cuda_arch": types.SimpleNamespace(value=("90",))})
    spec.satisfies = lambda words: words in spec.on
    base = type("Base", (), {"spec": spec, "define": lambda self, key, value: f"-D {key}={value}",
                             "define_from_variant": lambda self, key, variant: f"-D {key}={variant}"})
    modules = {name: types.ModuleType(name) for name in
               ("spack", "spack.package", "spack_repo", "spack_repo.builtin", "spack_repo.builtin.build_systems",
                "spack_repo.builtin.build_systems.cmake", "spack_repo.builtin.build_systems.cuda")}
    modules["spack_repo.builtin.build_systems.cmake"].CMakePackage = base
    modules["spack_repo.builtin.build_systems.cuda"].CudaPackage = type("Cuda", (), {})
    for name in ("license", "version", "variant", "generator", "depends_on", "conflicts"):
        setattr(modules["spack.package"], name, noting(name))
    sys.modules.update(modules)
    names = {}
    exec(compile(path.read_text(), path, "exec"), names)
    package = names["Stencil"]()
    plain = " ".join(package.cmake_args())
    spec.on.add("+cuda")
    return calls, plain, " ".join(package.cmake_args())


def check_spack(path, libraries, options, version):
    calls, plain, cuda = run_spack(path)
    depends = {re.match(r"[\w-]+", call[1])[0] for call in calls if call[0] == "depends_on"}
    for library in libraries:
        expect(LIBRARIES.get(library, ("?",))[0] in depends, f"{path}: CMake looks for {library}, and depends_on does not")
    expect(version in [call[1] for call in calls if call[0] == "version"], f"{path}: no version {version}")
    check_options(path, plain, options)
    check_options(path, cuda, options)
    expect("STENCIL_CUDA=OFF" in plain and "STENCIL_CUDA=ON" in cuda and "CMAKE_CUDA_ARCHITECTURES" in cuda, f"{path}: +cuda: {cuda}")
    refused = {call[1] for call in calls if call[0] == "conflicts"}
    expect("cuda_arch=75" in refused and not {"cuda_arch=80", "cuda_arch=90"} & refused,
           f"{path}: of the GPUs, those before 8.0 have to be refused")


def check_conda(path, libraries, options, version):
    text = path.read_text()
    host = text.partition("  host:\n")[2].partition("  run:\n")[0]
    named = [line.strip().removeprefix("- ") for line in host.splitlines()]
    for library in libraries:
        name = LIBRARIES.get(library, ("?", "?"))[1]
        expect(any(one == name or one.startswith(name + " ") for one in named), f"{path}: CMake looks for {library}, and host does not name it")
    expect(f'version = "{version}"' in text, f"{path}: the version is not {version}")
    check_options(path, text, options)
    try:
        import jinja2
        import yaml
    except ImportError:
        return
    filled = jinja2.Template(text).render(compiler=lambda of: f"{of}_compiler", stdlib=lambda of: f"{of}_stdlib", PKG_HASH="h", PKG_BUILDNUM=0, mpi="")
    recipe = yaml.safe_load(filled)
    expect(recipe["package"] == {"name": "stencil", "version": version} and "hdf5 * mpi_openmpi_*" in recipe["requirements"]["run"], f"{path}: {recipe}")


def check_apptainer(path, options, packages):
    sections = dict(re.findall(r"^%(\w+)\n(.*?)(?=^%|\Z)", path.read_text(), re.M | re.S))
    expect({"files", "post", "test", "runscript", "help"} <= set(sections), f"{path}: sections {sorted(sections)}")
    for name in ("post", "test", "runscript"):
        shell = subprocess.run(["sh", "-n"], input=sections[name], text=True, capture_output=True)
        expect(shell.returncode == 0, f"{path}: %{name}: {shell.stderr}")
    named = set(re.search(r"--no-install-recommends (.*)", sections["post"])[1].split())
    expect(named <= packages, f"{path}: scripts/install_packages does not install {sorted(named - packages)}")
    needed = {one for one in packages if one.endswith("-dev")} - {"libgtest-dev", "libbenchmark-dev", "dpkg-dev"}
    expect(needed <= named, f"{path}: without {sorted(needed - named)}")
    check_options(path, sections["post"], options)


def check_pages_of_the_module(source):
    """Checks that the pages about the Python module name the packages whose headers its sources include."""
    sources = [path for folder in ("framework", "kernels", "drivers/pipeline", "python/arrays") for path in (source / folder).rglob("*.[ch]pp")]
    included = {name.partition("/")[0] for path in sources for name in re.findall(r"^#include <([\w-]+(?:\.h|/).*)>", path.read_text(), re.M)}
    expect(included <= HEADERS.keys() | OTHER_HEADERS, f"of which packages are {sorted(included - HEADERS.keys() - OTHER_HEADERS)}?")
    for page in ("docs/python.md", "python/README.md"):
        text = (source / page).read_text()
        missing = [HEADERS[name] for name in sorted(included & HEADERS.keys()) if HEADERS[name] not in text]
        expect(not missing, f"{page}: {missing} are needed for `pip install .`")


def check_release(source, version):
    """Checks that pages and CITATION.cff have this version, and that it is the newest release in the change log. Later changes are above
    it, under `Unreleased`."""
    citation, changes = (source / "CITATION.cff").read_text(), (source / "CHANGELOG.md").read_text()
    expect(f"\nversion: {version}\n" in citation, f"CITATION.cff: the version is not {version}")
    releases = re.findall(r"^## (.*)$", changes, re.M)
    newest = re.fullmatch(r"(\d+\.\d+\.\d+) - (\d{4}-\d\d-\d\d)", next((name for name in releases if name != "Unreleased"), ""))
    expect(newest and newest[1] == version, f"CHANGELOG.md: the newest release is not `## {version} - DATE`: {releases[:2]}")
    expect(newest and f"\ndate-released: {newest[2]}\n" in citation, "CITATION.cff: date-released is not the date of the release in CHANGELOG.md")
    for section in re.split(r"^## ", changes, flags=re.M)[1:]:
        kinds = re.findall(r"^### (.*)$", section, re.M)
        expect(len(kinds) == len(set(kinds)) and set(kinds) <= {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"},
               f"CHANGELOG.md: {section.splitlines()[0]} has the headings {kinds}")
    minor = version.rpartition(".")[0]
    for path in ("docs/library.md", "tests/install/outside/CMakeLists.txt"):
        named = set(re.findall(r"find_package\(Stencil ([\d.]+)", (source / path).read_text()))
        expect(named == {minor}, f"{path}: find_package names {sorted(named)}, and the version is {version}")
    expect('input = "include/stencil/version.hpp"' in (source / "pyproject.toml").read_text(), "pyproject.toml: the version is not that of version.hpp")


def main(source):
    libraries, options, version = cmake_words(source)
    packaging = source / "packaging"
    check_spack(packaging / "spack" / "stencil" / "package.py", libraries, options, version)
    check_conda(packaging / "conda" / "meta.yaml", libraries, options, version)
    text = re.search(r"^packages=\((.*?)^\)", (source / "scripts" / "install_packages").read_text(), re.M | re.S)[1]
    check_apptainer(packaging / "apptainer" / "stencil.def", options, set(text.split()))
    check_pages_of_the_module(source)
    check_release(source, version)
    print("\n".join(map(str, found)) or f"the recipes fit version {version}: {len(libraries)} libraries")
    return 1 if found else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: recipes.py SOURCE")
    sys.exit(main(pathlib.Path(sys.argv[1])))
