# SPDX-License-Identifier: MIT
import numpy as np
import openvino as ov
from openvino import opset13 as op

from cases import cases, differs, missing, rng, version

version(ov.__version__.split("-")[0])
core = ov.Core()
if "GPU" not in core.available_devices:
    missing("OpenVINO takes no device")
X = rng.random((1, 8, 16, 16), dtype="f4") - 0.5


def model(make, shape):
    x = op.parameter(shape, np.float32)
    return ov.Model([op.result(make(x))], [x])


def like_the_processor(make, data, precision="f32", tolerance=1e-4):
    def run():
        network = model(make, data.shape)
        results = []
        for device in ("CPU", "GPU"):
            hint = precision if device == "GPU" else "f32"
            compiled = core.compile_model(network, device, {"INFERENCE_PRECISION_HINT": hint})
            results.append(compiled([data])[0])
        return differs(results[1], results[0], tolerance)

    return run


def weights(*shape):
    return op.constant(((rng.random(shape) - 0.5) / np.sqrt(np.prod(shape[1:]))).astype("f4"))


W1, W2, DEPTH = weights(16, 8, 3, 3), weights(16, 16, 1, 1), weights(8, 1, 1, 3, 3)
DENSE = weights(64, 2048)
ONE, SAME, NONE = [1, 1], [1, 1], [0, 0]


def convolution(x):
    return op.convolution(x, W1, ONE, SAME, SAME, ONE)


def residual(x):
    y = op.relu(convolution(x))
    return op.relu(op.add(y, op.convolution(y, W2, ONE, NONE, NONE, ONE)))


def classifier(x):
    y = op.reshape(x, op.constant(np.array([1, 2048], "i8")), False)
    return op.softmax(op.matmul(y, DENSE, False, True), 1)


def attention(x):
    y = op.reshape(x, op.constant(np.array([1, 8, 16, 16], "i8")), False)
    scores = op.softmax(op.multiply(op.matmul(y, y, False, True), op.constant(np.float32(0.25))), -1)
    return op.matmul(scores, y, False, False)


def normalized(x):
    return op.mvn(x, op.constant(np.array([2, 3], "i8")), True, 1e-6, "inside_sqrt")


def recurrent(kind, gates):
    w, r = weights(1, gates * 16, 32), weights(1, gates * 16, 16)
    b = weights(1, gates * 16)

    def make(x):
        state = op.constant(np.zeros((1, 1, 16), "f4"))
        length = op.constant(np.array([8], "i4"))
        if kind == "lstm":
            return op.lstm_sequence(x, state, state, length, w, r, b, 16, "forward").output(0)
        return op.gru_sequence(x, state, length, w, r, b, 16, "forward").output(0)

    return make


def quantized(x):
    low, high = op.constant(np.float32(-0.5)), op.constant(np.float32(0.5))
    y = op.fake_quantize(x, low, high, low, high, 256)
    return op.convolution(y, W1, ONE, SAME, SAME, ONE)


SERIES = rng.random((1, 8, 32), dtype="f4")
cases({
    "convolution": like_the_processor(convolution, X),
    "convolution, half": like_the_processor(convolution, X, "f16", 1e-2),
    "depthwise convolution": like_the_processor(
        lambda x: op.group_convolution(x, DEPTH, ONE, SAME, SAME, ONE), X),
    "residual block": like_the_processor(residual, X),
    "residual block, half": like_the_processor(residual, X, "f16", 1e-2),
    "quantized convolution": like_the_processor(quantized, X, tolerance=1e-2),
    "classifier": like_the_processor(classifier, X),
    "classifier, half": like_the_processor(classifier, X, "f16", 1e-2),
    "attention": like_the_processor(attention, X),
    "normalization": like_the_processor(normalized, X),
    "pooling": like_the_processor(
        lambda x: op.max_pool(x, [2, 2], [1, 1], NONE, NONE, [2, 2]).output(0), X),
    "sum": like_the_processor(lambda x: op.reduce_sum(x, op.constant(np.array([2, 3], "i8")), False), X),
    "gelu": like_the_processor(lambda x: op.gelu(x, "erf"), X),
    "sigmoid": like_the_processor(lambda x: op.sigmoid(x), X),
    "transpose": like_the_processor(lambda x: op.transpose(x, op.constant(np.array([0, 2, 3, 1], "i8"))), X),
    "LSTM": like_the_processor(recurrent("lstm", 4), SERIES),
    "GRU": like_the_processor(recurrent("gru", 3), SERIES),
})
