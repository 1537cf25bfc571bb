// SPDX-License-Identifier: MIT
// cl_khr_extended_async_copies: each work-item copies every n-th element, as the compiler has it for
// async_work_group_copy; wait_group_events is a barrier.

#ifndef ZEROCL_MACROS_ONLY
#define ZEROCL_ASYNC_COPY(to, from)                                                                \
	static event_t __attribute__((overloadable)) zerocl_async_copy(to void *dst,               \
		size_t dst_offset, from void *src, size_t src_offset, size_t size, size_t width,   \
		size_t height, size_t depth, size_t src_line, size_t src_plane, size_t dst_line,   \
		size_t dst_plane, event_t event)                                                   \
	{                                                                                          \
		size_t n = get_local_size(0) * get_local_size(1) * get_local_size(2);              \
		size_t i = (get_local_id(2) * get_local_size(1) + get_local_id(1)) *               \
				   get_local_size(0) +                                             \
			   get_local_id(0);                                                        \
		for (; i < width * height * depth; i += n) {                                       \
			size_t x = i % width, y = i / width % height, z = i / width / height;      \
			size_t source = src_offset + x + y * src_line + z * src_plane;             \
			size_t target = dst_offset + x + y * dst_line + z * dst_plane;             \
			from char *a = (from char *)src + source * size;                           \
			to char *b = (to char *)dst + target * size;                               \
			for (size_t byte = 0; byte < size; byte++)                                 \
				b[byte] = a[byte];                                                 \
		}                                                                                  \
		return event;                                                                      \
	}
ZEROCL_ASYNC_COPY(local, const global)
ZEROCL_ASYNC_COPY(global, const local)
#endif

#define async_work_group_copy_2D2D(                                                                \
	dst, dst_offset, src, src_offset, size, width, height, src_line, dst_line, event)          \
	zerocl_async_copy(                                                                         \
		dst, dst_offset, src, src_offset, size, width, height, 1, src_line, 0, dst_line, 0, event)
#define async_work_group_copy_3D3D(dst, dst_offset, src, src_offset, size, width, height, depth,   \
	src_line, src_plane, dst_line, dst_plane, event)                                           \
	zerocl_async_copy(dst, dst_offset, src, src_offset, size, width, height, depth, src_line,  \
		src_plane, dst_line, dst_plane, event)
