"""Relations of a document as objects of Siconos."""

import siconos.kernel as sk

from systems import function_of
from vectors import fill, matrix, values, vector


class Type2(sk.FirstOrderType2R):
    """y = h(t, x, λ), r = g(t, λ); the module has `h_x`, `h_lambda` and `g_lambda` after the names of h and g."""

    def __init__(self, spec, columns, plugins):
        super().__init__()
        self.size, self.columns, self.plugins = spec["size"], columns, plugins
        self.h, self.g = function_of(spec["h"]), function_of(spec["g"])

    def at(self, x, multiplier):
        return values(x, self.columns), values(multiplier, self.size)

    def computeh(self, time, x, multiplier, y):
        fill(y, self.plugins(self.h, time, *self.at(x, multiplier)))

    def computeg(self, time, multiplier, r):
        fill(r, self.plugins(self.g, time, values(multiplier, self.size)))

    def computeJachx(self, time, x, multiplier, C):
        fill(C, self.plugins(f"{self.h}_x", time, *self.at(x, multiplier)))

    def computeJachlambda(self, time, x, multiplier, D):
        fill(D, self.plugins(f"{self.h}_lambda", time, *self.at(x, multiplier)))

    def computeJacglambda(self, time, multiplier, B):
        fill(B, self.plugins(f"{self.g}_lambda", time, values(multiplier, self.size)))


class Scleronomous(sk.LagrangianScleronomousR):
    """y = h(q); the module has `NAME_q`, the Jacobian."""

    def __init__(self, spec, columns, plugins):
        super().__init__()
        self.columns, self.plugins, self.h = columns, plugins, function_of(spec["h"])
        self.jacobian = sk.SimpleMatrix(spec["size"], columns)
        self.setJachqPtr(self.jacobian)

    # The integrator takes a reference to what C() returns; without this override it would be a temporary.
    def C(self):
        return self.jacobian

    def computeh(self, q, _z, y):
        fill(y, self.plugins(self.h, values(q, self.columns)))

    def computeJachq(self, q, _z):
        fill(self.jacobian, self.plugins(f"{self.h}_q", values(q, self.columns)))

    def computeDotJachq(self, *_arguments):
        """Only the acceleration level needs it, but the kernel calls it, and the inherited one fails."""


class Rheonomous(sk.LagrangianRheonomousR):
    """y = h(t, q); the module has `NAME_q` and `NAME_t`."""

    def __init__(self, spec, columns, plugins):
        super().__init__()
        self.columns, self.plugins, self.h = columns, plugins, function_of(spec["h"])
        self.jacobian = sk.SimpleMatrix(spec["size"], columns)
        self.rate = sk.SiconosVector(spec["size"])
        self.setJachqPtr(self.jacobian)
        self._hDot = self.rate

    def C(self):
        return self.jacobian

    def computeh(self, time, q, _z, y):
        fill(y, self.plugins(self.h, time, values(q, self.columns)))

    def computehDot(self, time, q, _z):
        fill(self.rate, self.plugins(f"{self.h}_t", time, values(q, self.columns)))

    def computeJachq(self, time, q, _z):
        fill(self.jacobian, self.plugins(f"{self.h}_q", time, values(q, self.columns)))


def first_order_linear(spec, columns):
    size = len(spec["C"])
    relation = sk.FirstOrderLinearTIR(matrix(spec["C"], size, columns), matrix(spec["B"], columns, size))
    if spec.get("D") is not None:
        relation.setDPtr(matrix(spec["D"], size, size))
    if spec.get("e") is not None:
        relation.setePtr(vector(spec["e"]))
    return relation


def lagrangian_linear(spec, columns):
    gap = matrix(spec["H"], len(spec["H"]), columns)
    return sk.LagrangianLinearTIR(gap) if spec.get("b") is None else sk.LagrangianLinearTIR(gap, vector(spec["b"]))


def is_linear(spec):
    return spec["type"] in ("FirstOrderLinearTI", "LagrangianLinear")


def size_of(spec):
    return spec["size"] if "size" in spec else len(spec["C" if "C" in spec else "H"])


def build(spec, columns, plugins):
    kind = spec["type"]
    if kind == "FirstOrderLinearTI":
        return first_order_linear(spec, columns)
    if kind == "LagrangianLinear":
        return lagrangian_linear(spec, columns)
    types = {
        "FirstOrderType2": Type2,
        "LagrangianScleronomous": Scleronomous,
        "LagrangianRheonomous": Rheonomous,
    }
    if kind not in types:
        raise ValueError(f"relations of type {kind} are not described here")
    return types[kind](spec, columns, plugins)
