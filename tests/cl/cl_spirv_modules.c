// SPDX-License-Identifier: MIT
#include "cl/cl_spirv_modules.h"

#include "cl/cl_case.h"

#include <stdio.h>

#define GLOBAL_ID "__spirv_BuiltInGlobalInvocationId"

static const char format[] = "OpCapability Addresses\n"
			     "OpCapability Kernel\n"
			     "OpCapability Linkage\n"
			     "OpCapability Int64\n"
			     "%s"
			     "%%std = OpExtInstImport \"OpenCL.std\"\n"
			     "OpMemoryModel Physical64 OpenCL\n"
			     "OpEntryPoint Kernel %%k \"%s\" %%gid\n"
			     "%s"
			     "OpSource OpenCL_C 200000\n"
			     "OpDecorate %%gid BuiltIn GlobalInvocationId\n"
			     "OpDecorate %%gid Constant\n"
			     "OpDecorate %%gid LinkageAttributes \"" GLOBAL_ID "\" Import\n"
			     "%s"
			     "%%void = OpTypeVoid\n"
			     "%%uint = OpTypeInt 32 0\n"
			     "%%ulong = OpTypeInt 64 0\n"
			     "%%ulong3 = OpTypeVector %%ulong 3\n"
			     "%%pi = OpTypePointer Input %%ulong3\n"
			     "%%pg = OpTypePointer CrossWorkgroup %%uint\n"
			     "%%c1 = OpConstant %%uint 1\n"
			     "%%c5 = OpConstant %%uint 5\n"
			     "%%gid = OpVariable %%pi Input\n"
			     "%%kt = OpTypeFunction %%void %%pg\n"
			     "%%ut = OpTypeFunction %%uint %%uint\n"
			     "%s%s"
			     "%%k = OpFunction %%void None %%kt\n"
			     "%%o = OpFunctionParameter %%pg\n"
			     "%%start = OpLabel\n"
			     "%%g = OpLoad %%ulong3 %%gid Aligned 32\n"
			     "%%i = OpCompositeExtract %%ulong %%g 0\n"
			     "%%p = OpInBoundsPtrAccessChain %%pg %%o %%i\n"
			     "%%x = OpLoad %%uint %%p Aligned 4\n"
			     "%s"
			     "OpStore %%p %%y Aligned 4\n"
			     "OpReturn\n"
			     "OpFunctionEnd\n";

const char *spirv_join(const struct spirv_parts *parts)
{
	static char text[8192];
	int length = snprintf(text, sizeof text, format, parts->needs, parts->kernel,
		parts->strings, parts->decorations, parts->types, parts->functions, parts->body);

	assert_true(length < (int)sizeof text);
	return text;
}

const struct spirv_parts spirv_expect_assume = {
	.kernel = "k",
	.needs = "OpCapability ExpectAssumeKHR\n"
		 "OpExtension \"SPV_KHR_expect_assume\"\n",
	.strings = "",
	.decorations = "",
	.types = "%bool = OpTypeBool\n"
		 "%c100 = OpConstant %uint 100\n",
	.functions = "",
	.body = "%less = OpULessThan %bool %x %c100\n"
		"OpAssumeTrueKHR %less\n"
		"%e = OpExpectKHR %uint %x %c5\n"
		"%y = OpIAdd %uint %e %c1\n",
};

const struct spirv_parts spirv_unknown = {
	.kernel = "k",
	.needs = "",
	.strings = "",
	.decorations = "OpDecorate %y !6999\n",
	.types = "",
	.functions = "",
	.body = "%y = OpIAdd %uint %x %c5\n",
};

/* A type is added. */
const struct spirv_parts spirv_invalid = {
	.kernel = "k",
	.needs = "",
	.strings = "",
	.decorations = "",
	.types = "",
	.functions = "",
	.body = "%y = OpIAdd %uint %x %uint\n",
};

/* The validator of Debian 12 wants the extension's name, and scopes in functions only. */
const struct spirv_parts spirv_doubtful = {
	.kernel = "k",
	.needs = "OpCapability SubgroupShuffleINTEL\n"
		 "OpCapability MemoryAccessAliasingINTEL\n"
		 "OpExtension \"SPV_INTEL_memory_access_aliasing\"\n",
	.strings = "",
	.decorations = "",
	.types = "%domain = OpAliasDomainDeclINTEL\n"
		 "%scope = OpAliasScopeDeclINTEL %domain\n"
		 "%scopes = OpAliasScopeListDeclINTEL %scope\n",
	.functions = "",
	.body = "%y = OpIAdd %uint %x %c5\n",
};

