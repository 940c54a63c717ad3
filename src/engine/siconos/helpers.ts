/**
 * Pieces of Python that a script needs beside its model, each written only where it is used. The kernel asks
 * Python for functions through classes; what it keeps references to must outlive the call, hence the members.
 */

export interface Helper {
  readonly needs?: readonly string[];
  readonly lines: readonly string[];
}

const text = (source: string): string[] => source.replace(/^\n/, '').trimEnd().split('\n');

export const HELPERS: Readonly<Record<string, Helper>> = {
  entries: {
    lines: text(`
def entries(vector, size):
    """A list of the entries of whatever the kernel hands over."""
    if hasattr(vector, "getValue"):
        return [vector.getValue(i) for i in range(size)]
    return [float(vector[i]) for i in range(size)]`),
  },
  fill: {
    lines: text(`
def fill(target, values):
    """Writes a list into a vector, or a list of rows into a matrix, of the kernel."""
    for i, value in enumerate(values):
        for place, number in [((i, j), x) for j, x in enumerate(value)] if isinstance(value, list) else [((i,), value)]:
            if hasattr(target, "setValue"):
                target.setValue(*place, float(number))
            else:
                target[place] = number`),
  },
  sparse: {
    lines: text(`
def sparse(rows, columns, entries_):
    """A matrix from (row, column, value); entries of one place add up."""
    result = np.zeros((rows, columns))
    for i, j, value in entries_:
        result[i, j] += value
    return result`),
  },
  constant: {
    lines: text(`
def constant(value):
    """A function that is the same everywhere."""
    return lambda *_: value`),
  },
  vector_function: {
    lines: text(`
def vector_function(function, size):
    """What a function of the model fills, as a list."""

    def evaluate(*arguments):
        out = [0.0] * size
        function(*arguments, out, p)
        return out

    return evaluate`),
  },
  matrix_function: {
    lines: text(`
def matrix_function(function, rows, columns):
    """What a function of the model fills row by row, as a list of rows."""

    def evaluate(*arguments):
        out = [0.0] * (rows * columns)
        function(*arguments, out, p)
        return [out[i * columns : (i + 1) * columns] for i in range(rows)]

    return evaluate`),
  },
  Dual: {
    lines: text(`
class Dual:
    """A number with its derivative along one direction: derivatives of the functions below are exact."""

    def __init__(self, value, slope=0.0):
        self.value, self.slope = value, slope

    @staticmethod
    def of(x):
        return x if isinstance(x, Dual) else Dual(x)

    def __add__(self, other):
        other = Dual.of(other)
        return Dual(self.value + other.value, self.slope + other.slope)

    def __neg__(self):
        return Dual(-self.value, -self.slope)

    def __sub__(self, other):
        return self + -Dual.of(other)

    def __rsub__(self, other):
        return Dual.of(other) - self

    def __mul__(self, other):
        other = Dual.of(other)
        return Dual(self.value * other.value, self.slope * other.value + self.value * other.slope)

    def __truediv__(self, other):
        other = Dual.of(other)
        value = self.value / other.value
        return Dual(value, (self.slope - value * other.slope) / other.value)

    def __rtruediv__(self, other):
        return Dual.of(other) / self

    def __pow__(self, other):
        other = Dual.of(other)
        slope = other.value * self.value ** (other.value - 1) * self.slope if other.value != 0 else 0.0
        if other.slope != 0:
            slope += math.log(self.value) * self.value**other.value * other.slope
        return Dual(self.value**other.value, slope)

    def __rpow__(self, other):
        return Dual.of(other) ** self

    def __abs__(self):
        return -self if self.value < 0 else self

    def __lt__(self, other):
        return self.value < Dual.of(other).value

    def __le__(self, other):
        return self.value <= Dual.of(other).value

    def __gt__(self, other):
        return self.value > Dual.of(other).value

    def __ge__(self, other):
        return self.value >= Dual.of(other).value

    def __eq__(self, other):
        return self.value == Dual.of(other).value

    def __ne__(self, other):
        return self.value != Dual.of(other).value

    __hash__ = None
    __radd__, __rmul__ = __add__, __mul__


def lifted(function, slope):
    """A function of numbers that takes dual ones, too."""
    return lambda x: Dual(function(x.value), slope(x.value) * x.slope) if isinstance(x, Dual) else function(x)`),
  },
  jacobian_of: {
    needs: ['Dual'],
    lines: text(`
def jacobian_of(function, rows, position):
    """The derivative of what a function fills by its argument at a position, as a list of rows."""

    def evaluate(*arguments):
        given, columns = arguments[position], []
        for j in range(len(given)) if isinstance(given, list) else [None]:
            moved = Dual(given, 1.0) if j is None else [Dual(x, float(i == j)) for i, x in enumerate(given)]
            out = [0.0] * rows
            function(*arguments[:position], moved, *arguments[position + 1 :], out, p)
            columns.append([Dual.of(entry).slope for entry in out])
        return [list(row) for row in zip(*columns)]

    return evaluate`),
  },
  ForcedLinearSystem: {
    needs: ['fill'],
    lines: text(`
class ForcedLinearSystem(sk.LagrangianLinearTIDS):
    """M q'' + C q' + K q = F(t) + p"""

    def __init__(self, q0, v0, mass, force):
        super().__init__(q0, v0, mass)
        self.force, self.total = force, sk.SiconosVector(len(q0))
        self.setFExtPtr(self.total)

    def computeFExt(self, time):
        fill(self.total, self.force(time))`),
  },
  NonLinearMechanism: {
    needs: ['fill', 'entries'],
    lines: text(`
class NonLinearMechanism(sk.LagrangianDS):
    """M(q) v' + F_gyr(q, v) + F_int(t, q, v) = F_ext(t) + p; the kernel's Newton iteration uses M(q) alone."""

    def __init__(self, q0, v0, mass, gyroscopic=None, internal=None, external=None):
        super().__init__(q0, v0)
        self.size = len(q0)
        self.parts = mass, gyroscopic, internal, external
        self.inertia = sk.SimpleMatrix(self.size, self.size)
        self.forces = [sk.SiconosVector(self.size) for _ in range(3)]
        self.setMassPtr(self.inertia)
        for part, setter, vector in zip(self.parts[1:], (self.setFGyrPtr, self.setFIntPtr, self.setFExtPtr), self.forces):
            if part is not None:
                setter(vector)
        self.computeMass()

    def motion(self, arguments):
        q, v = arguments if len(arguments) == 2 else (self.q(), self.velocity())
        return entries(q, self.size), entries(v, self.size)

    def computeMass(self, *arguments):
        fill(self.inertia, self.parts[0](entries(arguments[0] if arguments else self.q(), self.size)))

    def computeFGyr(self, *arguments):
        if self.parts[1] is not None:
            fill(self.forces[0], self.parts[1](*self.motion(arguments)))

    def computeFInt(self, time, *arguments):
        if self.parts[2] is not None:
            fill(self.forces[1], self.parts[2](time, *self.motion(arguments)))

    def computeFExt(self, time):
        if self.parts[3] is not None:
            fill(self.forces[2], self.parts[3](time))`),
  },
  TimeVaryingSystem: {
    needs: ['fill'],
    lines: text(`
class TimeVaryingSystem(sk.FirstOrderLinearDS):
    """x' = A(t) x + b(t) + r"""

    def __init__(self, x0, rates, source):
        super().__init__(x0)
        self.functions = rates, source
        self.matrix, self.vector = sk.SimpleMatrix(len(x0), len(x0)), sk.SiconosVector(len(x0))
        self.setAPtr(self.matrix)
        self.setbPtr(self.vector)

    # The kernel keeps references to what these two return.
    def A(self):
        return self.matrix

    def jacobianfx(self):
        return self.matrix

    def computeA(self, time):
        fill(self.matrix, self.functions[0](time))

    def computeb(self, time):
        fill(self.vector, self.functions[1](time))`),
  },
  NonLinearSystem: {
    needs: ['fill', 'entries'],
    lines: text(`
class NonLinearSystem(sk.FirstOrderNonLinearDS):
    """x' = f(t, x) + r"""

    def __init__(self, x0, rate, jacobian):
        super().__init__(x0)
        self.size, self.functions = len(x0), (rate, jacobian)
        self.value, self.slope = sk.SiconosVector(self.size), sk.SimpleMatrix(self.size, self.size)
        self.setFPtr(self.value)
        self.setJacobianfxPtr(self.slope)
        # Nothing else allocates the rate at the start of the step.
        self._fold = sk.SiconosVector(self.size)

    def jacobianfx(self):
        return self.slope

    def computef(self, time, state):
        fill(self.value, self.functions[0](time, entries(state, self.size)))

    def computeJacobianfx(self, time, state):
        fill(self.slope, self.functions[1](time, entries(state, self.size)))`),
  },
  Scleronomous: {
    needs: ['fill', 'entries'],
    lines: text(`
class Scleronomous(sk.LagrangianScleronomousR):
    """y = h(q)"""

    def __init__(self, size, columns, h, jacobian):
        super().__init__()
        self.columns, self.functions = columns, (h, jacobian)
        self.matrix = sk.SimpleMatrix(size, columns)
        self.setJachqPtr(self.matrix)
        self.place = None

    # The integrator takes a reference to what C() returns.
    def C(self):
        return self.matrix

    def computeh(self, q, _z, y):
        fill(y, self.functions[0](entries(q, self.columns)))

    def computeJachq(self, q, _z):
        # The kernel asks many times for the same place.
        place = entries(q, self.columns)
        if place != self.place:
            self.place = place
            fill(self.matrix, self.functions[1](place))

    def computeDotJachq(self, *_):
        """Only the acceleration level needs it, but the kernel calls it."""`),
  },
  Rheonomous: {
    needs: ['fill', 'entries'],
    lines: text(`
class Rheonomous(sk.LagrangianRheonomousR):
    """y = h(t, q)"""

    def __init__(self, size, columns, h, rate, jacobian):
        super().__init__()
        self.columns, self.functions = columns, (h, rate, jacobian)
        self.matrix, self.vector = sk.SimpleMatrix(size, columns), sk.SiconosVector(size)
        self.setJachqPtr(self.matrix)
        self._hDot = self.vector

    def C(self):
        return self.matrix

    def computeh(self, time, q, _z, y):
        fill(y, self.functions[0](time, entries(q, self.columns)))

    def computehDot(self, time, q, _z):
        fill(self.vector, [row[0] if isinstance(row, list) else row for row in self.functions[1](time, entries(q, self.columns))])

    def computeJachq(self, time, q, _z):
        fill(self.matrix, self.functions[2](time, entries(q, self.columns)))`),
  },
  on_floor: {
    lines: text(`
def on_floor(base):
    """Gap of a ball over the plane z = 0, alone or, by the class of the kernel, with two rows of slip."""

    class Contact(base):
        def __init__(self, radius):
            super().__init__()
            self.radius = radius

        def computeh(self, _time, q, y):
            x, y_, z = q[0:3].tolist()
            y[0] = z - self.radius
            # The middle of the overlap, as of the model: from there friction has its arm.
            self.pc1()[:] = self.pc2()[:] = [x, y_, 0.5 * (z - self.radius)]
            self.nc()[:] = [0.0, 0.0, 1.0]

    return Contact`),
  },
  Type2: {
    needs: ['fill', 'entries'],
    lines: text(`
class Type2(sk.FirstOrderType2R):
    """y = h(t, x, λ), r = g(t, λ)"""

    def __init__(self, size, columns, h, g, C, D, B):
        super().__init__()
        self.size, self.columns, self.functions = size, columns, (h, g, C, D, B)

    def at(self, x, multiplier):
        return entries(x, self.columns), entries(multiplier, self.size)

    def computeh(self, time, x, multiplier, y):
        fill(y, self.functions[0](time, *self.at(x, multiplier)))

    def computeg(self, time, multiplier, r):
        fill(r, self.functions[1](time, entries(multiplier, self.size)))

    def computeJachx(self, time, x, multiplier, C):
        fill(C, self.functions[2](time, *self.at(x, multiplier)))

    def computeJachlambda(self, time, x, multiplier, D):
        fill(D, self.functions[3](time, *self.at(x, multiplier)))

    def computeJacglambda(self, time, multiplier, B):
        fill(B, self.functions[4](time, entries(multiplier, self.size)))`),
  },
  sign: { lines: text('\ndef sign(x):\n    """−1, 0 or 1."""\n    return (x > 0) - (x < 0)') },
  rounded: {
    lines: text(
      '\ndef rounded(x):\n    """The nearest whole number; halves are rounded upwards."""\n    return math.floor(x + 0.5)',
    ),
  },
  cube_root: {
    lines: text('\ndef cube_root(x):\n    return math.copysign(abs(x) ** (1 / 3), x)'),
  },
};

