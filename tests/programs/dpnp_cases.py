# SPDX-License-Identifier: MIT
import dpctl
import numpy as np

from cases import cases, differs, missing, rng, version

try:
    device = dpctl.SyclDevice()
except dpctl.SyclDeviceCreationError as error:
    missing(str(error))
if not device.has_aspect_usm_device_allocations:
    missing("dpnp takes no device without unified shared memory")
import dpnp

version(dpnp.__version__)
A, B = rng.random((64, 48), dtype="f4") + 0.5, rng.random((48, 32), dtype="f4")
V = rng.random(5000, dtype="f4") * 4 - 2
I = rng.integers(-1000, 1000, 5000, dtype="i4")
S = rng.random((24, 24), dtype="f4") + 24 * np.eye(24, dtype="f4")
H = S @ S.T


def like_numpy(function, *arrays, tolerance=1e-5):
    def run():
        got = function(dpnp, *[dpnp.asarray(a) for a in arrays])
        want = function(np, *arrays)
        return differs(dpnp.asnumpy(got), want, 0 if want.dtype.kind in "bi" else tolerance)

    return run


cases({
    "add": like_numpy(lambda m, a: a + a[::-1], V),
    "multiply and divide": like_numpy(lambda m, a: a * 3 / (a * a + 1), V),
    "integers": like_numpy(lambda m, a: (a * 7) // 5 % 13 ^ (a << 2), I),
    "compare": like_numpy(lambda m, a: (a > 0) & (a < 500), I),
    "exp log": like_numpy(lambda m, a: m.log(m.exp(a) + 1), V),
    "sin cos tan": like_numpy(lambda m, a: m.sin(a) + m.cos(a) * m.tan(a / 2), V),
    "power": like_numpy(lambda m, a: m.power(m.abs(a), 1.5), V),
    "sum": like_numpy(lambda m, a: m.sum(a, axis=0), A),
    "mean and variance": like_numpy(lambda m, a: m.mean(a, axis=1) + m.var(a, axis=1), A),
    "minimum and maximum": like_numpy(lambda m, a: m.max(a, axis=1) - m.min(a, axis=1), A),
    "argmax": like_numpy(lambda m, a: m.argmax(a, axis=1), A),
    "cumulative sum": like_numpy(lambda m, a: m.cumsum(a), I),
    "sort": like_numpy(lambda m, a: m.sort(a), V),
    "argsort": like_numpy(lambda m, a: a[m.argsort(a)], V),
    "unique": like_numpy(lambda m, a: m.unique(a), I),
    "search": like_numpy(lambda m, a: m.searchsorted(m.sort(a), a), I),
    "where": like_numpy(lambda m, a: m.where(a > 0, a, -a), V),
    "nonzero": like_numpy(lambda m, a: m.nonzero(a > 1)[0], V),
    "take by indices": like_numpy(lambda m, a: a[m.abs(a) % 5000], I),
    "transpose and reshape": like_numpy(lambda m, a: a.T.reshape(32, 96) + 1, A),
    "concatenate": like_numpy(lambda m, a: m.concatenate([a, a[:10]], axis=0), A),
    "matrix product": like_numpy(lambda m, a, b: a @ b, A, B),
    "tensor product": like_numpy(lambda m, a, b: m.tensordot(a, b, axes=1), A, B),
    "outer": like_numpy(lambda m, a: m.outer(a[:100], a[100:200]), V),
    "solve": like_numpy(lambda m, a: m.linalg.solve(a, a[:, 0]), S),
    "inverse": like_numpy(lambda m, a: m.linalg.inv(a), S),
    "determinant": like_numpy(lambda m, a: m.linalg.det(a / 24).reshape(1), S),
    "cholesky": like_numpy(lambda m, a: m.linalg.cholesky(a), H, tolerance=1e-4),
    "qr": like_numpy(lambda m, a: m.abs(m.linalg.qr(a)[1]), S, tolerance=1e-4),
    "eigenvalues": like_numpy(lambda m, a: m.linalg.eigvalsh(a), H, tolerance=1e-4),
    "singular values": like_numpy(lambda m, a: m.linalg.svd(a)[1], S, tolerance=1e-4),
    "fft": like_numpy(lambda m, a: m.fft.fft(a[:4096]).astype("c8"), V, tolerance=1e-4),
    "fft of 3 and 5": like_numpy(lambda m, a: m.fft.rfft(a[:4500]).astype("c8"), V, tolerance=1e-4),
    "random numbers": lambda: None
    if abs(float(dpnp.random.RandomState(1).uniform(0, 1, 20000).mean()) - 0.5) < 0.02
    else "not uniform",
})