#define ONCE(name, linkage, inside)                                                                \
	{                                                                                          \
		.kernel = name, .needs = "OpExtension \"SPV_KHR_linkonce_odr\"\n", .strings = "",  \
		.decorations = "OpDecorate %helper LinkageAttributes \"helper\" " linkage "\n",    \
		.types = "",                                                                       \
		.functions = "%helper = OpFunction %uint None %ut\n"                               \
			     "%in = OpFunctionParameter %uint\n" inside "OpFunctionEnd\n",         \
		.body = "%y = OpFunctionCall %uint %helper %x\n"                                   \
	}
#define TIMES_5                                                                                    \
	"%first = OpLabel\n"                                                                       \
	"%times5 = OpIMul %uint %in %c5\n"                                                         \
	"OpReturnValue %times5\n"

const struct spirv_parts spirv_once_k = ONCE("k", "LinkOnceODR", TIMES_5);
const struct spirv_parts spirv_once_k2 = ONCE("k2", "LinkOnceODR", TIMES_5);
const struct spirv_parts spirv_import_k3 = ONCE("k3", "Import", "");

const struct spirv_parts spirv_no_wrap = {
	.kernel = "k",
	.needs = "OpExtension \"SPV_KHR_no_integer_wrap_decoration\"\n",
	.strings = "",
	.decorations = "OpDecorate %y NoUnsignedWrap\n"
		       "OpDecorate %y NoSignedWrap\n",
	.types = "",
	.functions = "",
	.body = "%y = OpIAdd %uint %x %c5\n",
};

#define DEBUG "OpExtInst %void %debug Debug"

const struct spirv_parts spirv_debug_info = {
	.kernel = "k",
	.needs = "%debug = OpExtInstImport \"OpenCL.DebugInfo.100\"\n",
	.strings = "%file = OpString \"file.cl\"\n"
		   "%name = OpString \"k\"\n"
		   "%x_name = OpString \"x\"\n"
		   "%uint_name = OpString \"uint\"\n"
		   "%nothing = OpString \"\"\n",
	.decorations = "",
	.types = "%c32 = OpConstant %uint 32\n"
		 "%source = " DEBUG "Source %file\n"
		 "%unit = " DEBUG "CompilationUnit 65536 4 %source OpenCL_C\n"
		 "%uint_is = " DEBUG "TypeBasic %uint_name %c32 Unsigned\n"
		 "%k_type = " DEBUG "TypeFunction FlagIsProtected|FlagIsPrivate %void %uint_is\n"
		 "%k_is = " DEBUG "Function %name %k_type %source 1 1 %unit %nothing "
		 "FlagIsDefinition 1 %k\n"
		 "%x_is = " DEBUG "LocalVariable %x_name %uint_is %source 2 3 %k_is FlagIsLocal\n"
		 "%plain = " DEBUG "Expression\n",
	.functions = "",
	.body = "%scope = " DEBUG "Scope %k_is\n"
		"OpLine %file 3 4\n"
		"%value = " DEBUG "Value %x_is %x %plain\n"
		"%y = OpIAdd %uint %x %c5\n",
};

const char spirv_media_block[] = "OpCapability Addresses\n"
				 "OpCapability Kernel\n"
				 "OpCapability ImageBasic\n"
				 "OpCapability SubgroupDispatch\n"
				 "OpCapability SubgroupImageMediaBlockIOINTEL\n"
				 "OpExtension \"SPV_INTEL_media_block_io\"\n"
				 "OpMemoryModel Physical64 OpenCL\n"
				 "OpEntryPoint Kernel %k \"k\"\n"
				 "OpExecutionMode %k SubgroupSize 16\n"
				 "OpSource OpenCL_C 200000\n"
				 "%uint = OpTypeInt 32 0\n"
				 "%c2 = OpConstant %uint 2\n"
				 "%c4 = OpConstant %uint 4\n"
				 "%c1 = OpConstant %uint 1\n"
				 "%c8 = OpConstant %uint 8\n"
				 "%c5 = OpConstant %uint 5\n"
				 "%void = OpTypeVoid\n"
				 "%read = OpTypeImage %void 2D 0 0 0 0 Unknown ReadOnly\n"
				 "%write = OpTypeImage %void 2D 0 0 0 0 Unknown WriteOnly\n"
				 "%kt = OpTypeFunction %void %read %write\n"
				 "%uint2 = OpTypeVector %uint 2\n"
				 "%there = OpConstantComposite %uint2 %c4 %c1\n"
				 "%fives = OpConstantComposite %uint2 %c5 %c5\n"
				 "%here = OpConstantComposite %uint2 %c8 %c2\n"
				 "%k = OpFunction %void None %kt\n"
				 "%from = OpFunctionParameter %read\n"
				 "%to = OpFunctionParameter %write\n"
				 "%start = OpLabel\n"
				 "%x = OpSubgroupImageMediaBlockReadINTEL %uint2 %from %there %c8 "
				 "%c4\n"
				 "%y = OpIAdd %uint2 %x %fives\n"
				 "OpSubgroupImageMediaBlockWriteINTEL %to %here %c8 %c4 %y\n"
				 "OpReturn\n"
				 "OpFunctionEnd\n";

