# SPDX-License-Identifier: MIT
import numpy as np
import pyopencl as cl
import pyopencl.array as cla
import pyvkfft.version
from pyvkfft.opencl import VkFFTApp

from cases import cases, differs, missing, rng, version

version(pyvkfft.version.__version__)
platforms = [p for p in cl.get_platforms() if p.get_devices()]
if not platforms:
    missing("no device")
context = cl.Context([platforms[0].get_devices()[0]])
queue = cl.CommandQueue(context)


def transform(shape, ndim, real=False, back=True):
    def run():
        a = rng.random(shape, dtype="f4")
        if not real:
            a = (a + 1j * rng.random(shape, dtype="f4")).astype("c8")
        axes = tuple(range(-ndim, 0))
        app = VkFFTApp(shape, a.dtype, queue, ndim=ndim, norm=1, r2c=real, inplace=False)
        want = np.fft.rfftn(a, axes=axes) if real else np.fft.fftn(a, axes=axes)
        there = cla.to_device(queue, np.zeros(want.shape, "c8"))
        there = app.fft(cla.to_device(queue, a), there)
        if why := differs(there.get(), want, 2e-6):
            return why
        again = cla.to_device(queue, np.zeros(shape, a.dtype))
        return differs(app.ifft(there, again).get(), a, 2e-6)

    return run


def cosine():
    from scipy.fft import dctn

    a = rng.random((32, 64), dtype="f4")
    app = VkFFTApp(a.shape, a.dtype, queue, ndim=2, norm=1, dct=2, inplace=True)
    return differs(app.fft(cla.to_device(queue, a)).get(), dctn(a), 5e-6)


cases({
    "256": transform((256,), 1),
    "8192": transform((8192,), 1),
    "many of 1000": transform((7, 1000), 1),
    "243": transform((3, 243), 1),
    "prime 127": transform((5, 127), 1),
    "prime 4099": transform((4099,), 1),
    "64 x 96": transform((64, 96), 2),
    "512 x 100": transform((512, 100), 2),
    "16 x 20 x 24": transform((16, 20, 24), 3),
    "real 4096": transform((4096,), 1, real=True),
    "real 60 x 90": transform((60, 90), 2, real=True),
    "real 16 x 12 x 30": transform((16, 12, 30), 3, real=True),
    "cosine 32 x 64": cosine,
})
