// SPDX-License-Identifier: MIT
/*
 * The layer's own entry points (cl_loader_layers), and what stands in for those of OpenCL: for
 * each row of call.def a closure of libffi, all of which lead to on_call.
 */
#include <CL/cl_layer.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "layer/tap/tap.h"
#include "layer/tap/tap_memory.h"
#include "util/util_settings.h"

#define EXPORT __attribute__((visibility("default")))

struct entry {
	const struct call *call;
	call_function target, made;
	struct call_frame frame;
	struct entry *next;
};

static const struct _cl_icd_dispatch *target_table;
static void *table[4096];
/* Extension functions that were asked for; grows only, under the lock of the tap. */
static struct entry *extensions;
/* Keeps commands of several threads in the order in which the driver gets them. */
static pthread_mutex_t order = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

static struct entry *make(const struct call *call, call_function target);

/* Whether functions of command buffers of the platform have the parameters of call.def. */
static bool has_new_command_buffers(cl_platform_id platform)
{
	const cl_version since = CL_MAKE_VERSION(0, 9, 5);
	cl_name_version names[256];
	size_t size = 0;

	if (target_table->clGetPlatformInfo(
		    platform, CL_PLATFORM_EXTENSIONS_WITH_VERSION, sizeof names, names, &size))
		return false;
	for (size_t i = 0; i < size / sizeof *names; i++)
		if (!strcmp(names[i].name, "cl_khr_command_buffer"))
			return names[i].version >= since;
	return false;
}

/* An extension function, with us before it. */
static uint64_t wrap(cl_platform_id platform, const char *name, uint64_t function)
{
	const struct call *call = name ? call_find(name) : NULL;
	struct entry *entry = extensions;

	if (call && !strncmp(name, "clCommand", 9) && !has_new_command_buffers(platform))
		call = NULL;

	if (!function || !name)
		return function;
	tap_lock();
	while (entry && (entry->call != call || entry->target != (call_function)function))
		entry = entry->next;
	if (!call)
		tap_unseen(name);
	else if (!entry && (entry = make(call, (call_function)function))) {
		entry->next = extensions;
		extensions = entry;
	}
	tap_unlock();
	return entry ? (uintptr_t)entry->made : function;
}

/* A callback of the program, called when results of commands have been read. */
struct callback {
	void(CL_CALLBACK *function)(cl_event event, cl_int status, void *data);
	void *data;
};

static void CL_CALLBACK on_event(cl_event event, cl_int status, void *data)
{
	struct callback callback = *(struct callback *)data;

	free(data);
	if (tap_is_on()) {
		tap_lock();
		tap_pending_poll();
		tap_unlock();
	}
	callback.function(event, status, callback.data);
}

static void stand_before_callback(uint64_t *words)
{
	struct callback *callback = words[2] ? malloc(sizeof *callback) : NULL;

	if (!callback)
		return;
	memcpy(&callback->function, &words[2], sizeof callback->function);
	callback->data = (void *)(uintptr_t)words[3];
	words[2] = (uintptr_t)on_event;
	words[3] = (uintptr_t)callback;
}

/* Whether the program itself asked for times of that event's queue. */
static bool times_were_asked(cl_event event)
{
	cl_command_queue queue = NULL;

	target_table->clGetEventInfo(event, CL_EVENT_COMMAND_QUEUE, sizeof queue, &queue, NULL);
	return !queue || tap_has_times(queue);
}

/* Calls that are not recorded, but that must not show that we are here. */
static void pass(struct entry *entry, uint64_t *words, uint64_t *result)
{
	const char *name = entry->call->name;
	cl_queue_properties *answer = (void *)(uintptr_t)words[3];

	if (!strcmp(name, "clSetEventCallback"))
		stand_before_callback(words);
	if (!strcmp(name, "clGetEventProfilingInfo") && tap_wishes.times &&
		!times_were_asked((cl_event)(uintptr_t)words[0])) {
		*result = (uint64_t)CL_PROFILING_INFO_NOT_AVAILABLE;
		return;
	}
	*result = call_invoke(&entry->frame, entry->call, entry->target, words);
	if (!strcmp(name, "clGetExtensionFunctionAddressForPlatform"))
		*result = wrap((cl_platform_id)(uintptr_t)words[0],
			(const char *)(uintptr_t)words[1], *result);
	if (!strcmp(name, "clGetExtensionFunctionAddress"))
		*result = wrap(NULL, (const char *)(uintptr_t)words[0], *result);
	if (!strcmp(name, "clGetCommandQueueInfo") && tap_wishes.times && answer &&
		(uint32_t)words[1] == CL_QUEUE_PROPERTIES && !(cl_int)*result &&
		!tap_has_times((cl_command_queue)(uintptr_t)words[0]))
		*answer &= ~(cl_queue_properties)CL_QUEUE_PROFILING_ENABLE;
}

static void recorded(struct entry *entry, struct tap_call *call)
{
	tap_lock();
	tap_before(call);
	tap_unlock();
	bool is_ordered = entry->call->kind == CALL_ENQUEUE;
	if (is_ordered)
		pthread_mutex_lock(&order);
	call->record.begin = tap_now();
	call->result = call_invoke(&entry->frame, entry->call, entry->target, call->words);
	if (call->is_blocking) {
		tap_lock();
		tap_entered(call);
		tap_unlock();
		pthread_mutex_unlock(&order);
		tap_wait_blocking(call);
		is_ordered = false;
	}
	call->record.end = tap_now();
	tap_lock();
	tap_after(call);
	tap_unlock();
	if (is_ordered)
		pthread_mutex_unlock(&order);
}

