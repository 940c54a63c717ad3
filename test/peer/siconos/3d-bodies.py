"""Runs rigid 3D bodies with joints or contacts in Siconos and prints their last state as JSON.

Standard input, one JSON object:
    bodies      [{"mass": m, "inertia": [a, b, c], "q0": [7], "v0": [6], "force": [3], "spring": [k, x, y, z]?}], the
                spring of stiffness k from the mass centre to a point of the world, without a length of its own
    joints      [{"type": "knee" | "prismatic" | "pivot", "bodies": [index, ...], "point": [3]?, "axis": [3]?}], in the world at the start
    contacts    [{"body": index, "points": [[3], ...], "radius": r, "mu": mu or null, "e": e}]: points of the body, in its frame,
                each with a sphere of that radius about it, on the plane z = 0
    h, steps    step (s) and number of steps
    projection  whether positions are projected onto the constraints
    theta       of the θ-method; 0.5 when left out
    iterations  of Newton's method in each step, whatever its residual; until that is small when left out
    gamma       forecast weight of the activation test; that of Siconos when left out

Standard output, one JSON object: "q", "v" [body][...] after the last step.
"""

import json
import os
import sys

import numpy as np
import siconos.kernel as sk
import siconos.mechanics.joints as joints
import siconos.numerics as sn

TOLERANCE = 1e-12


def rotated(q, s):
    """The vector s of a body with the quaternion q[3:] in the world."""
    w, x, y, z = q[3:7]
    a, b, c = s
    # By components: numpy takes ten times as long for three numbers, and contacts ask several times in a step.
    d, e, f = y * c - z * b + w * a, z * a - x * c + w * b, x * b - y * a + w * c
    return a + 2 * (y * f - z * e), b + 2 * (z * d - x * f), c + 2 * (x * e - y * d)


def on_plane(base):
    """A contact of a point of the body, or of a sphere about it, with the plane z = 0."""

    class Contact(base):
        def __init__(self, point, radius):
            super().__init__()
            self.point, self.radius = point, radius

        def computeh(self, time, q, y):
            q = q[0:7].tolist()
            turned = rotated(q, self.point)
            x1, x2, x3 = q[0] + turned[0], q[1] + turned[1], q[2] + turned[2]
            y[0] = x3 - self.radius
            self.pc1()[:] = [x1, x2, x3 - self.radius]
            self.pc2()[:] = [x1, x2, 0]
            self.nc()[:] = [0, 0, 1]

    return Contact


class Sprung(sk.NewtonEulerDS):
    """A body with a constant force and a spring at its mass centre. The kernel asks for external forces of each iterate."""

    def hang(self, force, spring):
        self.constant, self.spring = force, spring
        self.value = sk.SiconosVector(3)
        self.setFExtPtr(self.value)

    def computeFExt(self, _time, *_arguments):
        stiffness, *anchor = self.spring
        q = self.q()
        for i in range(3):
            self.value.setValue(i, self.constant[i] - stiffness * (float(q[i]) - anchor[i]))


def joint(spec, systems):
    bodies = [systems[i] for i in spec["bodies"]]
    if spec["type"] == "knee":
        return joints.KneeJointR(sk.SiconosVector(spec["point"]), True, *bodies), bodies
    if spec["type"] == "pivot":
        point, axis = sk.SiconosVector(spec["point"]), sk.SiconosVector(spec["axis"])
        return joints.PivotJointR(point, axis, True, *bodies), bodies
    return joints.PrismaticJointR(sk.SiconosVector(spec["axis"]), True, *bodies), bodies


def one_step_problem(model):
    if model["joints"]:
        problem = sk.GenericMechanical()
        problem.numericsSolverOptions().dparam[sn.SICONOS_DPARAM_TOL] = TOLERANCE
        problem.numericsSolverOptions().iparam[sn.SICONOS_IPARAM_MAX_ITER] = 100000
        return problem
    if any(spec["mu"] is None for spec in model["contacts"]):
        return sk.LCP()
    problem = sk.FrictionContact(3)
    problem.numericsSolverOptions().dparam[sn.SICONOS_DPARAM_TOL] = TOLERANCE
    problem.numericsSolverOptions().iparam[sn.SICONOS_IPARAM_MAX_ITER] = 100000
    return problem


def main():
    # Messages of the library go to standard output, where only the answer belongs.
    answer = os.dup(1)
    os.dup2(2, 1)
    model = json.load(sys.stdin)
    h, steps = model["h"], model["steps"]
    nsds = sk.NonSmoothDynamicalSystem(0.0, h * (steps + 2))
    systems, keep = [], []
    for spec in model["bodies"]:
        inertia = np.diag([float(x) for x in spec["inertia"]])
        force = [float(x) for x in spec["force"]]
        if "spring" in spec:
            system = Sprung(spec["q0"], spec["v0"], float(spec["mass"]), inertia)
            system.hang(force, [float(x) for x in spec["spring"]])
        else:
            system = sk.NewtonEulerDS(spec["q0"], spec["v0"], float(spec["mass"]), inertia)
            system.setFExtPtr(force)
        nsds.insertDynamicalSystem(system)
        systems.append(system)
    for spec in model["joints"]:
        relation, bodies = joint(spec, systems)
        interaction = sk.Interaction(sk.EqualityConditionNSL(relation.numberOfConstraints()), relation)
        nsds.link(interaction, *bodies)
        keep.append((relation, interaction))
    for spec in model["contacts"]:
        for point in spec["points"]:
            if spec["mu"] is None:
                law, base = sk.NewtonImpactNSL(spec["e"]), sk.NewtonEuler1DR
            else:
                law, base = sk.NewtonImpactFrictionNSL(spec["e"], 0.0, spec["mu"], 3), sk.NewtonEuler3DR
            relation = on_plane(base)(point, spec["radius"])
            interaction = sk.Interaction(law, relation)
            nsds.link(interaction, systems[spec["body"]])
            keep.append((law, relation, interaction))
    discretisation = sk.TimeDiscretisation(0.0, h)
    if model["projection"]:
        projection = sk.MLCPProjectOnConstraints(sn.SICONOS_MLCP_ENUM)
        simulation = sk.TimeSteppingDirectProjection(
            nsds, discretisation, sk.MoreauJeanDirectProjectionOSI(0.5), sk.GenericMechanical(), projection
        )
        simulation.setProjectionMaxIteration(50)
        simulation.setConstraintTol(1e-11)
        simulation.setConstraintTolUnilateral(1e-11)
        keep.append(projection)
    else:
        problem = one_step_problem(model)
        integrator = sk.MoreauJeanOSI(model.get("theta", 0.5))
        if "gamma" in model:
            integrator.setGamma(model["gamma"])
        simulation = sk.TimeStepping(nsds, discretisation, integrator, problem)
        keep.append(integrator)
        keep.append(problem)
    simulation.setNewtonTolerance(0.0 if "iterations" in model else 1e-11)
    simulation.setNewtonMaxIteration(model.get("iterations", 50))
    for _ in range(steps):
        simulation.computeOneStep()
        q = [[float(x) for x in system.q()] for system in systems]
        v = [[float(x) for x in system.twist()] for system in systems]
        simulation.nextStep()
    os.write(answer, json.dumps({"q": q, "v": v}).encode())


main()
