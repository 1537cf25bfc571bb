# SPDX-License-Identifier: MIT
import numpy as np
import pyopencl as cl
import pyopencl.array as cla
import pyopencl.clmath as clmath
from pyopencl.elementwise import ElementwiseKernel
from pyopencl.reduction import ReductionKernel
from pyopencl.scan import GenericScanKernel

from cases import cases, differs, missing, rng, version

version(cl.VERSION_TEXT)
platforms = [p for p in cl.get_platforms() if p.get_devices()]
if not platforms:
    missing("no device")
device = platforms[0].get_devices()[0]
context = cl.Context([device])
queue = cl.CommandQueue(context)
X, Y = rng.random(10000, dtype="f4"), rng.random(10000, dtype="f4")
I = rng.integers(0, 1 << 30, 10000, dtype="u4")


def put(a):
    return cla.to_device(queue, a)


def elementwise():
    kernel = ElementwiseKernel(context, "float *x, float *y, float a", "y[i] = a * x[i] + sin(y[i])")
    y = put(Y)
    kernel(put(X), y, np.float32(3))
    return differs(y.get(), 3 * X + np.sin(Y), 1e-6)


def reduction():
    kernel = ReductionKernel(
        context, np.float32, neutral="0", reduce_expr="a+b", map_expr="x[i]*y[i]",
        arguments="float *x, float *y")
    return differs(kernel(put(X), put(Y)).get(), np.dot(X.astype("f8"), Y), 1e-5)


def scan():
    kernel = GenericScanKernel(
        context, np.uint32, arguments="unsigned *x, unsigned *out", input_expr="x[i]",
        scan_expr="a+b", neutral="0", output_statement="out[i] = item;")
    out = put(np.zeros_like(I))
    kernel(put(I), out)
    return differs(out.get(), np.cumsum(I, dtype="u4"))


def radix_sort():
    from pyopencl.algorithm import RadixSort

    sort = RadixSort(context, "unsigned *x", key_expr="x[i]", sort_arg_names=["x"],
                     key_dtype=np.uint32)
    (out,), _ = sort(put(I))
    return differs(out.get(), np.sort(I))


def copy_if():
    from pyopencl.algorithm import copy_if as select

    out, count, _ = select(put(I), "ary[i] % 3 == 0")
    return differs(out.get()[: int(count.get())], I[I % 3 == 0])


def random_numbers():
    from pyopencl.clrandom import PhiloxGenerator

    x = PhiloxGenerator(context).uniform(queue, 50000, np.float32).get()
    return None if abs(x.mean() - 0.5) < 0.01 and x.min() >= 0 and x.max() < 1 else "not uniform"


def images():
    want = rng.integers(0, 256, (40, 56, 4), dtype="u1")
    image = cl.image_from_array(context, want, 4, norm_int=True)
    program = cl.Program(context, """
        constant sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_FILTER_NEAREST | CLK_ADDRESS_CLAMP;
        kernel void read(read_only image2d_t im, global float4 *out) {
            int x = get_global_id(0), y = get_global_id(1);
            out[y * get_global_size(0) + x] = read_imagef(im, s, (int2)(x, y)); }""").build()
    out = cla.zeros(queue, (40, 56, 4), np.float32)
    program.read(queue, (56, 40), None, image, out.data)
    return differs(out.get(), want.astype("f4") / 255, 1e-6)


def shared_memory():
    if "cl_khr_il_program" not in device.extensions or device.svm_capabilities == 0:
        return None
    memory = cl.csvm_empty(context, 1000, np.float32)
    svm = cl.SVM(memory)
    with svm.map_rw(queue) as view:
        view[:] = X[:1000]
    cl.Program(context, "kernel void twice(global float *x) { x[get_global_id(0)] *= 2; }").build(
    ).twice(queue, (1000,), None, svm)
    with svm.map_ro(queue) as view:
        return differs(np.array(view), 2 * X[:1000])


def float3_in_12_bytes():
    program = cl.Program(context, """kernel void put(global float *out, float3 v)
        { out[0] = v.x; out[1] = v.y; out[2] = v.z; }""").build()
    out = cla.zeros(queue, 3, np.float32)
    kernel = cl.Kernel(program, "put")
    kernel.set_arg(0, out.data)
    kernel.set_arg(1, X[:3].copy())
    cl.enqueue_nd_range_kernel(queue, kernel, (1,), None)
    return differs(out.get(), X[:3])


cases({
    "elementwise": elementwise,
    "reduction": reduction,
    "scan": scan,
    "radix sort": radix_sort,
    "copy if": copy_if,
    "random numbers": random_numbers,
    "images": images,
    "shared memory": shared_memory,
    "float3 in 12 bytes": float3_in_12_bytes,
    "arithmetic": lambda: differs((put(X) * 2 + put(Y) / (put(X) + 1)).get(), X * 2 + Y / (X + 1), 1e-6),
    "mathematics": lambda: differs((clmath.exp(put(X)) + clmath.atan2(put(X), put(Y))).get(),
                                   np.exp(X) + np.arctan2(X, Y), 1e-6),
    "sum": lambda: differs(cla.sum(put(I)).get(), I.sum(dtype="u4")),
    "maximum": lambda: differs(cla.max(put(X)).get(), X.max()),
    "dot": lambda: differs(cla.dot(put(X), put(Y)).get(), np.dot(X.astype("f8"), Y), 1e-5),
    "cumulative sum": lambda: differs(cla.cumsum(put(I)).get(), np.cumsum(I, dtype="u4")),
    "slices": lambda: differs(put(X)[10:5000].get(), X[10:5000]),
    "complex numbers": lambda: differs((put(X + 1j * Y) * put(Y - 1j * X)).get(),
                                       (X + 1j * Y) * (Y - 1j * X), 1e-6),
})
