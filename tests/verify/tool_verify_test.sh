#!/bin/bash
# SPDX-License-Identifier: MIT
# tool_verify_test.sh ZEROCL WRONG FAMILY …: `zerocl verify` of the virtual device against itself, by its two
# engines, for each family that Intel's driver serves; and of one that the library WRONG makes wrong: exactly
# what is wrong is found, and a batch that crashes or hangs is an error of its rows while the others go on.
# Each report is validated against verify.schema.json.
set -u
zerocl=$1 wrong=$2
shift 2
schema=$(dirname "$0")/verify.schema.json
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failures=0
export ZEROCL_CACHE_DIR=$folder/cache
unset ZEROCL_DEVICE ZEROCL_VGPU

fail() {
	echo "$*"
	failures=$((failures + 1))
}

# verify STATUS NAME [OPTION …]: runs it, with the report and the output in files of that name.
verify() {
	local expected=$1 name=$2 got
	shift 2
	"$zerocl" verify --device vgpu --output "$folder/$name.json" "$@" >"$folder/$name" 2>&1
	got=$?
	[ $got = "$expected" ] || fail "$name: status $got, not $expected: $(tail -n 5 "$folder/$name")"
	python3 - "$folder/$name.json" "$schema" <<-'END' || fail "$name: the report is not as its schema says"
	import json, sys
	report = json.load(open(sys.argv[1]))
	try:
	    import jsonschema
	except ImportError:
	    print("skipped: no python3-jsonschema: the report is not validated")
	else:
	    jsonschema.validate(report, json.load(open(sys.argv[2])))
	END
}

# rows NAME EXPRESSION: of how many rows v of a report, the one of number i, an expression of Python is true.
rows() {
	python3 -c 'import json, sys
vectors = json.load(open(sys.argv[1]))["vectors"]
print(sum(1 for i, v in enumerate(vectors) if eval("(" + sys.argv[2] + ")")))' "$folder/$1.json" "$2"
}

# both NAME WANT EXPRESSION
both() {
	local got
	got=$(rows "$1" "$3")
	[ "$got" = "$2" ] || fail "$1: $got rows, not $2, with: $3"
}

declare -A has_table
for family in skl icl tgllp dg2; do
	case " $* " in
	*" $family "*) ;;
	*)
		echo "skipped: the compiler does not know $family"
		continue
		;;
	esac
	export ZEROCL_VGPU=$family
	if "$zerocl" verify --device vgpu --only r40.0 2>&1 | grep -q 'makes no binding table'; then
		echo "skipped: the compiler makes no binding table for $family"
		continue
	fi
	has_table[$family]=1
	only=(--only '') # all vectors, and not the demonstration, which takes longer
	[ $family != tgllp ] || only=()
	verify 0 $family "${only[@]}"
	n=$(rows $family True)
	[ "$n" -ge 1500 ] || fail "$family: only $n vectors"
	grep -qx "verify: $n of $n vectors agree, .*" "$folder/$family" || fail "$(cat "$folder/$family")"
	[ $family != tgllp ] || grep -qE '^demo: ([0-9]+) of \1 checks passed$' "$folder/$family" ||
		fail "$(cat "$folder/$family")"
	both $family 0 'v["differences"] or "error" in v'

	# An asr that shifts zeros in: of those vectors all differ, and no other does. (In words, the zeros
	# come from beyond, and a shift by 5 shows none.)
	asr=$(rows $family 'v["name"] == "asr" and "0x5:w" not in v["text"]')
	[ "$asr" -ge 10 ] || fail "$family: $asr vectors with asr"
	LD_PRELOAD=$wrong VERIFY_WRONG=asr verify 1 wrong --only 'r40.0<'
	both wrong "$asr" 'v["name"] == "asr" and v["differences"]'
	both wrong 0 'v["name"] != "asr" and v["differences"]'
	# What is shown is what the instruction is: the sign is lost.
	both wrong "$asr" 'v["name"] == "asr" and v["differences"] and v["shown"][0]["inputs"] and
