# SPDX-License-Identifier: MIT
import numpy as np
import pyclesperanto as cle
from scipy import ndimage

from cases import cases, differs, missing, rng, version

version(cle.__version__)
try:
    cle.select_backend("opencl")
    cle.select_device(0, "all")
except Exception as error:
    missing(str(error).splitlines()[0])
IMAGE = ndimage.gaussian_filter(rng.random((24, 40, 48)), 1).astype("f4")
FLAT = IMAGE[0]


def got(image):
    return np.asarray(cle.pull(image))


def labels():
    mask = (FLAT > FLAT.mean()).astype("f4")
    mine = got(cle.connected_component_labeling(cle.push(mask), connectivity="box"))
    want, count = ndimage.label(mask, np.ones((3, 3)))
    return None if int(mine.max()) == count and not differs(mine > 0, want > 0) else "other objects"


cases({
    "gaussian": lambda: differs(got(cle.gaussian_blur(cle.push(IMAGE), sigma_x=2, sigma_y=2, sigma_z=2))[8:-8, 8:-8, 8:-8],
                                ndimage.gaussian_filter(IMAGE, 2)[8:-8, 8:-8, 8:-8], 1e-3),
    "add": lambda: differs(got(cle.add_images_weighted(cle.push(IMAGE), cle.push(IMAGE), factor1=1, factor2=2)), 3 * IMAGE, 1e-6),
    "maximum filter": lambda: differs(got(cle.maximum_filter(cle.push(FLAT), radius_x=1, radius_y=1, connectivity="box")),
                                      ndimage.maximum_filter(FLAT, 3, mode="nearest")),
    "minimum filter": lambda: differs(got(cle.minimum_filter(cle.push(FLAT), radius_x=1, radius_y=1, connectivity="box")),
                                      ndimage.minimum_filter(FLAT, 3, mode="nearest")),
    "mean filter": lambda: differs(got(cle.mean_filter(cle.push(FLAT), radius_x=1, radius_y=1, connectivity="box"))[1:-1, 1:-1],
                                   ndimage.uniform_filter(FLAT, 3)[1:-1, 1:-1], 1e-5),
    "projection": lambda: differs(got(cle.maximum_z_projection(cle.push(IMAGE))).squeeze(), IMAGE.max(axis=0)),
    "sum": lambda: differs(np.float32(cle.sum_of_all_pixels(cle.push(IMAGE))), IMAGE.sum(dtype="f8"), 1e-4),
    "transpose": lambda: differs(got(cle.transpose_xy(cle.push(FLAT))), FLAT.T),
    "labels": labels,
})
