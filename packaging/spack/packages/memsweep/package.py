# SPDX-License-Identifier: MIT
import os

from spack.package import *


class Memsweep(CMakePackage):
    """Design-space exploration of accelerator memory systems: closed-form, sampled and full cycle
    models over threads, MPI ranks and Slurm arrays; results in one SQLite file."""

    homepage = "file://README.md"
    # The release archive lies in the folder in which spack is called.
    url = "file://{0}/memsweep-0.1.0.tar.gz".format(os.getcwd())
    manual_download = True

    license("MIT")

    # Of memsweep-0.1.0.tar.gz once it is released; `scripts/release` prints it.
    version("0.1.0")

    variant("mpi", default=True, description="Run over MPI ranks")
    variant("figures", default=True, description="Draw figures (gnuplot)")

    depends_on("c", type="build")
    depends_on("cmake@3.21:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("gsl@2.5:")
    depends_on("sqlite@3.26:")
    depends_on("libfyaml@0.7:")
    depends_on("xxhash@0.8:")
    depends_on("zlib-api")
    depends_on("mpi@3:", when="+mpi")
    depends_on("gnuplot", when="+figures", type="run")

    generator("ninja")

    def cmake_args(self):
        return [
            self.define_from_variant("MEMSWEEP_MPI", "mpi"),
            self.define("MEMSWEEP_TESTS", self.run_tests),
            self.define("MEMSWEEP_BENCH", False),
        ]
