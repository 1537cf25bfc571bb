// SPDX-License-Identifier: MIT
// cl_khr_async_work_group_copy_fence: all work-items come here, and the compiler has each copy its
// share of an async copy where it stands: a barrier orders what they copied before and after.

#define async_work_group_copy_fence(flags) barrier(flags)