static void on_call(ffi_cif *cif, void *result, void **args, void *data)
{
	struct entry *entry = data;
	struct tap_call call = { .call = entry->call };
	char letter = entry->call->signature[0];

	(void)cif;
	call.n = call_params(call.call, call.params);
	for (unsigned i = 0; i < call.n; i++) {
		if (call_bits(call.params[i].letter) == 32)
			call.words[i] = *(const uint32_t *)args[i];
		else
			memcpy(&call.words[i], args[i], sizeof call.words[i]);
		call.asked[i] = call.words[i];
	}
	if (tap_is_on() && call_is_recorded(call.call)) {
		recorded(entry, &call);
	} else {
		uint64_t begin = tap_now();
		pass(entry, call.words, &call.result);
		if (tap_is_on() && (tap_wishes.times || call.call->kind == CALL_UNKNOWN)) {
			tap_lock();
			tap_passed(call.call, begin, tap_now());
			tap_unlock();
		}
	}
	if (letter == 'i')
		*(ffi_sarg *)result = (cl_int)call.result;
	else if (letter != 'v')
		*(ffi_arg *)result = call.result;
}

/* NULL if there is no memory, or none that may be executed. */
static struct entry *make(const struct call *call, call_function target)
{
	struct entry *entry = calloc(1, sizeof *entry);
	void *code = NULL;

	if (!entry)
		return NULL;
	entry->call = call;
	entry->target = target;
	ffi_closure *closure = ffi_closure_alloc(sizeof *closure, &code);
	if (!closure || !call_frame_init(&entry->frame, call) ||
		ffi_prep_closure_loc(closure, &entry->frame.cif, on_call, entry, code) != FFI_OK) {
		if (closure)
			ffi_closure_free(closure);
		free(entry);
		return NULL;
	}
	memcpy(&entry->made, &code, sizeof code);
	return entry;
}

static bool open_tap(void)
{
	const char *words = util_settings()->layer, *output = util_settings()->layer_output;

	tap_wishes.contents = util_settings_lists(words, "record");
	tap_wishes.buffers = tap_wishes.contents && util_settings_lists(words, "buffers");
	tap_wishes.times = util_settings_lists(words, "times");
	return output && (tap_wishes.contents || tap_wishes.times) && tap_open(output);
}

EXPORT cl_int CL_API_CALL clGetLayerInfo(
	cl_layer_info param_name, size_t param_value_size, void *param_value, size_t *size_ret)
{
	const cl_layer_api_version version = CL_LAYER_API_VERSION_100;
	const char name[] = "ZeroCL";
	bool is_name = param_name == CL_LAYER_NAME;
	size_t size = is_name ? sizeof name : sizeof version;

	if (!is_name && param_name != CL_LAYER_API_VERSION)
		return CL_INVALID_VALUE;
	if (param_value && param_value_size < size)
		return CL_INVALID_VALUE;
	if (param_value)
		memcpy(param_value, is_name ? (const void *)name : &version, size);
	if (size_ret)
		*size_ret = size;
	return CL_SUCCESS;
}

EXPORT cl_int CL_API_CALL clInitLayer(cl_uint num_entries, const cl_icd_dispatch *target_dispatch,
	cl_uint *num_entries_ret, const cl_icd_dispatch **layer_dispatch_ret)
{
	if (!target_dispatch || !num_entries_ret || !layer_dispatch_ret ||
		num_entries > sizeof table / sizeof *table ||
		num_entries < sizeof *target_dispatch / sizeof *table || target_table)
		return CL_INVALID_VALUE;
	tap_next = target_table = target_dispatch;
	memcpy(table, target_dispatch, num_entries * sizeof *table);
	bool is_open = open_tap();
	for (unsigned i = 0; is_open && i < call_count; i++) {
		if (calls[i].slot >= num_entries || !table[calls[i].slot])
			continue;
		call_function target;
		memcpy(&target, &table[calls[i].slot], sizeof target);
		struct entry *entry = make(&calls[i], target);
		if (entry)
			memcpy(&table[calls[i].slot], &entry->made, sizeof entry->made);
	}
	*num_entries_ret = num_entries;
	*layer_dispatch_ret = (const cl_icd_dispatch *)table;
	return CL_SUCCESS;
}

/* What newer versions of Khronos's loader look for. There are no properties that we know. */
EXPORT cl_int CL_API_CALL clInitLayerWithProperties(cl_uint num_entries,
	const cl_icd_dispatch *target_dispatch, cl_uint *num_entries_ret,
	const cl_icd_dispatch **layer_dispatch_ret, const cl_ulong *properties);
EXPORT cl_int CL_API_CALL clInitLayerWithProperties(cl_uint num_entries,
	const cl_icd_dispatch *target_dispatch, cl_uint *num_entries_ret,
	const cl_icd_dispatch **layer_dispatch_ret, const cl_ulong *properties)
{
	(void)properties;
	return clInitLayer(num_entries, target_dispatch, num_entries_ret, layer_dispatch_ret);
}
