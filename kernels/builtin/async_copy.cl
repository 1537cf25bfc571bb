// SPDX-License-Identifier: MIT
// cl_khr_extended_async_copies: the work-items share the copy, of dwords where all lines begin and end
// with whole ones, else of bytes. The event is that of a copy of nothing.

#ifndef ZEROCL_MACROS_ONLY
#define ZEROCL_COPY(to, from, unit)                                                                \
	for (size_t i = item; i < planes * lines * (line / sizeof(unit)); i += items) {            \
		size_t x = i % (line / sizeof(unit)), y = i / (line / sizeof(unit));               \
		((to unit *)(d + y % lines * dst_line + y / lines * dst_plane))[x] =               \
			((const from unit *)(s + y % lines * src_line + y / lines * src_plane))[x]; \
	}
#define ZEROCL_COPIES(to, from)                                                                    \
	static __attribute__((overloadable)) event_t async_work_group_copy_3D3D(to void *dst,      \
		size_t dst_offset, const from void *src, size_t src_offset, size_t size,           \
		size_t elements, size_t lines, size_t planes, size_t src_line, size_t src_plane,   \
		size_t dst_line, size_t dst_plane, event_t event)                                  \
	{                                                                                          \
		to uchar *d = (to uchar *)dst + dst_offset * size;                                 \
		const from uchar *s = (const from uchar *)src + src_offset * size;                 \
		size_t items = get_local_size(0) * get_local_size(1) * get_local_size(2);          \
		size_t item = (get_local_id(2) * get_local_size(1) + get_local_id(1)) *            \
				      get_local_size(0) +                                          \
			      get_local_id(0);                                                     \
		size_t line = elements * size;                                                     \
		src_line *= size;                                                                  \
		src_plane *= size;                                                                 \
		dst_line *= size;                                                                  \
		dst_plane *= size;                                                                 \
		if ((((size_t)d | (size_t)s | line | src_line | src_plane | dst_line |             \
			    dst_plane) & 3) == 0)                                                  \
			ZEROCL_COPY(to, from, uint)                                                \
		else                                                                               \
			ZEROCL_COPY(to, from, uchar)                                               \
		return async_work_group_copy((to uchar *)dst, (const from uchar *)src, 0, event);  \
	}                                                                                          \
	static __attribute__((overloadable)) event_t async_work_group_copy_2D2D(to void *dst,      \
		size_t dst_offset, const from void *src, size_t src_offset, size_t size,           \
		size_t elements, size_t lines, size_t src_line, size_t dst_line, event_t event)    \
	{                                                                                          \
		return async_work_group_copy_3D3D(dst, dst_offset, src, src_offset, size,          \
			elements, lines, 1, src_line, 0, dst_line, 0, event);                      \
	}
ZEROCL_COPIES(local, global)
ZEROCL_COPIES(global, local)
#undef ZEROCL_COPY
#undef ZEROCL_COPIES
#endif
