# SPDX-License-Identifier: MIT
"""
Random OpenCL C without undefined behaviour: whatever compiler and device, each work-item writes the same bits.

A program is a tree: functions of statements of expressions. render() gives its text, and smaller() the
programs that lack a part of it, for the reducer. Types are pairs of a base and a width.
"""
import random

BASES = ("char", "uchar", "short", "ushort", "int", "uint", "long", "ulong")
SIZE = {"char": 1, "uchar": 1, "short": 2, "ushort": 2, "int": 4, "uint": 4, "long": 8, "ulong": 8}
WIDTHS = (1,) * 9 + (2, 2, 3, 3, 4, 4, 8, 16)
ITEMS = 96  # of each launch
INPUTS = 1024  # words that kernels read
ATOMICS = ("add", "xor", "or", "and", "min", "max")

PROLOGUE = """\
#pragma OPENCL FP_CONTRACT OFF
#ifdef WIDTH
#define KERNEL kernel __attribute__((intel_reqd_sub_group_size(WIDTH)))
#else
#define KERNEL kernel
#endif
#define IN(n) in[(id * 37 + (n)) & 1023]
uint bits(float x) { return isnan(x) ? 0x7fc00000u : as_uint(x); }
ulong mix(ulong h, ulong x) { return (h ^ x ^ (x >> 29)) * 0x9e3779b97f4a7c15ul; }
"""


def is_signed(base):
    return base[0] != "u"


def unsigned(base):
    return base if base[0] == "u" else "u" + base


def signed(base):
    return base[1:] if base[0] == "u" else base


def name(t):
    return t[0] if t[1] == 1 else t[0] + str(t[1])


class E:
    """An expression: text and other expressions."""

    __slots__ = ("t", "parts")

    def __init__(self, t, *parts):
        self.t = t
        self.parts = list(parts)

    def text(self):
        return "".join(p if isinstance(p, str) else p.text() for p in self.parts)


class S:
    """A statement: text, expressions and blocks, which are lists of statements."""

    __slots__ = ("parts",)

    def __init__(self, *parts):
        self.parts = list(parts)

    def text(self, indent):
        out = []
        for p in self.parts:
            if isinstance(p, str):
                out.append(p)
            elif isinstance(p, E):
                out.append(p.text())
            else:
                out.append("{\n" + "".join(s.text(indent + "\t") for s in p) + indent + "}")
        return indent + "".join(out) + "\n"


class Function:
    __slots__ = ("head", "declarations", "body", "tail")

    def __init__(self, head, declarations, body, tail):
        self.head, self.declarations, self.body, self.tail = head, declarations, body, tail

    def text(self):
        lines = self.declarations + self.body + self.tail
        return self.head + "\n{\n" + "".join(s.text("\t") for s in lines) + "}\n"


class Program:
    def __init__(self, types, functions, kernels):
        self.types, self.functions, self.kernels = types, functions, kernels

    def text(self):
        return PROLOGUE + "".join(self.types) + "".join(f.text() for f in self.functions + self.kernels)


class Scope:
    """What an expression of a function may name."""

    def __init__(self, writer, random_):
        self.writer, self.random = writer, random_
        self.variables = []  # (text, type), to be read and written
        self.constants = []  # to be read
        self.arrays = []  # (name, base type, length); lengths are powers of two
        self.structs = []  # (name, struct)
        self.names = 0
        self.is_kernel = False

    def new_name(self, start="v"):
        self.names += 1
        return start + str(self.names)


