"""Runs one Lagrangian linear model in Siconos and prints its states as JSON.

Standard input, one JSON object:
    systems       [{"mass": [[...]], "stiffness": [[...]]?, "damping": [[...]]?,
                    "q0": [...], "v0": [...], "force": [...]?,
                    "harmonic": {"amplitude": [...], "omega": number}?}]; the external force is
                  force + amplitude * cos(omega * t)
    interactions  [{"systems": [index, ...], "H": [[...]], "b": [...]?, "e": number}]
    h, steps      time step (s) and number of steps
    theta         weight of the theta method
    gamma         forecast weight of the activation test; absent: the default of Siconos
    threshold     constraint activation threshold; absent: the default of Siconos
    every         print every n-th step (default 1)

Standard output, one JSON object: "t" [row], "q" and "v" [row][all coordinates of all systems], "p" [row][all rows of
all interactions: lambda[1], the impulse of the step that ends at t], "gap" and "gapVelocity" likewise.
"""

import json
import math
import sys

import numpy as np
import siconos.kernel as sk
import siconos.numerics as sn

# Lemke is a pivoting method and exact up to rounding; the number only decides when Siconos complains.
LCP_TOLERANCE = 1e-10


class HarmonicallyForced(sk.LagrangianLinearTIDS):
    """force + amplitude * cos(omega * t)."""

    def __init__(self, q0, v0, mass, force, harmonic):
        super().__init__(q0, v0, mass)
        self.constant, self.amplitude, self.omega = force, harmonic["amplitude"], harmonic["omega"]
        # A vector of the kernel: of a numpy array it would keep a copy.
        self.total = sk.SiconosVector(len(q0))
        self.setFExtPtr(self.total)

    def computeFExt(self, time):
        cosine = math.cos(self.omega * time)
        for i, amplitude in enumerate(self.amplitude):
            self.total.setValue(i, self.constant[i] + amplitude * cosine)


def build_system(spec):
    mass = np.array(spec["mass"], dtype=float)
    force = spec.get("force")
    if spec.get("harmonic") is not None:
        constant = force if force is not None else [0.0] * len(spec["q0"])
        system = HarmonicallyForced(spec["q0"], spec["v0"], mass, constant, spec["harmonic"])
    else:
        system = sk.LagrangianLinearTIDS(spec["q0"], spec["v0"], mass)
        if force is not None:
            system.setFExtPtr(np.array(force, dtype=float))
    if spec.get("stiffness") is not None:
        system.setKPtr(np.array(spec["stiffness"], dtype=float))
    if spec.get("damping") is not None:
        system.setCPtr(np.array(spec["damping"], dtype=float))
    return system


def build_relation(spec):
    matrix = np.array(spec["H"], dtype=float)
    if spec.get("b") is None:
        return sk.LagrangianLinearTIR(matrix)
    return sk.LagrangianLinearTIR(matrix, np.array(spec["b"], dtype=float))


def main():
    spec = json.load(sys.stdin)
    h, steps, every = spec["h"], spec["steps"], spec.get("every", 1)

    # Twice the length: an end time on the last step could lose that step to rounding.
    nsds = sk.NonSmoothDynamicalSystem(0.0, 2.0 * h * steps)
    systems = [build_system(entry) for entry in spec["systems"]]
    for system in systems:
        nsds.insertDynamicalSystem(system)
    interactions = []
    # The kernel does not own the law and the relation it is given from Python.
    keep = []
    for entry in spec["interactions"]:
        law, relation = sk.NewtonImpactNSL(len(entry["H"]), entry["e"]), build_relation(entry)
        interaction = sk.Interaction(law, relation)
        keep += [law, relation]
        nsds.link(interaction, *[systems[index] for index in entry["systems"]])
        interactions.append(interaction)

    integrator = sk.MoreauJeanOSI(spec["theta"])
    if spec.get("gamma") is not None:
        integrator.setGamma(spec["gamma"])
    if spec.get("threshold") is not None:
        integrator.setConstraintActivationThreshold(spec["threshold"])
    problem = sk.LCP(sn.SICONOS_LCP_LEMKE)
    problem.numericsSolverOptions().dparam[sn.SICONOS_DPARAM_TOL] = LCP_TOLERANCE
    simulation = sk.TimeStepping(nsds, sk.TimeDiscretisation(0.0, h), integrator, problem)

    result = {"t": [], "q": [], "v": [], "p": [], "gap": [], "gapVelocity": []}

    def flat(vectors):
        return [float(value) for vector in vectors for value in vector]

    for step in range(1, steps + 1):
        simulation.computeOneStep()
        if step % every == 0:
            result["t"].append(simulation.nextTime())
            result["q"].append(flat(system.q() for system in systems))
            result["v"].append(flat(system.velocity() for system in systems))
            result["p"].append(flat(entry.lambda_(1) for entry in interactions))
            result["gap"].append(flat(entry.y(0) for entry in interactions))
            result["gapVelocity"].append(flat(entry.y(1) for entry in interactions))
        simulation.nextStep()
    # repr of a float, which json uses, is the shortest text that reads back to the same bits.
    json.dump(result, sys.stdout)


if __name__ == "__main__":
    main()
