#!/bin/bash
# SPDX-License-Identifier: MIT
# ffmpeg's filters on the device, each against the same filter of its own on the processor.
. "$(dirname "$0")/cases.sh"
command -v ffmpeg >/dev/null || missing "ffmpeg is not installed"
echo "version $(ffmpeg -version | awk 'NR == 1 { print $3 }')"
source=testsrc2=size=160x120:rate=4:duration=1

# filter NAME DEVICE PROCESSOR: the frames of both, compared.
filter() {
	ffmpeg -nostdin -y -loglevel error -init_hw_device opencl=ocl -filter_hw_device ocl -f lavfi -i $source \
		-vf "format=yuv420p,hwupload,$2,hwdownload,format=yuv420p" -c:v ffv1 "$1-device.mkv" &&
		ffmpeg -nostdin -y -loglevel error -f lavfi -i $source \
			-vf "format=yuv420p,$3,format=yuv420p" -c:v ffv1 "$1.mkv" &&
		like_pixels "$1-device.mkv" "$1.mkv" "${4:-45}"
}

# where the edges of a picture are continued differently, fewer decibels
check average filter average avgblur_opencl=sizeX=3 avgblur=sizeX=3 38
check box filter box boxblur_opencl=2:1 boxblur=2:1
check sobel filter sobel sobel_opencl sobel 24
check prewitt filter prewitt prewitt_opencl prewitt 24
check dilation filter dilation dilation_opencl dilation
check erosion filter erosion erosion_opencl erosion
check sharpen filter sharpen unsharp_opencl=5:5:1 unsharp=5:5:1 35
check convolution filter convolution \
	"convolution_opencl=0 -1 0 -1 5 -1 0 -1 0:0 -1 0 -1 5 -1 0 -1 0:0 -1 0 -1 5 -1 0 -1 0:0 -1 0 -1 5 -1 0 -1 0" \
	"convolution=0 -1 0 -1 5 -1 0 -1 0:0 -1 0 -1 5 -1 0 -1 0:0 -1 0 -1 5 -1 0 -1 0:0 -1 0 -1 5 -1 0 -1 0" 30
check transpose filter transpose transpose_opencl=1 transpose=1