class Writer:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.functions = []  # (name, result type, parameters)
        self.structs = []  # (name, [(field, type, length)])

    # Types

    def some_type(self, width=None):
        r = self.random
        return (r.choice(BASES), r.choice(WIDTHS) if width is None else width)

    def constant(self, base):
        r = self.random
        bits = 8 * SIZE[base]
        value = r.choice((0, 1, 2, 3, 7, 12, 31, r.getrandbits(4), r.getrandbits(bits), (1 << (bits - 1)) - 1,
                          1 << (bits - 1), (1 << bits) - 1))
        value &= (1 << bits) - 1
        suffix = "ul" if bits == 64 else "u"
        return E((base, 1), "((%s)0x%x%s)" % (base, value, suffix))

    # Expressions

    def leaf(self, scope, t):
        r = self.random
        same = [text for text, other in scope.variables + scope.constants if other == t]
        if same and r.random() < 0.7:
            return E(t, r.choice(same))
        if t[1] == 1:
            arrays = [a for a in scope.arrays if a[1] == t]
            if arrays and r.random() < 0.3:
                a = r.choice(arrays)
                return E(t, "%s[(uint)(" % a[0], self.leaf(scope, ("uint", 1)), ") & %d]" % (a[2] - 1))
            others = [v for v in scope.variables + scope.constants if v[1][1] == 1]
            if others and r.random() < 0.7:
                text, other = r.choice(others)
                return E(t, "((%s)" % name(t), E(other, text), ")")
            if scope.is_kernel and r.random() < 0.4:
                return E(t, "((%s)IN(%d))" % (name(t), r.getrandbits(9)))
            return self.constant(t[0])
        others = [v for v in scope.variables if v[1][1] == t[1]]
        if others and r.random() < 0.6:
            text, other = r.choice(others)
            return E(t, "convert_%s(" % name(t), E(other, text), ")")
        if r.random() < 0.5:
            return E(t, "((%s)(" % name(t), self.leaf(scope, (t[0], 1)), "))")
        parts = []
        for i in range(t[1]):
            parts += [", " if i else "", self.leaf(scope, (t[0], 1))]
        return E(t, "((%s)(" % name(t), *parts, "))")

    def expression(self, scope, t, depth):
        if depth <= 0 or self.random.random() < 0.3:
            return self.leaf(scope, t)
        kinds = self.SCALARS if t[1] == 1 else self.VECTORS
        made = self.random.choice(kinds)(self, scope, t, depth - 1)
        return made or self.leaf(scope, t)

    def arithmetic(self, scope, t, depth):
        op = self.random.choice("+-*+-")
        a, b = self.expression(scope, t, depth), self.expression(scope, t, depth)
        base = t[0]
        if t[1] > 1:
            if not is_signed(base):
                return E(t, "(", a, " %s " % op, b, ")")
            u = name((unsigned(base), t[1]))
            return E(t, "as_%s(as_%s(" % (name(t), u), a, ") %s as_%s(" % (op, u), b, "))")
        if SIZE[base] < 4 and op != "*":
            return E(t, "((%s)(" % base, a, " %s " % op, b, "))")
        u = unsigned(base) if SIZE[base] >= 4 else "uint"
        return E(t, "((%s)((%s)" % (base, u), a, " %s (%s)" % (op, u), b, "))")

    def promoted(self, scope, t, depth):
        """int and long of narrower operands, which cannot overflow."""
        if t[0] not in ("int", "long"):
            return None
        r = self.random
        narrow = [b for b in BASES if 2 * SIZE[b] <= SIZE[t[0]] and SIZE[b] <= 2 or (t[0] == "long" and b == "int")]
        a = self.expression(scope, (r.choice(narrow), 1), depth)
        b = self.expression(scope, (r.choice(narrow), 1), depth)
        op = r.choice("+-" if t[0] == "int" else "+-*")
        return E(t, "((%s)" % t[0], a, " %s (%s)" % (op, t[0]), b, ")")

    def bitwise(self, scope, t, depth):
        op = self.random.choice("&|^")
        a, b = self.expression(scope, t, depth), self.expression(scope, t, depth)
        return E(t, "((%s)(" % name(t) if t[1] == 1 else "((", a, " %s " % op, b, "))")

    def unary(self, scope, t, depth):
        a = self.expression(scope, t, depth)
        cast = "((%s)" % name(t) if t[1] == 1 else "("
        if self.random.random() < 0.5:
            return E(t, cast, "~", a, ")")
        if t[1] == 1:
            u = unsigned(t[0]) if SIZE[t[0]] >= 4 else "uint"
            return E(t, cast, "(0 - (%s)" % u, a, "))")
        u = name((unsigned(t[0]), t[1]))
        return E(t, "as_%s(-as_%s(" % (name(t), u), a, "))")

    def shift(self, scope, t, depth):
        r = self.random
        a = self.expression(scope, t, depth)
        b = self.leaf(scope, t) if r.random() < 0.6 else E(t, "((%s)%d)" % (name(t), r.randrange(8 * SIZE[t[0]])))
        if r.random() < 0.5:
            return E(t, "((%s)(" % name(t) if t[1] == 1 else "((", a, " >> ", b, "))")
        if t[1] == 1:
            u = unsigned(t[0]) if SIZE[t[0]] >= 4 else "uint"
            return E(t, "((%s)((%s)" % (t[0], u), a, " << ", b, "))")
        u = name((unsigned(t[0]), t[1]))
        return E(t, "as_%s(as_%s(" % (name(t), u), a, ") << as_%s(" % u, b, "))")

    def division(self, scope, t, depth):
        r = self.random
        op = r.choice("/%")
        a = self.expression(scope, t, depth)
        cast = "((%s)(" % name(t) if t[1] == 1 else "(("
        if r.random() < 0.5:
            value = r.choice((2, 3, 5, 7, 8, 10, 12, 16, 48, 96, 100, 127, r.randrange(2, 127)))
            if is_signed(t[0]) and r.random() < 0.3:
                value = -value
            return E(t, cast, a, " %s (%s)%d))" % (op, name(t), value))
        b = self.expression(scope, t, depth)
        if is_signed(t[0]):
            most = (1 << (8 * SIZE[t[0]] - 1)) - 1
            return E(t, cast, a, " %s ((%s)(" % (op, name(t)), b, " & (%s)%d) | (%s)1)))" % (name(t), most, name(t)))
        return E(t, cast, a, " %s ((%s)(" % (op, name(t)), b, ") | (%s)1)))" % name(t))

    def comparison(self, scope, t, depth):
        op = self.random.choice(("<", "<=", ">", ">=", "==", "!="))
        if t[1] > 1 and not is_signed(t[0]):
            return None
        other = self.some_type(1) if t[1] == 1 else (self.random.choice((t[0], unsigned(t[0]))), t[1])
        a, b = self.expression(scope, other, depth), self.expression(scope, other, depth)
        return E(t, "((%s)(" % name(t) if t[1] == 1 else "((", a, " %s " % op, b, "))")

    def logic(self, scope, t, depth):
        a, b = (self.expression(scope, self.some_type(1), depth) for _ in "ab")
        return E(t, "((%s)(" % name(t), a, self.random.choice((" && ", " || ")), b, "))")

    def choice(self, scope, t, depth):
        r = self.random
        a, b = self.expression(scope, t, depth), self.expression(scope, t, depth)
        if t[1] == 1 and r.random() < 0.6:
            return E(t, "((%s)(" % t[0], self.expression(scope, self.some_type(1), depth), " ? ", a, " : ", b, "))")
        c = self.expression(scope, (r.choice((signed, unsigned))(t[0]), t[1]), depth)
        if r.random() < 0.3:
            return E(t, "bitselect(", a, ", ", b, ", as_%s(" % name(t), c, "))")
        return E(t, "select(", a, ", ", b, ", ", c, ")")

    def conversion(self, scope, t, depth):
        r = self.random
        other = (r.choice(BASES), t[1])
        if r.random() < 0.3:
            return E(t, "as_%s(" % name(t), self.expression(scope, (r.choice((signed, unsigned))(t[0]), t[1]), depth), ")")
        return E(t, "convert_%s%s(" % (name(t), r.choice(("", "_sat"))), self.expression(scope, other, depth), ")")

    def reinterpretation(self, scope, t, depth):
        size = SIZE[t[0]] * t[1]
        others = [(b, w) for b in BASES for w in (1, 2, 4, 8, 16) if SIZE[b] * w == size]
        if t[1] == 3 or not others:
            return None
        return E(t, "as_%s(" % name(t), self.expression(scope, self.random.choice(others), depth), ")")

    def builtin(self, scope, t, depth):
        r = self.random
        one, two, three = ("popcount", "clz"), ["min", "max", "add_sat", "sub_sat", "hadd", "rhadd", "mul_hi", "rotate"], ["clamp", "mad_sat"]
        if is_signed(t[0]):
            one = ("popcount", "clz")
        else:
            three.append("mad_hi")
        kind = r.choice((1, 2, 2, 2, 3, 4))
        if kind == 1:
            return E(t, r.choice(one) + "(", self.expression(scope, t, depth), ")")
        if kind == 4:
            if is_signed(t[0]):
                return None
            a = self.expression(scope, (signed(t[0]), t[1]), depth)
            if r.random() < 0.5:
                return E(t, "abs(", a, ")")
            return E(t, "abs_diff(", a, ", ", self.expression(scope, (signed(t[0]), t[1]), depth), ")")
        a, b = self.expression(scope, t, depth), self.expression(scope, t, depth)
        if kind == 2:
            return E(t, r.choice(two) + "(", a, ", ", b, ")")
        c, f = self.expression(scope, t, depth), r.choice(three)
        if f == "clamp":
            low, high = self.constant(t[0]), self.constant(t[0])
            return E(t, "clamp(", a, ", (%s)min(" % name(t), low, ", ", high, "), (%s)max(" % name(t), low, ", ", high, "))")
        return E(t, f + "(", a, ", ", b, ", ", c, ")")

    def upsample(self, scope, t, depth):
        if SIZE[t[0]] == 1:
            return None
        half = next(b for b in BASES if 2 * SIZE[b] == SIZE[t[0]] and is_signed(b) == is_signed(t[0]))
        return E(t, "upsample(", self.expression(scope, (half, t[1]), depth), ", ",
                 self.expression(scope, (unsigned(half), t[1]), depth), ")")

    def element(self, scope, t, depth):
        w = self.random.choice((2, 3, 4, 8, 16))
        return E(t, "", self.expression(scope, (t[0], w), depth), ".s%x" % self.random.randrange(w))

    def swizzle(self, scope, t, depth):
        r = self.random
        if t[1] in (2, 4, 8) and r.random() < 0.3:
            return E(t, "", self.expression(scope, (t[0], 2 * t[1]), depth), "." + r.choice(("lo", "hi", "even", "odd")))
        w = r.choice((2, 3, 4, 8, 16))
        picks = "".join("%x" % r.randrange(w) for _ in range(t[1]))
        return E(t, "", self.expression(scope, (t[0], w), depth), ".s" + picks)

    def literal(self, scope, t, depth):
        parts, left = [], t[1]
        while left:
            w = self.random.choice([w for w in (1, 1, 2, 3, 4, 8) if w <= left])
            parts += [", " if parts else "", self.expression(scope, (t[0], w), depth - 1)]
            left -= w
        return E(t, "((%s)(" % name(t), *parts, "))")

    def shuffle(self, scope, t, depth):
        if t[1] == 3:
            return None
        r = self.random
        w = r.choice((2, 4, 8, 16))
        mask = self.expression(scope, (unsigned(t[0]), t[1]), depth)
        a = self.expression(scope, (t[0], w), depth)
        if r.random() < 0.5:
            return E(t, "shuffle(", a, ", ", mask, ")")
        return E(t, "shuffle2(", a, ", ", self.expression(scope, (t[0], w), depth), ", ", mask, ")")

    def any_all(self, scope, t, depth):
        other = (signed(self.random.choice(BASES)), self.random.choice((2, 3, 4, 8, 16)))
        return E(t, "((%s)%s(" % (name(t), self.random.choice(("any", "all"))), self.expression(scope, other, depth), "))")

    def float_bits(self, scope, t, depth):
        """What is exact in floating point: sums, products, roundings, comparisons, conversions."""
        r = self.random

        def value():
            a = self.expression(scope, r.choice((("int", 1), ("uint", 1))), depth)
            return r.choice((lambda: E(t, "as_float(", a, ")"), lambda: E(t, "convert_float%s(" % r.choice(("", "_rtz", "_rtp", "_rtn")), a, ")"),
                             lambda: E(t, "((float)(", a, " & 4095))")))()

        kind = r.randrange(5)
        if kind == 0:
            inner = E(t, "bits(", value(), " %s " % r.choice("+-*"), value(), ")")
        elif kind == 1:
            inner = E(t, "bits(%s(" % r.choice(("floor", "ceil", "trunc", "rint", "round", "fabs")), value(), "))")
        elif kind == 2:
            inner = E(t, "bits(fma(", value(), ", ", value(), ", ", value(), "))")
        elif kind == 3:
            inner = E(t, "(", value(), r.choice((" < ", " >= ", " == ", " != ")), value(), ")")
        else:
            return E(t, "convert_%s_sat%s(" % (t[0], r.choice(("", "_rte", "_rtp", "_rtn"))), value(), ")")
        return E(t, "((%s)" % t[0], inner, ")")

    def call(self, scope, t, depth, may_change=False):
        """Functions that change something are called by statements alone: the order of operands is open."""
        r = self.random
        fit = [f for f in self.functions if f[1] == t and (may_change or all(k in ("value", "struct") for k, _ in f[2]))]
        if not fit:
            return None
        f = r.choice(fit)
        parts = []
        for kind, what in f[2]:
            if kind == "value":
                one = self.expression(scope, what, depth - 1)
            else:
                places = {"pointer": ["&" + v for v, other in scope.variables if other == what and v.isidentifier()],
                          "array": [a for a, other, length in scope.arrays if other == what and length >= 8],
                          "struct": [n for n, s in scope.structs if s == what]}[kind]
                if not places:
                    return None
                one = r.choice(places)
            parts += [", " if parts else "", one]
        return E(t, f[0] + "(", *parts, ")")

    SCALARS = (arithmetic, arithmetic, arithmetic, promoted, promoted, bitwise, unary, shift, shift, division, division,
               comparison, logic, choice, choice, conversion, conversion, reinterpretation, builtin, builtin, builtin, upsample,
               element, element, any_all, float_bits, call)
    VECTORS = (arithmetic, arithmetic, bitwise, unary, shift, division, comparison, choice, choice, conversion, conversion,
               reinterpretation, builtin, builtin, upsample, swizzle, swizzle, literal, shuffle, call)

    # Statements

    def assignment(self, scope, depth):
        r = self.random
        kind = r.random()
        if kind < 0.12 and scope.arrays:
            a = r.choice(scope.arrays)
            return S("%s[(uint)(" % a[0], self.expression(scope, ("uint", 1), 1), ") & %d] = " % (a[2] - 1),
                     self.expression(scope, a[1], 3), ";")
        if kind < 0.22 and scope.structs:
            n, s = r.choice(scope.structs)
            if r.random() < 0.2:
                same = [m for m, other in scope.structs if other == s]
                return S("%s = %s;" % (n, r.choice(same)))
            field, t, length = r.choice(s[1])
            place = "%s.%s" % (n, field)
            if length > 1:
                return S(place + "[(uint)(", self.expression(scope, ("uint", 1), 1), ") & %d] = " % (length - 1),
                         self.expression(scope, t, 3), ";")
            return S(place + " = ", self.expression(scope, t, 3), ";")
        text, t = r.choice(scope.variables)
        if kind < 0.35 and t[1] > 1:
            picks = r.sample(range(t[1]), r.choice([n for n in (1, 2, 3, 4) if n <= t[1]]))
            return S("%s.s%s = " % (text, "".join("%x" % p for p in picks)), self.expression(scope, (t[0], len(picks)), 3), ";")
        if kind < 0.5:
            if self.functions:
                f = r.choice(self.functions)
                to = [v for v in scope.variables if v[1] == f[1]]
                made = to and self.call(scope, f[1], 2, True)
                if made:
                    return S(r.choice(to)[0] + " = ", made, ";")
        if kind < 0.6 and not (is_signed(t[0]) and SIZE[t[0]] >= 4 or (is_signed(t[0]) and t[1] > 1)) and not (SIZE[t[0]] == 2 and t[1] == 1):
            return S("%s %s= " % (text, r.choice("+-*&|^")), self.expression(scope, t, 3), ";")
        return S(text + " = ", self.expression(scope, t, r.choice((2, 3, 4))), ";")

    def atomic(self, scope, depth):
        r = self.random
        op = r.randrange(len(ATOMICS))
        place = "%s[%d + ((" % (r.choice(("counts", "cells")), 4 * op)
        return S("atomic_%s(&%s" % (ATOMICS[op], place), self.expression(scope, ("uint", 1), 1), ") & 3)], ",
                 self.expression(scope, ("uint", 1), 2), ");")

    def statement(self, scope, depth, in_loop):
        r = self.random
        kind = r.random()
        if depth <= 0 or kind < 0.6:
            return self.assignment(scope, depth)
        if kind < 0.65 and scope.is_kernel:
            return self.atomic(scope, depth)
        condition = self.expression(scope, self.some_type(1), 2)
        if kind < 0.78:
            parts = ["if (", condition, ") ", self.block(scope, depth - 1, in_loop)]
            if r.random() < 0.5:
                parts += [" else ", self.block(scope, depth - 1, in_loop)]
            return S(*parts)
        if kind < 0.82 and in_loop:
            return S("if (", condition, ") " + r.choice(("break;", "continue;")))
        if kind < 0.9:
            parts = ["switch ((uint)(", condition, ") & 7) {\n"]
            for value in r.sample(range(8), r.randrange(2, 6)):
                parts += ["case %d: " % value, self.block(scope, depth - 1, False), "\n" if r.random() < 0.3 else " break;\n"]
            parts += ["default: ", self.block(scope, depth - 1, False), "\n}"]
            return S(*parts)
        i = scope.new_name("i")
        bound = E(("uint", 1), "(uint)(", self.expression(scope, ("uint", 1), 1), ") & 7") if r.random() < 0.6 else str(r.randrange(1, 7))
        scope.constants.append((i, ("uint", 1)))
        body = self.block(scope, depth - 1, True)
        scope.constants.pop()
        return S("for (uint %s = 0, %s_end = " % (i, i), bound, "; %s < %s_end; %s++) " % (i, i, i), body)

    def block(self, scope, depth, in_loop):
        return [self.statement(scope, depth, in_loop) for _ in range(self.random.randrange(1, 4))]

    def exchange(self, scope, size):
        """All work-items of a group get here: values go from one to the other."""
        r = self.random
        base = r.choice(BASES)
        t = (base, 1)
        to = [text for text, other in scope.variables if other == t]
        if not to:
            return self.assignment(scope, 1)
        lm = "shared_" + base
        return S("%s[item] = " % lm, self.expression(scope, t, 2), "; barrier(CLK_LOCAL_MEM_FENCE); %s = %s[(item + %d) %% %d]; barrier(CLK_LOCAL_MEM_FENCE);"
                 % (r.choice(to), lm, r.randrange(1, size), size))

    # Functions

    def declare(self, scope, n):
        """Variables of the function, each with a value."""
        r = self.random
        out = []
        for i in range(n):
            t = (BASES[i % len(BASES)], 1) if i < len(BASES) and n > 8 else self.some_type(r.choice(WIDTHS[4:]))
            v = scope.new_name()
            out.append(S("%s %s = " % (name(t), v), self.leaf(scope, t), ";"))
            scope.variables.append((v, t))
        for _ in range(r.randrange(1, 3)):
            t, v, length = self.some_type(1), scope.new_name("a"), r.choice((8, 16))
            out.append(S("%s %s[%d]; for (uint i = 0; i < %d; i++) %s[i] = (%s)(i * 77u + (uint)(" %
                         (name(t), v, length, length, v, name(t)), self.leaf(scope, ("uint", 1)), "));"))
            scope.arrays.append((v, t, length))
        for s in self.structs:
            if r.random() < 0.7:
                v = scope.new_name("s")
                parts = []
                for field, t, length in s[1]:
                    if length > 1:
                        parts.append("for (uint i = 0; i < %d; i++) %s.%s[i] = " % (length, v, field))
                    else:
                        parts.append("%s.%s = " % (v, field))
                    parts += [self.leaf(scope, t), "; "]
                out.append(S("struct %s %s; " % (s[0], v), *parts))
                scope.structs.append((v, s))
                for field, t, length in s[1]:
                    if length == 1:
                        scope.constants.append(("%s.%s" % (v, field), t))
        return out

    def hash_of(self, scope, text, t):
        if t[1] == 1:
            return "h = mix(h, (ulong)%s); " % text
        return "".join("h = mix(h, (ulong)%s.s%x); " % (text, i) for i in range(t[1]))

    def hash_all(self, scope):
        out = []
        for text, t in scope.variables:
            out.append(self.hash_of(scope, text, t))
        for a, t, length in scope.arrays:
            out.append("for (uint i = 0; i < %d; i++) h = mix(h, (ulong)%s[i]); " % (length, a))
        for n, s in scope.structs:
            for field, t, length in s[1]:
                if length > 1:
                    out.append("for (uint i = 0; i < %d; i++) h = mix(h, (ulong)%s.%s[i]); " % (length, n, field))
                else:
                    out.append(self.hash_of(scope, "%s.%s" % (n, field), t))
        return out

    def struct(self, i):
        r = self.random
        fields = []
        for k in range(r.randrange(2, 6)):
            t = self.some_type()
            fields.append(("f%d" % k, t if t[1] == 1 or r.random() < 0.7 else (t[0], 1), r.choice((1, 1, 1, 4)) if t[1] == 1 else 1))
        s = ("S%d" % i, fields)
        self.structs.append(s)
        return "struct S%d { %s};\n" % (i, "".join("%s %s%s; " % (name(t), f, "[%d]" % n if n > 1 else "") for f, t, n in fields))

    def function(self, i):
        r = self.random
        scope = Scope(self, r)
        result = self.some_type()
        parameters, texts = [], []
        for k in range(r.randrange(1, 5)):
            kind = r.choice(("value", "value", "value", "pointer", "array", "struct", "struct"))
            if kind == "struct" and self.structs:
                s = r.choice(self.structs)
                parameters.append((kind, s))
                texts.append("struct %s p%d" % (s[0], k))
                scope.structs.append(("p%d" % k, s))
                continue
            t = self.some_type(1 if kind == "array" else None)
            parameters.append((kind if kind != "struct" else "value", t))
            if kind == "pointer":
                texts.append("%s *p%d" % (name(t), k))
                scope.variables.append(("(*p%d)" % k, t))
            elif kind == "array":
                texts.append("%s *p%d" % (name(t), k))
                scope.arrays.append(("p%d" % k, t, 8))
            else:
                texts.append("%s p%d" % (name(t), k))
                scope.variables.append(("p%d" % k, t))
        declarations = self.declare(scope, r.randrange(1, 4))
        body = [self.statement(scope, 2, False) for _ in range(r.randrange(2, 7))]
        tail = [S("return ", self.expression(scope, result, 3), ";")]
        head = "%s%s f%d(%s)" % (r.choice(("__attribute__((noinline)) ", "__attribute__((noinline)) ", "")), name(result), i, ", ".join(texts))
        self.functions.append(("f%d" % i, result, parameters))
        return Function(head, declarations, body, tail)

    def kernel(self, i):
        r = self.random
        scope = Scope(self, r)
        scope.is_kernel = True
        x, y = r.choice(((16, 1), (32, 1), (24, 1), (48, 1), (96, 1), (8, 4), (16, 2), (12, 2), (16, 6), (4, 4)))
        size = x * y
        head = ("KERNEL __attribute__((reqd_work_group_size(%d, %d, 1)))\n"
                "void k%d(global ulong *out, global const uint *in, global uint *cells)" % (x, y, i))
        first = S("const uint item = get_local_id(0) + %d * get_local_id(1), id = item + %d * get_group_id(0), lx = get_local_id(0), ly = get_local_id(1);" % (x, size))
        setup = [S("local %s shared_%s[%d];" % (b, b, size)) for b in BASES]
        setup.append(S("local uint counts[24]; if (item < 24) counts[item] = item / 4 == 3 || item / 4 == 4 ? 0xffffffffu : 0; barrier(CLK_LOCAL_MEM_FENCE);"))
        for v in ("item", "id", "lx", "ly"):
            scope.constants.append((v, ("uint", 1)))
        declarations = [first] + setup + self.declare(scope, r.randrange(9, 15))
        body = []
        for _ in range(r.randrange(5, 11)):
            if r.random() < 0.15:
                body.append(self.exchange(scope, size))
            else:
                body.append(self.statement(scope, 3, False))
        tail = [S("ulong h = 0;")] + [S(text) for text in self.hash_all(scope)]
        tail.append(S("barrier(CLK_LOCAL_MEM_FENCE); h = mix(h, counts[item % 24]); out[id] = h;"))
        return Function(head, declarations, body, tail), size

    def program(self, n_kernels):
        types = [self.struct(i) for i in range(self.random.randrange(1, 4))]
        functions = [self.function(i) for i in range(self.random.randrange(2, 6))]
        return Program(types, functions, [self.kernel(i)[0] for i in range(n_kernels)])


def program(seed, n_kernels=3):
    return Writer(seed).program(n_kernels)
