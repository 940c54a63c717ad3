"""Direct and combined projection of positions in Siconos; prints states as JSON. Its problem of the projection has the
metric of the masses and its update that of the coordinates, so that masses of 1 are for comparison.

Standard input, one JSON object:
    kind        "column" (q0, v0, masses, e, d: beads above a floor, d between centres) or "linkage" (bars, pins, loose,
                clearance, guided, e, q0, v0: bars in one system of three coordinates each) or "bodies" (bodies: mass,
                inertia, q0, v0; radius and e of balls above a plane, one above the other, or knee: a point of the world)
    projection  "yes" (direct), "combined" or "no"
    forecast    of the activation, where it is direct
    threshold   of y + γ h ẏ beyond which a contact takes part no longer, where it is direct; that of Siconos, 1e-7, when left out
    iterations  of Newton's method in each step: one has rows of the predicted position; four when left out
    h, steps    time step (s) and number of steps
    tolerance   of the projection

Standard output, one JSON object: "q" and "v" [step][coordinate], the initial state first; "gap" [step][contact].
"""

import json
import math
import os
import sys

import numpy as np
import siconos.kernel as sk
import siconos.mechanics.joints as joints
import siconos.numerics as sn

from vectors import fill, values

THETA = 0.5
# The states of a step are those of eight iterations to the last bit.
ITERATIONS = 4


class Constraint(sk.LagrangianScleronomousR):
    """y = h(q) with Jacobian, by a function of q that returns both.

    The kernel asks many times for the same q, and what it costs to answer is most of what this program takes.
    """

    def __init__(self, size, columns, function):
        super().__init__()
        self.columns, self.function = columns, function
        self.jacobian = sk.SimpleMatrix(size, columns)
        self.setJachqPtr(self.jacobian)
        self.at, self.y, self.rows = None, None, None
        self.written = [[0.0] * columns for _ in range(size)]

    def evaluate(self, q):
        place = values(q, self.columns)
        if place != self.at:
            y, rows = self.function(np.array(place))
            self.at, self.y, self.rows = place, list(y), [np.asarray(row).tolist() for row in rows]

    # The integrator takes a reference to what C() returns; without this override it would be a temporary.
    def C(self):
        return self.jacobian

    def computeh(self, q, _z, y):
        self.evaluate(q)
        fill(y, self.y)

    def computeJachq(self, q, _z):
        self.evaluate(q)
        if self.rows is self.written:
            return
        for i, (new, old) in enumerate(zip(self.rows, self.written)):
            for j, number in enumerate(new):
                if number != old[j]:
                    self.jacobian.setValue(i, j, number)
        self.written = self.rows

    def computeDotJachq(self, *_arguments):
        """Only the acceleration level needs it, but the kernel calls it, and the inherited one fails."""


def end_of(end, bars, q):
    """A point of the linkage and its Jacobian."""
    if "at" in end:
        return np.array(end["at"]), np.zeros((2, len(q)))
    first = 3 * end["bar"]
    half = end["side"] * bars[end["bar"]]["length"] / 2
    x, y, angle = q[first : first + 3]
    jacobian = np.zeros((2, len(q)))
    jacobian[0, first] = jacobian[1, first + 1] = 1
    jacobian[0, first + 2] = -half * math.sin(angle)
    jacobian[1, first + 2] = half * math.cos(angle)
    return np.array([x + half * math.cos(angle), y + half * math.sin(angle)]), jacobian


def between(pair, bars, q):
    (a, ja), (b, jb) = (end_of(end, bars, q) for end in pair)
    return a - b, ja - jb


def gap_of(pair, bars, clearance, q):
    d, jacobian = between(pair, bars, q)
    length = math.hypot(*d)
    return [clearance - length], [-(d @ jacobian) / length]


def build_linkage(spec):
    bars, n = spec["bars"], len(spec["q0"])
    mass = np.diag([m for bar in bars for m in (bar["mass"], bar["mass"], bar["inertia"])])
    # Of LagrangianLinearTIDS iterations would end after the first.
    system = sk.LagrangianDS(spec["q0"], spec["v0"], mass)
    system.setFExtPtr(np.array([f for bar in bars for f in (0, -9.81 * bar["mass"], 0)]))
    parts = []
    for pair in spec["pins"]:
        law = sk.EqualityConditionNSL(2)
        parts.append((law, Constraint(2, n, lambda q, pair=pair: between(pair, bars, q)), [system]))
    law = sk.NewtonImpactNSL(spec["e"])
    gap = Constraint(1, n, lambda q: gap_of(spec["loose"], bars, spec["clearance"], q))
    parts.append((law, gap, [system]))
    for bar in spec["guided"]:
        H = np.zeros((2, n))
        H[0, 3 * bar + 1] = H[1, 3 * bar + 2] = 1
        parts.append((sk.EqualityConditionNSL(2), Constraint(2, n, lambda q, H=H: (H @ q, H)), [system]))
    return [system], parts


