# SPDX-License-Identifier: MIT
import importlib.metadata

import numpy as np
import scipy.ndimage as nd

from cases import cases, differs, missing, rng, version

version(importlib.metadata.version("gputools"))
try:
    import gputools
except Exception as error:  # it looks for a device as it is loaded
    missing(str(error))

X = rng.random((20, 24, 32), dtype="f4")
P = rng.random((64, 48), dtype="f4")
H = rng.random((5, 5), dtype="f4")


def gaussian():
    return differs(gputools.gaussian_filter(P, (2, 2), normalize=True)[8:-8, 8:-8],
                   nd.gaussian_filter(P, 2, truncate=4)[8:-8, 8:-8], 2e-3)


cases({
    "convolution": lambda: differs(gputools.convolve(P, H), nd.convolve(P, H, mode="constant"), 1e-5),
    "separable convolution": lambda: differs(gputools.convolve_sep2(P, H[0], H[1])[4:-4, 4:-4],
                                             nd.convolve(P, np.outer(H[1], H[0]))[4:-4, 4:-4], 1e-5),
    "gaussian": gaussian,
    "uniform filter": lambda: differs(gputools.uniform_filter(P, 5, normalized=True)[4:-4, 4:-4],
                                      nd.uniform_filter(P, 5)[4:-4, 4:-4], 1e-5),
    "minimum filter": lambda: differs(gputools.min_filter(X, 3)[2:-2, 2:-2, 2:-2],
                                      nd.minimum_filter(X, 3)[2:-2, 2:-2, 2:-2]),
    "maximum filter": lambda: differs(gputools.max_filter(X, 3)[2:-2, 2:-2, 2:-2],
                                      nd.maximum_filter(X, 3)[2:-2, 2:-2, 2:-2]),
    "shift": lambda: differs(gputools.transforms.shift(X, (2, -3, 1), interpolation="nearest"),
                                nd.shift(X, (2, -3, 1), order=0)),
    "scaling": lambda: differs(gputools.scale(X, 2, interpolation="nearest"),
                               X.repeat(2, 0).repeat(2, 1).repeat(2, 2)),
    "transform": lambda: differs(gputools.fft(P.astype("c8")), np.fft.fft2(P), 1e-5),
})
