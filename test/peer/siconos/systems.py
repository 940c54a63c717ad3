"""Dynamical systems of a document as objects of Siconos.

A system has `.object`, the Siconos object; `.size`; `.order`; `.signals()`, its state by signal name.
"""

import siconos.kernel as sk

from vectors import fill, matrix, values, vector


class Plugins:
    """The functions of a model: a module of `functions`, called with the values of the parameters."""

    def __init__(self, module, parameters):
        self.module, self.parameters = module, parameters

    def __call__(self, name, *arguments):
        return getattr(self.module, name)(*arguments, self.parameters)

    def has(self, name):
        return hasattr(self.module, name)


def named(base, entries):
    """Components are numbered only where there are several, as in the recordings they are compared with."""
    if len(entries) == 1:
        return {base: float(entries[0])}
    return {f"{base}[{i}]": float(entry) for i, entry in enumerate(entries)}


def function_of(value):
    return value["function"] if isinstance(value, dict) and "function" in value else None


class TimeVarying(sk.FirstOrderLinearDS):
    """x' = A(t) x + b(t) + r"""

    def __init__(self, spec, plugins):
        super().__init__(vector(spec["x0"]))
        n = spec["n"]
        self.plugins, self.names = plugins, (function_of(spec["A"]), function_of(spec.get("b")))
        self.rates, self.source = sk.SimpleMatrix(n, n), sk.SiconosVector(n)
        if self.names[0] is None:
            fill(self.rates, matrix(spec["A"], n, n).tolist())
        if self.names[1] is None:
            fill(self.source, spec.get("b", [0.0] * n))
        self.setAPtr(self.rates)
        self.setbPtr(self.source)

    # The kernel keeps references to what these two return; without the overrides they would be temporaries.
    def A(self):
        return self.rates

    def jacobianfx(self):
        return self.rates

    def computeA(self, time):
        if self.names[0] is not None:
            fill(self.rates, self.plugins(self.names[0], time))

    def computeb(self, time):
        if self.names[1] is not None:
            fill(self.source, self.plugins(self.names[1], time))


class NonLinear(sk.FirstOrderNonLinearDS):
    """x' = f(t, x) + r; the module has `NAME` and `NAME_x`, the Jacobian."""

    def __init__(self, x0, rate, jacobian):
        super().__init__(vector(x0))
        n = len(x0)
        self.size, self.rate, self.jacobian = n, rate, jacobian
        self.value, self.slope = sk.SiconosVector(n), sk.SimpleMatrix(n, n)
        self.setFPtr(self.value)
        self.setJacobianfxPtr(self.slope)
        # Nobody else allocates the rate at the start of the step.
        self._fold = sk.SiconosVector(n)

    def jacobianfx(self):
        return self.slope

    def computef(self, time, state):
        fill(self.value, self.rate(time, values(state, self.size)))

    def computeJacobianfx(self, time, state):
        fill(self.slope, self.jacobian(time, values(state, self.size)))


class Mechanism(sk.LagrangianDS):
    """M(q) v' + N(q, v) + F_int(t, q, v) = F_ext(t) + p.

    The kernel does not ask directors for the Jacobians of the forces: its Newton iteration uses M(q) alone and takes a
    few iterations more to the same result.
    """

    def __init__(self, spec, plugins):
        n = spec["ndof"]
        super().__init__(vector(spec["q0"]), vector(spec["v0"]))
        self.size, self.plugins, self.spec = n, plugins, spec
        self.inertia = sk.SimpleMatrix(n, n)
        self.parts = {}
        self.setMassPtr(self.inertia)
        for key, setter in (
            ("gyroscopic", self.setFGyrPtr),
            ("fInt", self.setFIntPtr),
            ("fExt", self.setFExtPtr),
        ):
            if spec.get(key) is None:
                continue
            self.parts[key] = sk.SiconosVector(n)
            setter(self.parts[key])
        self.computeMass()

    def motion(self, arguments):
        q, v = arguments if len(arguments) == 2 else (self.q(), self.velocity())
        return values(q, self.size), values(v, self.size)

    def computeMass(self, *arguments):
        q = values(arguments[0] if arguments else self.q(), self.size)
        name = function_of(self.spec["mass"])
        fill(self.inertia, self.spec["mass"] if name is None else self.plugins(name, q))

    def computeFGyr(self, *arguments):
        if "gyroscopic" in self.parts:
            fill(self.parts["gyroscopic"], self.plugins(function_of(self.spec["gyroscopic"]), *self.motion(arguments)))

    def computeFInt(self, time, *arguments):
        if "fInt" in self.parts:
            fill(self.parts["fInt"], self.plugins(function_of(self.spec["fInt"]), time, *self.motion(arguments)))

    def computeFExt(self, time):
        if "fExt" in self.parts:
            name = function_of(self.spec["fExt"])
            fill(self.parts["fExt"], self.spec["fExt"] if name is None else self.plugins(name, time))


def first_order_linear(spec, plugins, newton):
    n, x0 = spec["n"], vector(spec["x0"])
    if function_of(spec["A"]) is not None or function_of(spec.get("b")) is not None:
        if spec.get("mass") is not None:
            raise ValueError("a mass with time-varying matrices is not described here")
        return TimeVarying(spec, plugins)
    rates, source = matrix(spec["A"], n, n), vector(spec.get("b", [0.0] * n))
    if newton:
        # With a time-invariant system the kernel leaves r out of the residual, and Newton's method never ends.
        return NonLinear(spec["x0"], lambda _t, x: (rates @ x + source).tolist(), lambda _t, _x: rates.tolist())
    # No source must stay no source: ZeroOrderHoldOSI takes one that is zero for one.
    system = sk.FirstOrderLinearTIDS(x0, rates) if spec.get("b") is None else sk.FirstOrderLinearTIDS(x0, rates, source)
    if spec.get("mass") is not None:
        system.setMPtr(matrix(spec["mass"], n, n))
    return system


def lagrangian_linear(spec):
    n = spec["ndof"]
    system = sk.LagrangianLinearTIDS(vector(spec["q0"]), vector(spec["v0"]), matrix(spec["mass"], n, n))
    if spec.get("stiffness") is not None:
        system.setKPtr(matrix(spec["stiffness"], n, n))
    if spec.get("damping") is not None:
        system.setCPtr(matrix(spec["damping"], n, n))
    if spec.get("fExt") is not None:
        system.setFExtPtr(vector(spec["fExt"]))
    return system


class System:
    def __init__(self, spec, plugins, newton):
        self.id, kind = spec["id"], spec["type"]
        self.order = 1 if kind.startswith("FirstOrder") else 2
        self.size = spec["n" if self.order == 1 else "ndof"]
        if kind == "FirstOrderLinear":
            self.object = first_order_linear(spec, plugins, newton)
        elif kind == "FirstOrderNonLinear":
            name = function_of(spec["f"])
            self.object = NonLinear(
                spec["x0"], lambda t, x: plugins(name, t, x), lambda t, x: plugins(f"{name}_x", t, x)
            )
        elif kind == "LagrangianLinearTI":
            self.object = lagrangian_linear(spec)
        elif kind == "LagrangianNonLinear":
            self.object = Mechanism(spec, plugins)
        else:
            raise ValueError(f"systems of type {kind} are not described here")

    def signals(self):
        if self.order == 1:
            return named(f"{self.id}.x", self.object.x())
        return {**named(f"{self.id}.q", self.object.q()), **named(f"{self.id}.v", self.object.velocity())}
