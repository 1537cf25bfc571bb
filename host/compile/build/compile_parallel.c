// SPDX-License-Identifier: MIT
#include "compile/build/compile_parallel.h"

#include "compile/base/compile_options.h"
#include "compile/build/compile_helper.h"
#include "compile/build/helper_build.h"
#include "compile/zebin/zebin_merge.h"
#include "compile/spirv/spirv_split.h"
#include "util/util_log.h"
#include "util/util_thread.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* What each part has at least, bytes of SPIR-V. */
#define MIN_SIZE_OF_PART (4u * 1024)

struct job {
	struct compile_request request;
	struct compile_result result;
	int64_t deadline_ms;
	pthread_t thread;
	bool has_thread;
};

/* Intel's own options may concern the program as a whole; debug information does. */
static bool is_splittable(const struct compile_request *request)
{
	static const char *const whole[] = { "-g", "-cl-intel-", "-ze-", "-s" };

	for (size_t i = 0; i < sizeof(whole) / sizeof(*whole); i++)
		if (compile_options_have(request->options, whole[i]))
			return false;
	return !(request->outputs & COMPILE_TOKENS);
}

static void *run(void *data)
{
	struct job *job = data;

	helper_build(&job->request, job->deadline_ms, &job->result);
	return NULL;
}

/* The first one here, the others on threads that no signal reaches. */
static void run_all(struct job *jobs, size_t n)
{
	for (size_t i = 1; i < n; i++)
		jobs[i].has_thread = !util_thread_make(run, &jobs[i], &jobs[i].thread);
	for (size_t i = 0; i < n; i++)
		if (!jobs[i].has_thread)
			run(&jobs[i]);
	for (size_t i = 1; i < n; i++)
		if (jobs[i].has_thread)
			pthread_join(jobs[i].thread, NULL);
}

/* The native code of the module, made in parts; false: it has to be made as one. */
static bool build_parts(const struct compile_request *whole, int64_t deadline_ms, size_t n,
	struct compile_result *result)
{
	struct compile_module modules[SPIRV_SPLIT_MAX];
	struct zebin_bytes natives[SPIRV_SPLIT_MAX];
	struct job jobs[SPIRV_SPLIT_MAX] = { 0 };
	bool ok = true;

	n = spirv_split(whole->spirv, whole->spirv_size, n, modules);
	for (size_t i = 0; i < n; i++) {
		jobs[i].request = *whole;
		jobs[i].request.spirv = modules[i].spirv;
		jobs[i].request.spirv_size = modules[i].size;
		jobs[i].deadline_ms = deadline_ms;
	}
	if (n)
		run_all(jobs, n);
	for (size_t i = 0; i < n; i++) {
		const struct compile_result *part = &jobs[i].result;

		/* A message of the compiler is to be about the whole program. */
		ok = ok && part->status == COMPILE_OK && !*part->log;
		natives[i] = (struct zebin_bytes){ part->native, part->native_size };
	}
	if (n && ok)
		result->native = zebin_merge(natives, n, &result->native_size);
	for (size_t i = 0; i < n; i++) {
		compile_result_finish(&jobs[i].result);
		free((void *)(uintptr_t)modules[i].spirv);
	}
	if (n)
		util_log(UTIL_LOG_DEBUG, "compile", "%zu parts side by side: %s", n,
			result->native ? "joined" : "to be built as one");
	return result->native;
}

static size_t count_parts(size_t size)
{
	const size_t room = compile_helper_room();
	size_t most = size / MIN_SIZE_OF_PART;

	if (most > SPIRV_SPLIT_MAX)
		most = SPIRV_SPLIT_MAX;
	return most < room ? most : room;
}

void compile_parallel(
	const struct compile_request *request, int64_t deadline_ms, struct compile_result *result)
{
	const size_t n = is_splittable(request) ? count_parts(request->spirv_size) : 0;

	compile_result_finish(result);
	if (n >= 2 && build_parts(request, deadline_ms, n, result)) {
		result->log = strdup("");
		result->status = result->log ? COMPILE_OK : COMPILE_NO_MEMORY;
	} else {
		helper_build(request, deadline_ms, result);
	}
}
