# SPDX-License-Identifier: MIT
import importlib.metadata

import numpy as np
import pyopencl
from reikna.cluda import ocl_api
from reikna.algorithms import Reduce, Scan, Transpose, predicate_sum
from reikna.cbrng import CBRNG
from reikna.fft import FFT, FFTShift
from reikna.linalg import MatrixMul

from cases import cases, differs, missing, rng, version

version(importlib.metadata.version("reikna"))
api = ocl_api()
devices = [d for p in api.get_platforms() for d in p.get_devices()]
if not devices:
    missing("no device")
thread = api.Thread(devices[0])
A, B = rng.random((40, 56), dtype="f4"), rng.random((56, 24), dtype="f4")
C = (rng.random((16, 256), dtype="f4") + 1j * rng.random((16, 256), dtype="f4")).astype("c8")
I = rng.integers(0, 1000, 6000, dtype="i4")


def run(computation, out, *arrays):
    out = thread.array(out.shape, out.dtype) if hasattr(out, "shape") else out
    computation.compile(thread)(out, *[thread.to_device(a) for a in arrays])
    return out.get()


def random_numbers():
    generator = CBRNG.uniform_float(thread.array(20000, np.float32), 1, sampler_kwds={"low": 0, "high": 1})
    program = generator.compile(thread)
    out, counters = thread.array(20000, np.float32), thread.to_device(generator.create_counters())
    program(counters, out)
    x = out.get()
    return None if abs(x.mean() - 0.5) < 0.02 and x.min() >= 0 and x.max() <= 1 else "not uniform"


cases({
    "matrix product": lambda: differs(run(MatrixMul(A, B), np.empty((40, 24), "f4"), A, B), A @ B, 1e-5),
    "fft": lambda: differs(run(FFT(C, axes=(1,)), C, C), np.fft.fft(C), 1e-5),
    "fft of two dimensions": lambda: differs(run(FFT(C), C, C), np.fft.fft2(C), 1e-5),
    "fft shift": lambda: differs(run(FFTShift(C), C, C), np.fft.fftshift(C)),
    "sum": lambda: differs(run(Reduce(I, predicate_sum(np.int32)), np.empty((), "i4"), I), I.sum()),
    "scan": lambda: differs(run(Scan(I, predicate_sum(np.int32)), I, I),
                            np.cumsum(I, dtype="i4")),
    "transpose": lambda: differs(run(Transpose(A), np.empty((56, 40), "f4"), A), A.T),
    "random numbers": random_numbers,
})
