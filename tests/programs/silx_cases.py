# SPDX-License-Identifier: MIT
import numpy as np
import silx
from scipy import ndimage
from silx.opencl.common import ocl

from cases import cases, differs, missing, rng, version

version(silx.version)
if not ocl or not any(p.devices for p in ocl.platforms):
    missing("no device")
IMAGE = ndimage.gaussian_filter(rng.random((64, 80)), 2).astype("f4")


def device():
    for p, platform in enumerate(ocl.platforms):
        if platform.devices:
            return {"platformid": p, "deviceid": 0}


def median():
    from silx.opencl.medfilt import MedianFilter2D

    got = MedianFilter2D(IMAGE.shape, (3, 3), **device()).medfilt2d(IMAGE)
    return differs(got, ndimage.median_filter(IMAGE, 3, mode="nearest"))


def statistics():
    from silx.opencl.statistics import Statistics

    got = Statistics(IMAGE.size, **device())(IMAGE)
    return differs([got.min, got.max, got.mean], [IMAGE.min(), IMAGE.max(), IMAGE.mean()], 1e-5)


def convolution():
    from silx.opencl.convolution import Convolution

    kernel = np.array([1, 4, 6, 4, 1], "f4") / 16
    got = Convolution(IMAGE.shape, kernel, axes=(0, 1), extra_options={"dont_use_textures": True},
                      **device())(IMAGE)
    want = ndimage.convolve1d(ndimage.convolve1d(IMAGE, kernel, 1, mode="wrap"), kernel, 0, mode="wrap")
    return differs(got[4:-4, 4:-4], want[4:-4, 4:-4], 1e-5)


def linear_algebra():
    from silx.opencl.linalg import LinAlg

    y, x = LinAlg(IMAGE.shape, **device()).gradient(IMAGE, return_to_host=True)
    want = np.diff(IMAGE, axis=0)
    return differs(y[:-1], want, 1e-5)


def projection():
    from silx.opencl.projection import Projection
    from silx.opencl.backprojection import Backprojection

    square = np.zeros((64, 64), "f4")
    square[20:44, 24:40] = 1
    sinogram = Projection((64, 64), 90, **device()).projection(square)
    if abs(sinogram.sum(axis=1) / square.sum() - 1).max() > 0.02:
        return "a projection loses mass"
    back = Backprojection(sinogram.shape, **device()).filtered_backprojection(sinogram)
    return None if abs(back[26:38, 28:36].mean() - 1) < 0.1 else "the square is not there again"


def byte_offset():
    from silx.opencl.codec.byte_offset import ByteOffset

    data = rng.integers(-1000, 1000, 5000).astype("i4")
    codec = ByteOffset(0, data.size, **device())
    packed = codec.encode(data).get()
    other = ByteOffset(packed.size, data.size, **device())  # what it decodes ends with it
    return differs(other.decode(packed.tobytes()).get().astype("i4"), data)


cases({"median": median, "statistics": statistics, "convolution": convolution,
       "gradient": linear_algebra, "projection": projection, "byte offset": byte_offset})
