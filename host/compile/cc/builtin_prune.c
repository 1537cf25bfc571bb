// SPDX-License-Identifier: MIT
#include "compile/cc/builtin_prune.h"
#include "compile/cc/builtin_prune_subset.h"
#include "compile/cache/compile_cache.h"
#include "compile/cache/compile_cache_folder.h"
#include "compile/cache/compiler_fingerprint.h"
#include "compile/cc/cc_import.h"
#include "util/util_log.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

/* llvm::MemoryBufferRef. */
struct buffer {
	const char *data;
	size_t size;
	const char *name;
	size_t name_size;
};

/* llvm::Expected<std::unique_ptr<llvm::Module>>. */
struct expected {
	void *module;
	unsigned char has_error;
};

/* Functions of LLVM that the back end calls. `result` is where C++ returns what it returns. */
typedef void *(*lazy_fn)(
	struct expected *result, struct buffer code, void *context, bool lazy, bool is_importing);
typedef void *(*find_fn)(void *module, const char *name, size_t size);

static lazy_fn original_lazy;
static find_fn original_find;
static struct compile_llvm llvm;
static unsigned char compiler[COMPILE_HASH_SIZE]; /* its identity */

/* A module with fewer functions than that is quick to read. */
#define MIN_CODE ((size_t)1 << 20)

/* Programs that name more functions are built in the stock way. */
#define MAX_NEEDED 4096

static struct compile_bif_subset subsets[COMPILE_BIF_SUBSETS];
static bool is_looked_for; /* in the cache, for subsets */
static char *wanted;	   /* the module that subsets are to be made of */
static size_t wanted_size;
static pid_t maker;

/* Of this build. */
static bool is_stock;			       /* it is to be one */
static const struct compile_bif_subset *taken; /* by the back end */
static void *taken_module;
static bool is_missed;		    /* a function that `taken` lacks */
static uint64_t needed[MAX_NEEDED]; /* functions that the program may call */
static size_t n_needed;

static struct compile_cache_key subset_key(unsigned number, size_t whole_size)
{
	struct compile_cache_key key = { .is_bound = false };
	const char *name = compile_bif_subset_name(number);
	struct compile_hash hash;

	compile_hash_start(&hash);
	compile_hash_piece(&hash, "functions-2", 11);
	compile_hash_piece(&hash, compiler, sizeof compiler);
	compile_hash_piece(&hash, name, strlen(name));
	compile_hash_piece(&hash, &whole_size, sizeof whole_size);
	compile_hash_end(&hash, key.bytes);
	return key;
}

static bool load_subset(unsigned number, size_t whole_size)
{
	const struct compile_cache_key key = subset_key(number, whole_size);
	struct compile_result kept = { 0 };

	if (!compile_cache_load_shipped(&key, &kept) && !compile_cache_load(&key, &kept))
		return false;
	free(kept.log);
	subsets[number] = (struct compile_bif_subset){ .code = kept.native,
		.size = kept.native_size,
		.dropped = kept.spirv,
		.n_dropped = kept.spirv_size / sizeof(uint64_t) };
	return kept.native && kept.spirv;
}

static void store_subset(unsigned number, size_t whole_size)
{
	const struct compile_bif_subset *subset = &subsets[number];
	const struct compile_cache_key key = subset_key(number, whole_size);
	const struct compile_request request = {
		.family = "functions", .source = "", .options = compile_bif_subset_name(number)
	};
	char log[] = "";
	const struct compile_result result = { .status = COMPILE_OK,
		.log = log,
		.spirv = subset->dropped,
		.spirv_size = subset->n_dropped * sizeof *subset->dropped,
		.native = subset->code,
		.native_size = subset->size };

	compile_cache_store(&key, &request, &result);
}

static void make_ready(const struct buffer *code)
{
	bool any_missing = false;

	if (is_looked_for)
		return;
	is_looked_for = true;
	for (unsigned i = 0; i < COMPILE_BIF_SUBSETS; i++)
		any_missing |= !load_subset(i, code->size);
	if (any_missing && !wanted && (wanted = malloc(code->size))) {
		memcpy(wanted, code->data, code->size);
		wanted_size = code->size;
	}
}

/* The smallest one that has what the program needs; NULL: none has. */
static const struct compile_bif_subset *choose(void)
{
	for (unsigned i = 0; n_needed < MAX_NEEDED && i < COMPILE_BIF_SUBSETS; i++) {
		bool has_all = subsets[i].code;

		for (size_t k = 0; has_all && k < n_needed; k++)
			has_all = !compile_bif_lacks(&subsets[i], needed[k]);
		if (has_all)
			return &subsets[i];
	}
	return NULL;
}

/* In place of llvm::getLazyBitcodeModule. */
static void *read_code(
	struct expected *result, struct buffer code, void *context, bool lazy, bool is_importing)
{
	const struct compile_bif_subset *subset = NULL;

