# SPDX-License-Identifier: MIT
import importlib.metadata
import os

os.environ.setdefault("DEV", "CL")
import numpy as np

from cases import cases, differs, missing, rng, version

version(importlib.metadata.version("tinygrad"))
try:
    from tinygrad import Context, Device, Tensor, dtypes, nn

    Device["CL"]
except Exception as error:
    missing(str(error).splitlines()[0])
A, B = rng.random((32, 48), dtype="f4") - 0.5, rng.random((48, 24), dtype="f4") - 0.5
IMAGE, WEIGHTS = rng.random((1, 3, 20, 20), dtype="f4"), rng.random((4, 3, 3, 3), dtype="f4") - 0.5


def t(a):
    return Tensor(a)


def convolution():
    got = t(IMAGE).conv2d(t(WEIGHTS)).numpy()
    want = np.zeros((1, 4, 18, 18), dtype="f8")
    for y in range(3):
        for x in range(3):
            want += np.einsum("bchw,oc->bohw", IMAGE[:, :, y:y + 18, x:x + 18], WEIGHTS[:, :, y, x])
    return differs(got, want, 1e-5)


def training():
    Tensor.manual_seed(1)
    x, w = rng.random((64, 8), dtype="f4"), rng.random((8, 1), dtype="f4")
    layer = Tensor(np.zeros((8, 1), dtype="f4"))
    layer.requires_grad = True
    optimizer = nn.optim.SGD([layer], lr=0.3)
    with Context(TRAINING=1):
        for _ in range(60):
            optimizer.zero_grad()
            loss = ((t(x).matmul(layer) - t(x @ w)) ** 2).mean()
            loss.backward()
            optimizer.step()
    guess = np.zeros((8, 1))
    for _ in range(60):
        guess -= 0.3 * 2 / 64 * x.T @ (x @ guess - x @ w)
    return differs(layer.numpy(), guess, 1e-3)


def softmax(a):
    e = np.exp(a - a.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


cases({
    "add": lambda: differs((t(A) + 3 * t(A)).numpy(), 4 * A, 1e-6),
    "matrix product": lambda: differs(t(A).matmul(t(B)).numpy(), A @ B, 1e-5),
    "half matrix product": lambda: differs(
        t(A).cast(dtypes.half).matmul(t(B).cast(dtypes.half)).float().numpy(), A @ B, 5e-3),
    "sum": lambda: differs(t(A).sum(axis=0).numpy(), A.sum(axis=0), 1e-5),
    "maximum": lambda: differs(t(A).max(axis=1).numpy(), A.max(axis=1)),
    "argmax": lambda: differs(t(A).argmax(axis=1).numpy(), A.argmax(axis=1)),
    "softmax": lambda: differs(t(A).softmax(axis=1).numpy(), softmax(A), 1e-5),
    "exp and log": lambda: differs((t(A).exp() + 1).log().numpy(), np.log(np.exp(A) + 1), 1e-5),
    "sin": lambda: differs((t(A) * 100).sin().numpy(), np.sin(A * 100), 1e-4),
    "integers": lambda: differs((t(np.arange(1000, dtype="i4")) * 7 % 13).numpy(),
                                np.arange(1000) * 7 % 13),
    "cumulative sum": lambda: differs(t(np.arange(500, dtype="i4")).cumsum().numpy(),
                                      np.cumsum(np.arange(500))),
    "convolution": convolution,
    "pooling": lambda: differs(t(IMAGE).max_pool2d((2, 2)).numpy(),
                               IMAGE.reshape(1, 3, 10, 2, 10, 2).max(axis=(3, 5))),
    "sort": lambda: differs(t(A[0]).sort()[0].numpy(), np.sort(A[0])),
    "training": training,
})
