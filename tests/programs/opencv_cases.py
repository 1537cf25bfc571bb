# SPDX-License-Identifier: MIT
import cv2
import numpy as np

from cases import cases, differs, missing, rng, version

version(cv2.__version__)
cv2.ocl.setUseOpenCL(True)
if not cv2.ocl.haveOpenCL() or not cv2.ocl.useOpenCL():
    missing("OpenCV takes no device")
G = cv2.GaussianBlur(rng.integers(0, 256, (120, 160), dtype="u1"), (3, 3), 0)
C = cv2.GaussianBlur(rng.integers(0, 256, (120, 160, 3), dtype="u1"), (3, 3), 0)
F = rng.random((120, 160), dtype="f4")
M = np.array([[0.9, 0.2, 5], [-0.2, 0.9, 20]], dtype="f8")


def same(function, *arrays, most=1, few=0.0):
    """Equal on the processor and on the device: whole numbers but for `most` in a part of `few`."""
    def run():
        cv2.ocl.setUseOpenCL(False)
        want = function(*arrays)
        cv2.ocl.setUseOpenCL(True)
        got = function(*[cv2.UMat(a) for a in arrays])
        got = got.get() if isinstance(got, cv2.UMat) else np.asarray(got)
        want = want.get() if isinstance(want, cv2.UMat) else np.asarray(want)
        if want.dtype.kind == "f":
            return differs(got, want, 2e-5)
        if got.shape != want.shape:
            return f"shape {got.shape}, not {want.shape}"
        off = np.abs(got.astype("i8") - want.astype("i8"))
        part = np.mean(off > most)
        return None if part <= few else f"{part:.2%} of the pixels differ, the most by {off.max()}"

    return run


kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (5, 5))
cases({
    "add": same(lambda a: cv2.add(a, a), C),
    "weighted sum": same(lambda a: cv2.addWeighted(a, 0.3, a, 0.6, 5), C),
    "multiply": same(lambda a: cv2.multiply(a, a), F),
    "difference": same(lambda a: cv2.absdiff(a, cv2.flip(a, 1)), C),
    "bitwise": same(lambda a: cv2.bitwise_xor(a, cv2.bitwise_not(a)), G),
    "compare": same(lambda a: cv2.compare(a, cv2.flip(a, 0), cv2.CMP_GT), G),
    "threshold": same(lambda a: cv2.threshold(a, 120, 255, cv2.THRESH_BINARY)[1], G),
    "adaptive threshold": same(lambda a: cv2.adaptiveThreshold(
        a, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY, 11, 2), G),
    "gaussian": same(lambda a: cv2.GaussianBlur(a, (7, 7), 1.5), C),
    "box": same(lambda a: cv2.blur(a, (5, 5)), C),
    "median": same(lambda a: cv2.medianBlur(a, 5), G),
    "bilateral": same(lambda a: cv2.bilateralFilter(a, 5, 50, 50), G),
    "sobel": same(lambda a: cv2.Sobel(a, cv2.CV_16S, 1, 0), G),
    "laplacian": same(lambda a: cv2.Laplacian(a, cv2.CV_16S, ksize=3), G),
    "filter": same(lambda a: cv2.filter2D(a, -1, np.ones((3, 3), "f4") / 9), C),
    "erode": same(lambda a: cv2.erode(a, kernel), G),
    "dilate": same(lambda a: cv2.dilate(a, kernel), G),
    "open": same(lambda a: cv2.morphologyEx(a, cv2.MORPH_OPEN, kernel), G),
    "canny": same(lambda a: cv2.Canny(a, 50, 150), G, few=0.005),
    "resize, linear": same(lambda a: cv2.resize(a, (100, 70), interpolation=cv2.INTER_LINEAR), C),
    "resize, area": same(lambda a: cv2.resize(a, (80, 60), interpolation=cv2.INTER_AREA), C),
    "resize, nearest": same(lambda a: cv2.resize(a, (333, 201), interpolation=cv2.INTER_NEAREST), C),
    "warp": same(lambda a: cv2.warpAffine(a, M, (160, 120)), G, most=2, few=0.005),
    "remap": same(lambda a: cv2.remap(a, np.tile(np.arange(160, dtype="f4") * 0.9, (120, 1)),
                                      np.tile(np.arange(120, dtype="f4")[:, None], (1, 160)),
                                      cv2.INTER_LINEAR), G, most=2),
    "to grey": same(lambda a: cv2.cvtColor(a, cv2.COLOR_BGR2GRAY), C),
    "to HSV": same(lambda a: cv2.cvtColor(a, cv2.COLOR_BGR2HSV), C, few=0.005),
    "to Lab": same(lambda a: cv2.cvtColor(a, cv2.COLOR_BGR2LAB), C, most=2),
    "to YUV": same(lambda a: cv2.cvtColor(a, cv2.COLOR_BGR2YUV), C),
    "equalized histogram": same(lambda a: cv2.equalizeHist(a), G),
    "CLAHE": same(lambda a: cv2.createCLAHE(2.0, (4, 4)).apply(a), G, few=0.01),
    "histogram": same(lambda a: cv2.calcHist([a], [0], None, [32], [0, 256]), G),
    "integral": same(lambda a: cv2.integral(a), G, most=0),
    "pyramid down": same(lambda a: cv2.pyrDown(a), G),
    "pyramid up": same(lambda a: cv2.pyrUp(a), G),
    "template": same(lambda a: cv2.matchTemplate(a, G[30:50, 40:60], cv2.TM_CCORR_NORMED), G),
    "dft": same(lambda a: cv2.dft(a, flags=cv2.DFT_COMPLEX_OUTPUT), F),
    "gemm": same(lambda a: cv2.gemm(a, a, 1.0, None, 0.0, flags=cv2.GEMM_2_T), F),
    "magnitude": same(lambda a: cv2.magnitude(a, cv2.flip(a, 0)), F),
    "exp": same(lambda a: cv2.exp(a), F),
    "log": same(lambda a: cv2.log(a), F + 0.1),
    "power": same(lambda a: cv2.pow(a, 3), F),
    "normalize": same(lambda a: cv2.normalize(a, None, 0, 255, cv2.NORM_MINMAX), G),
    "reduce": same(lambda a: cv2.reduce(a, 0, cv2.REDUCE_SUM, dtype=cv2.CV_32S), G),
    "transpose": same(lambda a: cv2.transpose(a), C),
    "merge": same(lambda a: cv2.merge([a, a, a]), G),
    "count": same(lambda a: cv2.countNonZero(a), G),
    "mean": same(lambda a: np.asarray(cv2.mean(a)), C),
    "minimum and maximum": same(lambda a: np.asarray(cv2.minMaxLoc(a)[:2]), G),
    "norm": same(lambda a: np.asarray(cv2.norm(a, cv2.NORM_L2)), F),
    "non-local means": same(lambda a: cv2.fastNlMeansDenoising(a, None, 10, 5, 11),
                            G[:60, :80].copy(), few=0.005),
})
