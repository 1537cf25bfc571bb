// SPDX-License-Identifier: MIT
// cl_intel_split_work_group_barrier: the compiler declares it and has no code under those names, and
// what it has for SPV_INTEL_split_barrier signals twice on Gen12LP. A barrier where all wait orders
// whatever was written before they arrived.

#define intel_work_group_barrier_arrive(...) ((void)0)
#if __OPENCL_C_VERSION__ >= 200
#define intel_work_group_barrier_wait(...) work_group_barrier(__VA_ARGS__)
#else
#define intel_work_group_barrier_wait(flags) barrier(flags)
#endif