const char spirv_image_buffer[] = "OpCapability Addresses\n"
				  "OpCapability Kernel\n"
				  "OpCapability ImageBasic\n"
				  "OpCapability SampledBuffer\n"
				  "OpMemoryModel Physical64 OpenCL\n"
				  "OpEntryPoint Kernel %k \"k\"\n"
				  "%void = OpTypeVoid\n"
				  "%uint = OpTypeInt 32 0\n"
				  "%uint4 = OpTypeVector %uint 4\n"
				  "%image = OpTypeImage %void Buffer 0 0 0 0 Unknown ReadOnly\n"
				  "%pg = OpTypePointer CrossWorkgroup %uint\n"
				  "%kt = OpTypeFunction %void %image %pg %uint\n"
				  "%c1 = OpConstant %uint 1\n"
				  "%k = OpFunction %void None %kt\n"
				  "%in = OpFunctionParameter %image\n"
				  "%o = OpFunctionParameter %pg\n"
				  "%x = OpFunctionParameter %uint\n"
				  "%start = OpLabel\n"
				  "%pixel = OpImageRead %uint4 %in %x\n"
				  "%red = OpCompositeExtract %uint %pixel 0\n"
				  "OpStore %o %red Aligned 4\n"
				  "%size = OpImageQuerySize %uint %in\n"
				  "%p = OpInBoundsPtrAccessChain %pg %o %c1\n"
				  "OpStore %p %size Aligned 4\n"
				  "OpReturn\n"
				  "OpFunctionEnd\n";

const char spirv_put[] = "OpCapability Addresses\n"
			 "OpCapability Linkage\n"
			 "OpCapability Kernel\n"
			 "OpCapability Int64\n"
			 "%std = OpExtInstImport \"OpenCL.std\"\n"
			 "OpMemoryModel Physical64 OpenCL\n"
			 "OpEntryPoint Kernel %k \"put\" %gid\n"
			 "OpDecorate %gid LinkageAttributes \"" GLOBAL_ID "\" Import\n"
			 "OpDecorate %gid Constant\n"
			 "OpDecorate %gid BuiltIn GlobalInvocationId\n"
			 "OpDecorate %put LinkageAttributes \"put\" Export\n"
			 "%ulong = OpTypeInt 64 0\n"
			 "%uint = OpTypeInt 32 0\n"
			 "%ulong3 = OpTypeVector %ulong 3\n"
			 "%pi = OpTypePointer Input %ulong3\n"
			 "%void = OpTypeVoid\n"
			 "%pg = OpTypePointer CrossWorkgroup %uint\n"
			 "%kt = OpTypeFunction %void %pg %uint\n"
			 "%gid = OpVariable %pi Input\n"
			 "%put = OpFunction %void None %kt\n"
			 "%o = OpFunctionParameter %pg\n"
			 "%v = OpFunctionParameter %uint\n"
			 "%first = OpLabel\n"
			 "%g = OpLoad %ulong3 %gid Aligned 32\n"
			 "%i = OpCompositeExtract %ulong %g 0\n"
			 "%p = OpInBoundsPtrAccessChain %pg %o %i\n"
			 "OpStore %p %v Aligned 4\n"
			 "OpReturn\n"
			 "OpFunctionEnd\n"
			 "%k = OpFunction %void None %kt\n"
			 "%ko = OpFunctionParameter %pg\n"
			 "%kv = OpFunctionParameter %uint\n"
			 "%start = OpLabel\n"
			 "%done = OpFunctionCall %void %put %ko %kv\n"
			 "OpReturn\n"
			 "OpFunctionEnd\n";
