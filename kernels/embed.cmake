# SPDX-License-Identifier: MIT
# Run at build time: cmake -D SOURCE=<file.cl> -D SYMBOL=<name> -D OUTPUT=<file.c> -P embed.cmake
# Writes a C file that defines `const char SYMBOL[]`, the file's text with a NUL after it.
file(READ ${SOURCE} bytes HEX)
string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${bytes}")
file(WRITE ${OUTPUT} "extern const char ${SYMBOL}[];\nconst char ${SYMBOL}[] = {\n${bytes}0\n};\n")
