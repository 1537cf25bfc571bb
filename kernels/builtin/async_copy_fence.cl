// SPDX-License-Identifier: MIT
// cl_khr_async_work_group_copy_fence: the work-items make the copies themselves, all of them meet here.

#define async_work_group_copy_fence(flags) barrier(flags)
