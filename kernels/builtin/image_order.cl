// SPDX-License-Identifier: MIT
// What Level Zero tells kernels of a depth image is that it is one of red. Their types say more.
#ifndef ZEROCL_MACROS_ONLY
#define ZEROCL_READ(type, order) \
	static __attribute__((overloadable, always_inline)) int zerocl_order(read_only type i) \
	{ return order; }
#define ZEROCL_WRITE(type, order) \
	static __attribute__((overloadable, always_inline)) int zerocl_order(write_only type i) \
	{ return order; }
#if __OPENCL_C_VERSION__ >= 200
#define ZEROCL_BOTH(type, order) \
	static __attribute__((overloadable, always_inline)) int zerocl_order(read_write type i) \
	{ return order; }
#else
#define ZEROCL_BOTH(type, order)
#endif
#define ZEROCL_ORDER(type, order) \
	ZEROCL_READ(type, order) ZEROCL_WRITE(type, order) ZEROCL_BOTH(type, order)
ZEROCL_ORDER(image2d_depth_t, CLK_DEPTH)
ZEROCL_ORDER(image2d_array_depth_t, CLK_DEPTH)
ZEROCL_ORDER(image1d_t, get_image_channel_order(i))
ZEROCL_ORDER(image1d_buffer_t, get_image_channel_order(i))
ZEROCL_ORDER(image1d_array_t, get_image_channel_order(i))
ZEROCL_ORDER(image2d_t, get_image_channel_order(i))
ZEROCL_ORDER(image2d_array_t, get_image_channel_order(i))
ZEROCL_ORDER(image3d_t, get_image_channel_order(i))
#undef ZEROCL_READ
#undef ZEROCL_WRITE
#undef ZEROCL_BOTH
#undef ZEROCL_ORDER
#endif
#define get_image_channel_order(i) zerocl_order(i)
