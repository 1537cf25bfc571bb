# SPDX-License-Identifier: MIT
"""42 small networks of the kinds that people run, made of OpenVINO's operations with random weights.

MODELS has them: the shape of the input, and a function of a Net and the input that gives the output. Net
makes the layers with weights, and quantizes what goes into them if asked to.
"""
import numpy as np
from openvino import opset13 as op

MODELS = {}
NONE, ONE, TWO = [0, 0], [1, 1], [2, 2]


def model(*shape):
    def add(make):
        MODELS[make.__name__.strip("_").replace("_", " ")] = (shape, make)
        return make

    return add


def ints(*values):
    return op.constant(np.array(values, "i8"))


def number(value):
    return op.constant(np.float32(value))


class Net:
    """Layers with weights of a random generator. Sums of products have a deviation of about 1."""

    def __init__(self, rng, is_quantized):
        self.rng, self.is_quantized = rng, is_quantized

    def plain_weights(self, *shape, fan_in=None):
        fan_in = fan_in or np.prod(shape[1:])
        return op.constant((self.rng.standard_normal(shape) / np.sqrt(fan_in)).astype("f4"))

    def weights(self, *shape, fan_in=None):
        return self.quantize(self.plain_weights(*shape, fan_in=fan_in), 2.54, 255)

    def vector(self, n, base=0.0):
        return op.constant((base + 0.1 * self.rng.standard_normal(n)).astype("f4"))

    def quantize(self, x, high=2.54, levels=256):
        """To 8 bits, if the network is quantized; zero stays zero."""
        if not self.is_quantized:
            return x
        step = 2 * high / 254
        low, high = number(high - step * (levels - 1)), number(high)
        return op.fake_quantize(x, low, high, low, high, levels)

    def conv(self, x, n, size=3, stride=1, groups=1, dilation=1, pad=None):
        rank = len(x.shape) - 2
        n_in = x.shape[1]
        pads = [dilation * (size - 1) // 2 if pad is None else pad] * rank
        how = [stride] * rank, pads, pads, [dilation] * rank
        sizes = [size] * rank
        if groups == 1:
            y = op.convolution(self.quantize(x), self.weights(n, n_in, *sizes), *how)
        else:
            shape = groups, n // groups, n_in // groups, *sizes
            fan_in = n_in // groups * size**rank
            y = op.group_convolution(self.quantize(x), self.weights(*shape, fan_in=fan_in), *how)
        return op.add(y, op.reshape(self.vector(n), ints(1, n, *[1] * rank), False))

    def upconv(self, x, n):
        w = self.weights(x.shape[1], n, 4, 4, fan_in=4 * x.shape[1])
        return op.convolution_backprop_data(self.quantize(x), w, TWO, pads_begin=ONE, pads_end=ONE)

    def dense(self, x, n):
        y = op.matmul(self.quantize(x), self.weights(n, x.shape[len(x.shape) - 1]), False, True)
        return op.add(y, self.vector(n))

    def batch_norm(self, x):
        n = x.shape[1]
        return op.batch_norm_inference(
            x, self.vector(n, 1), self.vector(n), self.vector(n), self.vector(n, 1.5), 1e-5)

    def unit(self, x, n, *args, **how):
        return op.relu(self.batch_norm(self.conv(x, n, *args, **how)))

    def layer_norm(self, x):
        n = x.shape[len(x.shape) - 1]
        y = op.mvn(x, ints(-1), True, 1e-5, "inside_sqrt")
        return op.add(op.multiply(y, self.vector(n, 1)), self.vector(n))

    def attention(self, x, heads=4, mask=None):
        batch, length, width = x.shape
        per = width // heads
        split = [
            op.transpose(op.reshape(self.dense(x, width), ints(batch, length, heads, per), False),
                         ints(0, 2, 1, 3)) for _ in range(3)
        ]
        scores = op.matmul(self.quantize(split[0]), self.quantize(split[1]), False, True)
        scores = op.multiply(scores, number(per**-0.5))
        if mask is not None:
            scores = op.add(scores, op.constant(mask.astype("f4")))
        y = op.matmul(op.softmax(scores, -1), split[2], False, False)
        y = op.reshape(op.transpose(y, ints(0, 2, 1, 3)), ints(batch, length, width), False)
        return self.dense(y, width)

    def encoder(self, x, activation=lambda y: op.gelu(y, "erf"), mask=None):
        """A layer of a transformer, normalized first."""
        width = x.shape[2]
        x = op.add(x, self.attention(self.layer_norm(x), mask=mask))
        y = self.dense(activation(self.dense(self.layer_norm(x), 2 * width)), width)
        return op.add(x, y)

    def excite(self, x):
        """Squeeze and excite: scales channels by what their means say."""
        n = x.shape[1]
        y = op.reduce_mean(x, ints(2, 3), True)
        y = op.relu(self.conv(y, n // 4, 1))
        return op.multiply(x, op.hsigmoid(self.conv(y, n, 1)))

    def classify(self, x, n=10):
        x = op.reduce_mean(x, ints(*range(2, len(x.shape))), False)
        return op.softmax(self.dense(x, n), 1)

    def cells(self, x, kind, width=16, direction="forward", **how):
        batch, length, n = x.shape
        gates = {"lstm": 4, "gru": 3, "rnn": 1}[kind]
        ways = 2 if direction == "bidirectional" else 1
        # OpenVINO has no cell with 8 bits that resets last
        weights = self.plain_weights if how.get("linear_before_reset") else self.weights
        w, r = weights(ways, gates * width, n, fan_in=n), weights(ways, gates * width, width, fan_in=width)
        last = (gates + 1) if how.get("linear_before_reset") else gates
        b = op.constant((0.1 * self.rng.standard_normal((ways, last * width))).astype("f4"))
        state = op.constant(np.zeros((batch, ways, width), "f4"))
        lengths = op.constant(np.full(batch, length, "i4"))
        if not how.get("linear_before_reset"):
            x = self.quantize(x)
        if kind == "lstm":
            y = op.lstm_sequence(x, state, state, lengths, w, r, b, width, direction)
        elif kind == "gru":
            y = op.gru_sequence(x, state, lengths, w, r, b, width, direction, **how)
        else:
            y = op.rnn_sequence(x, state, lengths, w, r, b, width, direction, ["tanh"])
        return op.reshape(op.transpose(y.output(0), ints(0, 2, 1, 3)), ints(batch, length, ways * width), False)


def pool(x):
    return op.max_pool(x, TWO, ONE, NONE, NONE, TWO).output(0)


def average(x):
    return op.avg_pool(x, TWO, NONE, NONE, TWO, False)


def flat(x):
    return op.reshape(x, ints(x.shape[0], int(np.prod(list(x.shape)[1:]))), False)


def enlarge(x, mode="nearest", by=2):
    sizes = ints(by * x.shape[2], by * x.shape[3])
    # as PyTorch has it: with "half_pixel" the device's plugin takes other neighbours before a quantized layer
    places = "asymmetric" if mode == "nearest" else "half_pixel"
    return op.interpolate(x, sizes, mode, "sizes", coordinate_transformation_mode=places,
                          nearest_mode="floor", axes=ints(2, 3))


def sequence(x):
    """The pixels of a picture in a row: batch, pixels, channels."""
    n, c, h, w = x.shape
    return op.reshape(op.transpose(x, ints(0, 2, 3, 1)), ints(n, h * w, c), False)


def glu(x, axis):
    a, b = op.split(x, op.constant(np.int64(axis)), 2).outputs()
    return op.multiply(a, op.sigmoid(b))


# ---- pictures: classes ----


@model(1, 1, 28, 28)
def LeNet(net, x):
    x = average(op.tanh(net.conv(x, 6, 5)))
    x = average(op.tanh(net.conv(x, 16, 5, pad=0)))
    return op.softmax(net.dense(op.tanh(net.dense(flat(x), 84)), 10), 1)


@model(1, 3, 32, 32)
def AlexNet(net, x):
    x = pool(op.relu(net.conv(x, 16, 5, 2)))
    x = op.lrn(x, ints(1), 1e-4, 0.75, 1.0, 5)
    x = pool(op.relu(net.conv(x, 32)))
    return op.softmax(net.dense(op.relu(net.dense(flat(x), 64)), 10), 1)


@model(1, 3, 32, 32)
def VGG(net, x):
    for n in 16, 32:
        x = pool(op.relu(net.conv(op.relu(net.conv(x, n)), n)))
    return net.classify(x)


@model(1, 3, 32, 32)
def ResNet(net, x):
    x = pool(net.unit(x, 16, 7, 2))
    for n, stride in (16, 1), (32, 2):
        y = net.batch_norm(net.conv(net.unit(x, n, 3, stride), n))
        x = op.relu(op.add(y, net.conv(x, n, 1, stride)))
    return net.classify(x)


@model(1, 32, 16, 16)
def ResNet_bottleneck(net, x):
    for _ in range(2):
        y = net.unit(net.unit(x, 8, 1), 8)
        x = op.relu(op.add(x, net.batch_norm(net.conv(y, 32, 1))))
    return net.classify(x)


@model(1, 16, 16, 16)
def ResNet_preactivated(net, x):
    for _ in range(2):
        y = net.conv(op.relu(net.batch_norm(x)), 16)
        x = op.add(x, net.conv(op.relu(net.batch_norm(y)), 16))
    return net.classify(x)


@model(1, 32, 16, 16)
def ResNeXt(net, x):
    y = net.unit(net.unit(x, 32, 1), 32, groups=8)
    return net.classify(op.relu(op.add(x, net.conv(y, 32, 1))))


@model(1, 3, 32, 32)
def MobileNet(net, x):
    x = net.unit(x, 8, 3, 2)
    for n, stride in (16, 1), (32, 2):
        x = net.unit(net.unit(x, x.shape[1], 3, stride, groups=x.shape[1]), n, 1)
    return net.classify(x)


@model(1, 16, 16, 16)
def MobileNet_2(net, x):
    y = op.clamp(net.conv(x, 64, 1), 0, 6)
    y = op.clamp(net.conv(y, 64, groups=64), 0, 6)
    return net.classify(op.add(x, net.conv(y, 16, 1)))


@model(1, 16, 16, 16)
def MobileNet_3(net, x):
    y = op.hswish(net.conv(x, 32, 1))
    y = net.excite(op.hswish(net.conv(y, 32, 5, groups=32)))
    return net.classify(op.add(x, net.conv(y, 16, 1)))


@model(1, 16, 16, 16)
def EfficientNet(net, x):
    y = op.swish(net.batch_norm(net.conv(x, 64, 1)))
    y = net.excite(op.swish(net.conv(y, 64, groups=64)))
    return net.classify(op.add(x, net.batch_norm(net.conv(y, 16, 1))))


@model(1, 16, 16, 16)
def DenseNet(net, x):
    for _ in range(3):
        y = net.conv(op.relu(net.batch_norm(x)), 8)
        x = op.concat([x, y], 1)
    return net.classify(average(x))


@model(1, 16, 16, 16)
def Inception(net, x):
    parts = [net.unit(x, 8, 1), net.unit(net.unit(x, 8, 1), 16), net.unit(net.unit(x, 4, 1), 8, 5)]
    pooled = op.max_pool(x, ONE, ONE, ONE, ONE, [3, 3]).output(0)
    return net.classify(op.concat([*parts, net.unit(pooled, 8, 1)], 1))


@model(1, 16, 16, 16)
def SqueezeNet(net, x):
    for _ in range(2):
        y = op.relu(net.conv(x, 8, 1))
        x = op.concat([op.relu(net.conv(y, 16, 1)), op.relu(net.conv(y, 16))], 1)
    return net.classify(net.conv(x, 10, 1))


@model(1, 32, 16, 16)
def ShuffleNet(net, x):
    y = net.unit(x, 32, 1, groups=4)
    y = op.shuffle_channels(y, 1, 4)
    y = net.conv(net.conv(y, 32, groups=32), 32, 1, groups=4)
    return net.classify(op.relu(op.add(x, y)))


@model(1, 16, 16, 16)
def GhostNet(net, x):
    y = net.unit(x, 16, 1)
    y = op.concat([y, net.unit(y, 16, groups=16)], 1)
    return net.classify(op.add(x, net.conv(y, 16, 1)))


@model(1, 32, 16, 16)
def ConvNeXt(net, x):
    y = net.layer_norm(sequence(net.conv(x, 32, 7, groups=32)))
    y = op.transpose(net.dense(op.gelu(net.dense(y, 64), "erf"), 32), ints(0, 2, 1))
    return net.classify(op.add(x, op.reshape(y, ints(1, 32, 16, 16), False)))


@model(1, 16, 32, 16)
def C3D(net, x):
    x = op.reshape(x, ints(1, 4, 4, 32, 16), False)
    x = op.relu(net.conv(x, 8))
    x = op.max_pool(x, [2] * 3, [1] * 3, [0] * 3, [0] * 3, [2] * 3).output(0)
    return net.classify(op.relu(net.conv(x, 16)))


# ---- pictures: pictures, and what is in them ----


@model(1, 3, 32, 32)
def U_Net(net, x):
    a = net.unit(x, 8)
    b = net.unit(pool(a), 16)
    c = net.unit(pool(b), 32)
    b = net.unit(op.concat([b, net.upconv(c, 16)], 1), 16)
    a = net.unit(op.concat([a, net.upconv(b, 8)], 1), 8)
    return op.sigmoid(net.conv(a, 1, 1))


@model(1, 3, 32, 32)
def segmentation(net, x):
    x = net.unit(net.unit(x, 16, 3, 2), 16, 3, 2)
    return op.softmax(enlarge(net.conv(x, 5, 1), "linear", 4), 1)


@model(1, 16, 16, 16)
def DeepLab(net, x):
    parts = [net.unit(x, 8, 1)] + [net.unit(x, 8, dilation=d) for d in (2, 4)]
    mean = enlarge(net.conv(op.reduce_mean(x, ints(2, 3), True), 8, 1), by=16)
    return op.softmax(net.conv(op.concat([*parts, mean], 1), 5, 1), 1)


@model(1, 3, 16, 16)
def super_resolution(net, x):
    y = op.relu(net.conv(op.relu(net.conv(x, 16)), 16))
    y = op.depth_to_space(net.conv(y, 12), "blocks_first", 2)
    return op.add(y, enlarge(x, "linear"))


@model(1, 32, 1, 1)
def GAN(net, x):
    x = op.reshape(net.dense(flat(x), 16 * 16), ints(1, 16, 4, 4), False)
    for n in 16, 8:
        x = op.prelu(net.batch_norm(net.upconv(x, n)), number(0.2))
    return op.tanh(net.conv(x, 3))


@model(1, 3, 16, 16)
def autoencoder(net, x):
    y = op.elu(net.conv(op.elu(net.conv(x, 8, 3, 2), 1.0), 8, 3, 2), 1.0)
    y = net.dense(net.dense(flat(y), 16), 128)
    y = net.upconv(op.reshape(y, ints(1, 8, 4, 4), False), 8)
    return op.sigmoid(net.upconv(op.elu(y, 1.0), 3))


@model(1, 3, 32, 32)
def feature_pyramid(net, x):
    a = net.unit(x, 16, 3, 2)
    b = net.unit(a, 32, 3, 2)
    top = net.conv(b, 16, 1)
    low = op.add(net.conv(a, 16, 1), enlarge(top))
    return op.concat([flat(net.conv(low, 4)), flat(net.conv(top, 4))], 1)


@model(1, 3, 32, 32)
def YOLO(net, x):
    x = op.mish(net.conv(op.mish(net.conv(x, 16, 3, 2)), 32, 3, 2))
    x = net.conv(x, 2 * 9, 1)
    x = op.transpose(op.reshape(x, ints(1, 2, 9, 8, 8), False), ints(0, 1, 3, 4, 2))
    place, size, rest = op.variadic_split(x, op.constant(np.int64(4)), ints(2, 2, 5)).outputs()
    return op.concat([op.sigmoid(place), op.exp(size), op.sigmoid(rest)], 4)


@model(1, 3, 32, 32)
def SSD(net, x):
    a = net.unit(net.unit(x, 16, 3, 2), 16, 3, 2)
    b = net.unit(a, 16, 3, 2)
    scores = [op.reshape(op.transpose(net.conv(y, 4 * 3), ints(0, 2, 3, 1)), ints(1, -1, 3), False)
              for y in (a, b)]
    return op.topk(op.softmax(op.concat(scores, 1), 2), op.constant(np.int64(20)), 1, "max", "value").output(0)


@model(1, 16, 16, 16)
def style_transfer(net, x):
    y = op.pad(x, ints(0, 0, 1, 1), ints(0, 0, 1, 1), "reflect")
    y = op.mvn(net.conv(y, 16, pad=0), ints(2, 3), True, 1e-5, "inside_sqrt")
    return net.conv(op.add(op.relu(y), x), 3)


@model(1, 16, 16, 16)
def group_normalization(net, x):
    y = op.group_normalization(net.conv(x, 16), net.vector(16, 1), net.vector(16), 4, 1e-5)
    return net.conv(op.add(x, op.swish(y)), 16)


# ---- sequences ----


@model(1, 16, 64)
def attention(net, x):
    return net.attention(x)


@model(1, 16, 64)
def BERT(net, x):
    x = op.add(x, net.attention(x))
    x = net.layer_norm(x)
    return net.layer_norm(op.add(x, net.dense(op.gelu(net.dense(x, 128), "erf"), 64)))


@model(1, 16, 64)
def GPT(net, x):
    x = net.encoder(x, lambda y: op.gelu(y, "tanh"), np.triu(np.full((16, 16), -1e4), 1))
    return net.dense(net.layer_norm(x), 100)


@model(1, 16, 64)
def LLaMA(net, x):
    def norm(y):
        mean = op.reduce_mean(op.multiply(y, y), ints(-1), True)
        return op.multiply(op.multiply(y, op.power(op.add(mean, number(1e-5)), number(-0.5))), net.vector(64, 1))

    x = op.add(x, net.attention(norm(x), mask=np.triu(np.full((16, 16), -1e4), 1)))
    y = norm(x)
    return op.add(x, net.dense(op.multiply(op.swish(net.dense(y, 128)), net.dense(y, 128)), 64))


@model(1, 3, 32, 32)
def vision_transformer(net, x):
    x = sequence(net.conv(x, 64, 8, 8, pad=0))
    x = net.encoder(op.add(x, op.constant((0.1 * net.rng.standard_normal((1, 16, 64))).astype("f4"))))
    return op.softmax(net.dense(op.reduce_mean(net.layer_norm(x), ints(1), False), 10), 1)


@model(1, 8, 8, 32)
def Swin(net, x):
    x = op.roll(x, ints(-2, -2), ints(1, 2))
    x = op.transpose(op.reshape(x, ints(2, 4, 2, 4, 32), False), ints(0, 2, 1, 3, 4))
    x = net.encoder(op.reshape(x, ints(4, 16, 32), False))
    x = op.transpose(op.reshape(x, ints(2, 2, 4, 4, 32), False), ints(0, 2, 1, 3, 4))
    return op.roll(op.reshape(x, ints(1, 8, 8, 32), False), ints(2, 2), ints(1, 2))


@model(1, 16, 32)
def MLP_mixer(net, x):
    y = op.transpose(net.layer_norm(x), ints(0, 2, 1))
    y = net.dense(op.gelu(net.dense(y, 32), "erf"), 16)
    x = op.add(x, op.transpose(y, ints(0, 2, 1)))
    return op.add(x, net.dense(op.gelu(net.dense(net.layer_norm(x), 64), "erf"), 32))


@model(1, 16, 64)
def WaveNet(net, x):
    skips = []
    for dilation in 1, 2, 4:
        y = glu(net.conv(x, 32, dilation=dilation), 1)
        skips.append(net.conv(y, 16, 1))
        x = op.add(x, skips[-1])
    return op.relu(op.add(op.add(skips[0], skips[1]), skips[2]))


@model(1, 16, 32)
def Conformer(net, x):
    x = op.add(x, op.multiply(net.dense(op.swish(net.dense(net.layer_norm(x), 64)), 32), number(0.5)))
    x = op.add(x, net.attention(net.layer_norm(x)))
    y = glu(net.conv(op.transpose(net.layer_norm(x), ints(0, 2, 1)), 64, 1), 1)
    y = net.conv(op.swish(net.batch_norm(net.conv(y, 32, 7, groups=32))), 32, 1)
    return net.layer_norm(op.add(x, op.transpose(y, ints(0, 2, 1))))


@model(1, 8, 32)
def LSTM(net, x):
    return net.dense(net.cells(x, "lstm"), 10)


@model(1, 8, 32)
def LSTM_of_two_directions(net, x):
    return net.dense(net.cells(x, "lstm", direction="bidirectional"), 10)


@model(1, 8, 32)
def GRU(net, x):
    return net.dense(net.cells(x, "gru"), 10)


@model(1, 8, 32)
def GRU_reset_last(net, x):
    return net.dense(net.cells(x, "gru", linear_before_reset=True), 10)