def build_column(spec):
    systems, parts = [], []
    for q, v, m in zip(spec["q0"], spec["v0"], spec["masses"]):
        system = sk.LagrangianLinearTIDS([q], [v], np.array([[float(m)]]))
        system.setFExtPtr(np.array([-9.81 * m]))
        systems.append(system)
    for i, system in enumerate(systems):
        law = sk.NewtonImpactNSL(spec["e"])
        if i == 0:
            parts.append((law, sk.LagrangianLinearTIR(np.array([[1.0]])), [system]))
        else:
            relation = sk.LagrangianLinearTIR(np.array([[-1.0, 1.0]]), np.array([-float(spec["d"])]))
            parts.append((law, relation, [systems[i - 1], system]))
    return systems, parts


class BallOnPlane(sk.NewtonEuler1DR):
    def __init__(self, radius):
        super().__init__()
        self.radius = radius

    def computeh(self, _time, q, y):
        x1, x2, x3 = q[0:3].tolist()
        y[0] = x3 - self.radius
        self.pc1()[:] = [x1, x2, x3 - self.radius]
        self.pc2()[:] = [x1, x2, 0]
        self.nc()[:] = [0, 0, 1]


class BallOnBall(sk.NewtonEuler1DR):
    def __init__(self, radius):
        super().__init__()
        self.radius = radius

    def computeh(self, _time, q, y):
        first, second = np.array(q[0:3].tolist()), np.array(q[7:10].tolist())
        distance = np.linalg.norm(first - second)
        normal = (first - second) / distance
        y[0] = distance - 2 * self.radius
        self.pc1()[:] = first - self.radius * normal
        self.pc2()[:] = second + self.radius * normal
        self.nc()[:] = normal


def build_bodies(spec):
    systems, parts = [], []
    for body in spec["bodies"]:
        inertia = np.diag([float(moment) for moment in body["inertia"]])
        system = sk.NewtonEulerDS(body["q0"], body["v0"], float(body["mass"]), inertia)
        system.setFExtPtr([0, 0, -9.81 * body["mass"]])
        systems.append(system)
    if "knee" in spec:
        relation = joints.KneeJointR(sk.SiconosVector(spec["knee"]), True, *systems)
        parts.append((sk.EqualityConditionNSL(relation.numberOfConstraints()), relation, systems))
    for i, system in enumerate(systems if "radius" in spec else []):
        relation = (BallOnBall if i > 0 else BallOnPlane)(spec["radius"])
        parts.append((sk.NewtonImpactNSL(spec["e"]), relation, [system, *systems[i - 1 : i]]))
    return systems, parts


BUILDERS = {"linkage": build_linkage, "column": build_column, "bodies": build_bodies}


def main():
    # Messages of the library go to standard output, where only the answer belongs.
    out = os.dup(1)
    os.dup2(2, 1)
    spec = json.load(sys.stdin)
    h, steps = spec["h"], spec["steps"]
    nsds = sk.NonSmoothDynamicalSystem(0.0, 2.0 * h * steps)
    systems, parts = BUILDERS[spec["kind"]](spec)
    for system in systems:
        nsds.insertDynamicalSystem(system)
    contacts = []
    for law, relation, linked in parts:
        interaction = sk.Interaction(law, relation)
        nsds.link(interaction, *linked)
        if isinstance(law, sk.NewtonImpactNSL):
            contacts.append(interaction)

    grid = sk.TimeDiscretisation(0.0, h)
    velocities = sk.MLCP(sn.SICONOS_MLCP_ENUM)
    positions = sk.MLCPProjectOnConstraints(sn.SICONOS_MLCP_ENUM, 1.0)
    if spec["projection"] == "yes":
        integrator = sk.MoreauJeanDirectProjectionOSI(THETA, spec["forecast"])
        if "threshold" in spec:
            integrator.setActivateYPosThreshold(spec["threshold"])
            integrator.setDeactivateYPosThreshold(spec["threshold"])
        simulation = sk.TimeSteppingDirectProjection(nsds, grid, integrator, velocities, positions)
    elif spec["projection"] == "combined":
        integrator = sk.MoreauJeanCombinedProjectionOSI(THETA)
        simulation = sk.TimeSteppingCombinedProjection(nsds, grid, integrator, velocities, positions)
    else:
        integrator = sk.MoreauJeanOSI(THETA)
        simulation = sk.TimeStepping(nsds, grid, integrator, velocities)
    if spec["projection"] != "no":
        simulation.setConstraintTol(spec["tolerance"])
        simulation.setConstraintTolUnilateral(spec["tolerance"])
        simulation.setProjectionMaxIteration(200)
    # Its own test looks at the motion alone, which is linear here, and leaves rows one iterate behind.
    simulation.setNewtonTolerance(0.0)
    simulation.setNewtonMaxIteration(spec.get("iterations", ITERATIONS))
    simulation.setWarnOnNonConvergence(False)

    answer = {"q": [], "v": [], "gap": []}

    def velocity(system):
        return system.twist() if spec["kind"] == "bodies" else system.velocity()

    def record():
        answer["q"].append([float(x) for system in systems for x in system.q()])
        answer["v"].append([float(x) for system in systems for x in velocity(system)])
        answer["gap"].append([float(contact.y(0)[0]) for contact in contacts])

    simulation.initialize()
    record()
    for _ in range(steps):
        simulation.computeOneStep()
        record()
        simulation.nextStep()
    os.write(out, json.dumps(answer).encode())


main()
