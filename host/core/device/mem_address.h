// SPDX-License-Identifier: MIT
#ifndef MEM_ADDRESS_H
#define MEM_ADDRESS_H

/* cl_ext_buffer_device_address, of which the headers of distributions know nothing yet. */

#include <CL/cl.h>

#ifndef cl_ext_buffer_device_address
typedef cl_ulong cl_mem_device_address_ext;

#define CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT   0x5000 /* a property of a buffer: cl_bool */
#define CL_MEM_DEVICE_ADDRESS_EXT	    0x5001 /* a query of a buffer */
#define CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT 0x5002
#endif

#endif