	if (code.size >= MIN_CODE && !is_stock && !taken) {
		make_ready(&code);
		subset = choose();
	}
	if (subset) {
		code.data = subset->code;
		code.size = subset->size;
		util_log(UTIL_LOG_DEBUG, "compile", "back end: %zu functions left out",
			subset->n_dropped);
	}
	void *answer = original_lazy(result, code, context, lazy, is_importing);
	const bool has_failed = result->has_error & 1;
	if (subset) {
		taken = subset;
		taken_module = has_failed ? NULL : result->module;
		is_missed |= has_failed;
	} else if (!has_failed && result->module == taken_module) {
		/* The other one is gone, and this one is in its place. */
		taken_module = NULL;
	}
	return answer;
}

/*
 * In place of llvm::Module::getFunction. Before the module of built-in functions is read, that is
 * how the functions which the program calls are declared.
 */
static void *find_function(void *module, const char *name, size_t size)
{
	void *found = original_find(module, name, size);

	if (!found && !taken && n_needed < MAX_NEEDED)
		needed[n_needed++] = compile_bif_hash(name, size);
	if (!found && module == taken_module && taken &&
		compile_bif_lacks(taken, compile_bif_hash(name, size))) {
		util_log(UTIL_LOG_DEBUG, "compile", "back end: %.*s was left out", (int)size, name);
		is_missed = true;
	}
	return found;
}

static bool replace(void *handle, const char *name, void *original, void *function)
{
	void *address = dlsym(handle, name);

	memcpy(original, &address, sizeof address);
	return address && compile_import_replace(handle, name, function);
}

bool compile_bif_install(void *handle)
{
	static const char lazy_name[] =
		"_ZN4llvm20getLazyBitcodeModuleENS_15MemoryBufferRefERNS_11LLVMContextEbb";
	static const char find_name[] = "_ZNK4llvm6Module11getFunctionENS_9StringRefE";
	const char *asked = getenv("ZEROCL_FRONTEND");
	lazy_fn lazy = read_code;
	find_fn find = find_function;
	struct compile_hash hash;

	if (asked && !strcmp(asked, "stock"))
		return false;
	if (!compile_llvm_load(handle, &llvm)) {
		util_log(UTIL_LOG_DEBUG, "compile",
			"back end: taken as it is, its LLVM cannot be reached");
		return false;
	}
	char *identity = compile_identity_make();
	if (!identity)
		return false;
	compile_hash_start(&hash);
	compile_identity_hash(identity, &hash);
	compile_hash_end(&hash, compiler);
	free(identity);
	/* The last one does it: without it the others change nothing. */
	return replace(handle, find_name, &original_find, *(void **)&find) &&
	       replace(handle, lazy_name, &original_lazy, *(void **)&lazy);
}

void compile_bif_begin(bool stock)
{
	is_stock = stock;
	taken = NULL;
	taken_module = NULL;
	is_missed = false;
	n_needed = 0;
	/* Other children are processes like this one, which nobody waits for. */
	for (pid_t child; (child = waitpid(-1, NULL, WNOHANG)) > 0;)
		if (child == maker)
			compile_bif_forget();
}

bool compile_bif_is_doubtful(bool has_failed)
{
	/* The module in memory at that address may be any from now on. */
	taken_module = NULL;
	return taken && (is_missed || has_failed);
}

static void make_and_store(void)
{
	for (unsigned i = 0; i < COMPILE_BIF_SUBSETS; i++)
		subsets[i] = (struct compile_bif_subset){ NULL, 0, NULL, 0 };
	if (!compile_bif_make(&llvm, wanted, wanted_size, subsets))
		return;
	for (unsigned i = 0; i < COMPILE_BIF_SUBSETS; i++)
		store_subset(i, wanted_size);
}

void compile_bif_prepare(int channel)
{
	/* Of processor time; it takes two seconds. */
	const struct itimerval limit = { .it_value = { .tv_sec = 60 } };
	char path[PATH_MAX];
	int folder = wanted ? compile_cache_open(false, path, sizeof path) : -1;

	if (folder >= 0) {
		close(folder);
		maker = fork();
		if (maker == 0) {
			/* For the application, the other process is the one that ends. */
			close(channel);
			dup2(STDIN_FILENO, STDOUT_FILENO);
			dup2(STDIN_FILENO, STDERR_FILENO);
			for (int number = 1; number < 32; number++)
				signal(number, SIG_DFL);
			setitimer(ITIMER_PROF, &limit, NULL);
			if (channel >= 0)
				nice(10);
			make_and_store();
			_exit(0);
		}
	}
	free(wanted);
	wanted = NULL;
}

void compile_bif_wait(void)
{
	while (maker > 0 && waitpid(maker, NULL, 0) < 0 && errno == EINTR)
		;
	compile_bif_forget();
}

void compile_bif_forget(void)
{
	/* What it makes may be there by now. */
	is_looked_for &= maker <= 0;
	maker = 0;
}
