# SPDX-License-Identifier: MIT
import dpctl
import dpctl.memory
import dpctl.program
import numpy as np

from cases import case, differs, missing, rng, version

version(dpctl.__version__)
try:
    device = dpctl.SyclDevice()
except dpctl.SyclDeviceCreationError as error:
    missing(str(error))
if not device.has_aspect_usm_device_allocations:
    missing("dpctl takes no device without unified shared memory")
queue = dpctl.SyclQueue(device, property="enable_profiling")
N = 4096


@case
def device_facts():
    if device.max_compute_units < 1 or device.max_work_group_size < 128:
        return "no units"
    return None


def round_trip(kind):
    want = rng.integers(0, 256, N, dtype="u1")
    memory = kind(N, queue=queue)
    memory.copy_from_host(want)
    other = kind(N, queue=queue)
    other.copy_from_device(memory)
    return differs(np.frombuffer(other.copy_to_host(), dtype="u1"), want)


@case
def device_memory():
    return round_trip(dpctl.memory.MemoryUSMDevice)


@case
def host_memory():
    return round_trip(dpctl.memory.MemoryUSMHost)


@case
def shared_memory():
    return round_trip(dpctl.memory.MemoryUSMShared)


@case
def shared_memory_on_the_host():
    memory = dpctl.memory.MemoryUSMShared(N, queue=queue)
    view = np.frombuffer(memory, dtype="u1")
    view[:] = 7
    return differs(np.frombuffer(memory.copy_to_host(), dtype="u1"), np.full(N, 7, "u1"))


@case
def fill():
    memory = dpctl.memory.MemoryUSMDevice(N, queue=queue)
    memory.memset(0x5A)
    return differs(np.frombuffer(memory.copy_to_host(), dtype="u1"), np.full(N, 0x5A, "u1"))


SOURCE = """
kernel void axpy(global float *x, global const float *y, float a) {
    size_t i = get_global_id(0); x[i] = a * x[i] + y[i]; }
kernel void lifted(global int *x, int by, local int *room) {
    size_t i = get_local_id(0); room[i] = x[get_global_id(0)] + by; barrier(CLK_LOCAL_MEM_FENCE);
    x[get_global_id(0)] = room[get_local_size(0) - 1 - i]; }
"""


@case
def kernel_of_source():
    if device.backend != dpctl.backend_type.opencl:
        return None
    program = dpctl.program.create_program_from_source(queue, SOURCE)
    x, y = rng.random(N, dtype="f4"), rng.random(N, dtype="f4")
    mx = dpctl.memory.MemoryUSMShared(4 * N, queue=queue)
    my = dpctl.memory.MemoryUSMShared(4 * N, queue=queue)
    np.frombuffer(mx, dtype="f4")[:] = x
    np.frombuffer(my, dtype="f4")[:] = y
    import ctypes
    queue.submit(program.get_sycl_kernel("axpy"), [mx, my, ctypes.c_float(2)], [N]).wait()
    return differs(np.frombuffer(mx, dtype="f4"), 2 * x + y, 1e-6)


@case
def many_queues():
    for _ in range(20):
        other = dpctl.SyclQueue(device)
        memory = dpctl.memory.MemoryUSMDevice(64, queue=other)
        memory.memset(3)
        if bytes(memory.copy_to_host()) != b"\3" * 64:
            return "not 3"


@case
def devices_by_filter():
    return None if dpctl.SyclDevice(device.filter_string) == device else "another"
