"""Reads HDF5 files with h5py, each in a separate process, because a damaged file may crash or hang h5py.

Started as a program, it reads requests from stdin, pickled tuples (file, dataset, list_all), and answers each on stdout with a
pickled Reading, or with None if the process that reads the file ended without an answer. MALLOC_PERTURB_ sets uninitialised
memory to a value; a reading that changes with this value contains uninitialised bytes.
"""

import os
import pickle
import resource
import signal
import struct
import subprocess
import sys
from dataclasses import dataclass, field

import h5py
import numpy as np

PATIENCE = 10  # seconds for one file
MEMORY = 2 << 30
MOST_BYTES = 1 << 28


@dataclass
class Reading:
    refusal: str = ""  # message of h5py if it could not read the dataset
    values: object = None
    scales: dict = field(default_factory=dict)  # {axis: values of the first dimension scale of this axis}
    attributes: dict = field(default_factory=dict)  # attributes of the dataset that can be read
    unreadable: list = field(default_factory=list)  # names of attributes that cannot be read


def attributes_of(holder, name, reading):
    """Reads all attributes of an object. Returns those that are numbers or text, which can be compared."""
    found = {}
    try:
        names = list(holder.attrs)
    except Exception as error:
        reading.unreadable.append(f"{name}: no list of attributes: {error}")
        return found
    for key in names:
        try:
            value = np.asarray(holder.attrs[key])
            if value.dtype.kind in "biufSU" or all(isinstance(item, (str, bytes)) for item in value.flat):
                found[key] = value
        except Exception as error:
            reading.unreadable.append(f"{name}@{key}: {error}")
    return found


def scales_of(data):
    """Returns the values of those dimension scales of a dataset that h5py can read. Scales that h5py cannot read are left out: the
    program may or may not need to read them."""
    found = {}
    for axis in range(data.ndim):
        try:
            found[axis] = data.dims[axis][0][...]
        except Exception:
            continue
    return found


def visit_all(file, reading):
    attributes_of(file, "/", reading)
    names = []
    file.visit(names.append)
    for name in names:
        attributes_of(file[name], name, reading)


def read(path, dataset, list_all):
    reading = Reading()
    try:
        with h5py.File(path, "r") as file:
            data = file[dataset]
            if data.size * data.dtype.itemsize > MOST_BYTES:
                raise MemoryError(f"{data.shape} is too much to read")
            unwritten = bytes([int(os.environ["MALLOC_PERTURB_"])]) * (data.size * data.dtype.itemsize)
            reading.values = np.frombuffer(bytearray(unwritten), data.dtype).reshape(data.shape)
            data.read_direct(reading.values)
            reading.attributes = attributes_of(data, dataset, reading)
            reading.scales = scales_of(data)
            if list_all:
                visit_all(file, reading)
    except Exception as error:
        reading.refusal = f"{type(error).__name__}: {error}"
    return reading


def limit():
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (PATIENCE, PATIENCE))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    signal.alarm(PATIENCE)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)


def read_apart(request):
    """Answers a request in a forked process. Returns the answer of the process as bytes."""
    inward, outward = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            limit()
            answer = pickle.dumps(read(*request))
            with os.fdopen(outward, "wb") as pipe:
                pipe.write(answer)
        finally:
            os._exit(0)
    os.close(outward)
    with os.fdopen(inward, "rb") as pipe:
        answer = pipe.read()
    os.waitpid(child, 0)
    return answer if answer.endswith(b".") else pickle.dumps(None)


def serve():
    while head := sys.stdin.buffer.read(8):
        request = pickle.loads(sys.stdin.buffer.read(*struct.unpack("<Q", head)))
        answer = read_apart(request)
        sys.stdout.buffer.write(struct.pack("<Q", len(answer)) + answer)
        sys.stdout.buffer.flush()


class Reader:
    """A started reader process, in which allocated memory is filled with a given byte."""

    def __init__(self, poison):
        words = {**os.environ, "MALLOC_PERTURB_": str(poison), "HDF5_USE_FILE_LOCKING": "FALSE"}
        self.process = subprocess.Popen(
            [sys.executable, "-B", __file__], env=words, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def read(self, path, dataset, list_all=False):
        """Returns the Reading of a dataset; list_all: every attribute of every object in the file is read as well."""
        request = pickle.dumps((str(path), dataset, list_all))
        self.process.stdin.write(struct.pack("<Q", len(request)) + request)
        self.process.stdin.flush()
        head = self.process.stdout.read(8)
        return pickle.loads(self.process.stdout.read(*struct.unpack("<Q", head)))

    def close(self):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


if __name__ == "__main__":
    from h5_reader import serve as serve_as_module  # with this import, the name of the pickled class is h5_reader.Reading

    serve_as_module()
