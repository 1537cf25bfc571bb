# SPDX-License-Identifier: MIT
"""Each model of openvino_models.py in single and half precision and with 8 bits, against OpenVINO's own plugin
for the processor. Arguments choose cases by a part of their names. MODELS_SAMPLE=n: each n-th model alone.
"""
import os
import sys
import time
import zlib

import numpy as np
import openvino as ov
from openvino import opset13 as op

from cases import cases, differs, missing, version
from openvino_models import MODELS, Net

version(ov.__version__.split("-")[0])
core = ov.Core()
if "GPU" not in core.available_devices:
    missing("OpenVINO takes no device")
CAPABILITIES = core.get_property("GPU", "OPTIMIZATION_CAPABILITIES")  # Gen9 has no INT8

# What OpenVINO's own tests allow of an operation is 1e-4 in single and 1e-3 in half precision; these models have
# several behind each other. With 8 bits a value between two steps may become either.
PRECISIONS = {"single": ("f32", 1e-4), "half": ("f16", 1e-2), "8 bits": ("f16", 6e-2)}


def network(name, is_quantized):
    shape, make = MODELS[name]
    x = op.parameter(shape, np.float32)
    rng = np.random.default_rng(zlib.crc32(name.encode()))
    data = rng.standard_normal(shape).astype("f4")
    return ov.Model([op.result(make(Net(rng, is_quantized), x))], [x]), data


def precisions_used(compiled):
    """The types in which the device's layers compute."""
    layers = compiled.get_runtime_model().get_ordered_ops()
    known = (layer.get_rt_info() for layer in layers)
    return {info["runtimePrecision"].astype(str) for info in known if "runtimePrecision" in info}


def like_the_processor(name, precision):
    kind, tolerance = PRECISIONS[precision]

    def run():
        net, data = network(name, precision == "8 bits")
        want = core.compile_model(net, "CPU", {"INFERENCE_PRECISION_HINT": "f32"})([data])[0]
        start = time.process_time()
        compiled = core.compile_model(net, "GPU", {"INFERENCE_PRECISION_HINT": kind})
        used = precisions_used(compiled)
        wanted = {"single": {"f32"}, "half": {"f16"}, "8 bits": {"i8", "u8"}}[precision]
        if not wanted & used and (precision != "8 bits" or "INT8" in CAPABILITIES):
            return f"computed in {', '.join(sorted(used))}"
        built = time.process_time()
        got = compiled([data])[0]
        if "-v" in sys.argv:
            print(f"# {name}, {precision}: {built - start:.2f} s to build, {time.process_time() - built:.2f} s to run",
                  flush=True)
        if np.std(want) < 1e-4:
            return "the model computes nothing"
        return differs(got, want, tolerance)

    return run


chosen = list(MODELS)[::int(os.environ.get("MODELS_SAMPLE", "1"))]
table = {f"{name}, {precision}": like_the_processor(name, precision) for name in chosen for precision in PRECISIONS}
parts = [argument for argument in sys.argv[1:] if argument != "-v"]
cases({name: run for name, run in table.items() if not parts or any(part in name for part in parts)})
