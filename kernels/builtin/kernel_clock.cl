// SPDX-License-Identifier: MIT
// cl_khr_kernel_clock: the compiler reads the timestamp register of the EU thread. The built-in
// function by which it does so was renamed with the versions of its front end.

#ifndef ZEROCL_MACROS_ONLY
#if __clang_major__ < 15
ulong __builtin_spirv_OpReadClockKHR_i64_i32(int scope);
#define zerocl_clock() __builtin_spirv_OpReadClockKHR_i64_i32(3)
#else
ulong __attribute__((overloadable)) __spirv_ReadClockKHR_Rulong(int scope);
#define zerocl_clock() __spirv_ReadClockKHR_Rulong(3)
#endif
#endif
#define clock_read_sub_group()	    zerocl_clock()
#define clock_read_hilo_sub_group() as_uint2(zerocl_clock())