all(s["where"] == "byte" or s["got"][0] in "01234567" for s in v["shown"])'
	[ "$(grep -c '^differs  .*asr (' "$folder/wrong")" = "$asr" ] || fail "$family: $(cat "$folder/wrong")"

	# Branches that let all channels pass: of the programs that have them all differ, and no other.
	for branch in if while goto; do
		text=after
		[ $branch != while ] || text=top
		LD_PRELOAD=$wrong VERIFY_WRONG=$branch verify 1 $branch --only $text
		both $branch "$(rows $family "' $branch (' in v['text']")" \
			"' $branch (' in v['text'] and v['differences']"
		both $branch 0 "' $branch (' not in v['text'] and v['differences']"
	done
done
if [ -n "${has_table[dg2]:-}" ]; then
	LD_PRELOAD=$wrong VERIFY_WRONG=dpas verify 1 dpas --only dpas
	both dpas 76 True
	both dpas 72 'v["differences"]'
fi

# Samplers that repeat for mirroring: the vectors that mirror, and no other.
export ZEROCL_VGPU=tgllp
mirror='"mirrored_repeat" in v["text"]'
n=$(rows tgllp "$mirror")
[ "$n" -ge 50 ] || fail "$n vectors that mirror"
LD_PRELOAD=$wrong VERIFY_WRONG=mirror verify 1 mirror --only _image
both mirror "$n" "$mirror and v['differences'] and len(v['shown'][0]['inputs']) == (3 if ' 3d ' in v['text'] or ' 2d_array ' in v['text'] else 1 if ' 1d ' in v['text'] else 2)"
both mirror 0 "not $mirror and v['differences']"

# A bit of memory, of the first vector of a batch, where that reaches memory and not an image.
LD_PRELOAD=$wrong VERIFY_WRONG=memory verify 1 memory --only send
n=$(rows memory 'i % 48 == 0 and v["name"].split()[0] not in ("typed", "media")')
[ "$n" -ge 15 ] || fail "$n batches that begin with memory"
both memory "$n" 'i % 48 == 0 and v["differences"] == 1 and v["shown"][0]["where"] == "memory" and
v["shown"][0]["at"] == 0 and v["shown"][0]["group"] == 0 and
int(v["shown"][0]["expected"], 16) ^ int(v["shown"][0]["got"], 16) == 1'
both memory 0 'i % 48 and v["differences"]'

LD_PRELOAD=$wrong VERIFY_WRONG=crash verify 1 crash --only 'r40.0<'
both crash 0 'v["name"] == "asr" and "signal 6" not in v.get("error", "")'
both crash 0 'v["differences"]'
n=$(rows crash '"error" in v')
[ "$n" -ge 16 ] && [ "$n" -le 96 ] || fail "crash: $n rows with errors"
LD_PRELOAD=$wrong VERIFY_WRONG=hang verify 1 hang --only as
both hang 0 'v["name"] == "asr" and "no answer" not in v.get("error", "")'
both hang 0 'v["differences"]'

# Atomics on texels that subtract where they should add: these vectors, and no other.
case " $* " in
*" skl "*)
	export ZEROCL_VGPU=skl
	is_sum='v["name"] == "typed atomic" and int(v["text"].split()[-1], 16) >> 8 & 15 == 7'
	LD_PRELOAD=$wrong VERIFY_WRONG=typed verify 1 typed --only atomic
	n=$(rows typed "$is_sum")
	[ "$n" -ge 7 ] || fail "$n vectors that add to texels"
	both typed "$n" "$is_sum and v['differences']"
	both typed 0 "not ($is_sum) and v['differences']"
	both typed "$n" "$is_sum and any(s['where'] == 'memory' for s in v['shown'])"
	;;
esac

# What is refused, and a machine without a GPU.
"$zerocl" verify --device x >/dev/null 2>&1
[ $? = 2 ] || fail "a device that is no number"
"$zerocl" verify more >/dev/null 2>&1
[ $? = 2 ] || fail "an argument that is none"
"$zerocl" verify --device vgpu --only 'nothing like it' >"$folder/none" 2>&1
[ $? = 1 ] && grep -q 'no vector has "nothing like it"' "$folder/none" || fail "no vector: $(cat "$folder/none")"
if ! compgen -G '/dev/dri/renderD*' >/dev/null; then
	"$zerocl" verify >"$folder/none" 2>&1
	[ $? = 1 ] && grep -q "zerocl verify: .*" "$folder/none" || fail "without a GPU: $(cat "$folder/none")"
fi
[ $failures = 0 ]