/** Slopes of the functions of `math` in x, for dual numbers. */
const SLOPES: Readonly<Record<string, string>> = {
  sqrt: '0.5 / math.sqrt(x)',
  exp: 'math.exp(x)',
  expm1: 'math.exp(x)',
  log: '1 / x',
  log1p: '1 / (1 + x)',
  log10: '1 / (x * math.log(10))',
  log2: '1 / (x * math.log(2))',
  sin: 'math.cos(x)',
  cos: '-math.sin(x)',
  tan: '1 / math.cos(x) ** 2',
  asin: '1 / math.sqrt(1 - x * x)',
  acos: '-1 / math.sqrt(1 - x * x)',
  atan: '1 / (1 + x * x)',
  sinh: 'math.cosh(x)',
  cosh: 'math.sinh(x)',
  tanh: '1 - math.tanh(x) ** 2',
  floor: '0.0',
  ceil: '0.0',
  trunc: '0.0',
};
const OWN: ReadonlySet<string> = new Set(['sign', 'rounded', 'cube_root']);
const PAIRS: Readonly<Record<string, string>> = {
  atan2: `
def atan2(y, x):
    if not (isinstance(y, Dual) or isinstance(x, Dual)):
        return math.atan2(y, x)
    y, x = Dual.of(y), Dual.of(x)
    return Dual(math.atan2(y.value, x.value), (x.value * y.slope - y.value * x.slope) / (x.value**2 + y.value**2))`,
  fmod: `
def fmod(x, y):
    return Dual(math.fmod(x.value, y), x.slope) if isinstance(x, Dual) else math.fmod(x, y)`,
  hypot: `
def hypot(*sides):
    return sqrt(sum((side * side for side in sides), 0.0))`,
};

/**
 * Lines that make the mathematical functions of scripts known.
 * @param dual whether they are to take dual numbers
 */
export function mathLines(
  names: ReadonlySet<string>,
  dual: boolean,
  ask: (helper: string) => void,
): string[] {
  const plain = [...names].filter((name) => !OWN.has(name)).sort();
  for (const name of names) if (OWN.has(name)) ask(name);
  if (!dual) return plain.length === 0 ? [] : [`from math import ${plain.join(', ')}`];
  const lines: string[] = [];
  const all = new Set([...plain, ...(names.has('hypot') ? ['sqrt'] : [])]);
  for (const name of all) {
    const slope = SLOPES[name];
    if (slope !== undefined) lines.push(`${name} = lifted(math.${name}, lambda x: ${slope})`);
  }
  for (const name of all) {
    if (Object.hasOwn(PAIRS, name)) lines.push('', '', ...text(PAIRS[name]));
  }
  return lines;
}
