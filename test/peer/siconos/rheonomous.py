"""Runs a particle above a moving, curved surface in Siconos and prints its states as JSON.

The relation is y = q[1] - amplitude * sin(wavenumber * q[0] - omega * t); wavenumber 0 makes it a vibrating table.

Standard input, one JSON object:
    mass [[...]], q0 [x, z], v0 [x, z], force [x, z]
    amplitude (m), wavenumber (1/m), omega (rad/s), e
    h, steps, theta; every: print every n-th step (default 1)

Standard output: as lagrangian.py.
"""

import json
import math
import sys

import numpy as np
import siconos.kernel as sk
import siconos.numerics as sn

from lagrangian import LCP_TOLERANCE


class MovingSurface(sk.LagrangianRheonomousR):
    """Height of the particle above the surface."""

    def __init__(self, amplitude, wavenumber, omega):
        super().__init__()
        self.amplitude, self.wavenumber, self.omega = amplitude, wavenumber, omega
        self.jacobian = sk.SimpleMatrix(1, 2)
        self.time_derivative = sk.SiconosVector(1)
        self.setJachqPtr(self.jacobian)
        self._hDot = self.time_derivative

    def phase(self, time, q):
        return self.wavenumber * q[0] - self.omega * time

    # The integrator takes a reference to what C() returns; without this override it would be a temporary.
    def C(self):
        return self.jacobian

    def computeh(self, time, q, z, y):
        y[0] = q[1] - self.amplitude * math.sin(self.phase(time, q))

    def computehDot(self, time, q, z):
        self.time_derivative.setValue(0, self.amplitude * self.omega * math.cos(self.phase(time, q)))

    def computeJachq(self, time, q, z):
        slope = -self.amplitude * self.wavenumber * math.cos(self.phase(time, q))
        self.jacobian.setValue(0, 0, slope)
        self.jacobian.setValue(0, 1, 1.0)


def main():
    spec = json.load(sys.stdin)
    h, steps, every = spec["h"], spec["steps"], spec.get("every", 1)
    nsds = sk.NonSmoothDynamicalSystem(0.0, 2.0 * h * steps)
    particle = sk.LagrangianLinearTIDS(spec["q0"], spec["v0"], np.array(spec["mass"], dtype=float))
    particle.setFExtPtr(np.array(spec["force"], dtype=float))
    nsds.insertDynamicalSystem(particle)
    law = sk.NewtonImpactNSL(spec["e"])
    relation = MovingSurface(spec["amplitude"], spec["wavenumber"], spec["omega"])
    contact = sk.Interaction(law, relation)
    nsds.link(contact, particle)
    problem = sk.LCP(sn.SICONOS_LCP_LEMKE)
    problem.numericsSolverOptions().dparam[sn.SICONOS_DPARAM_TOL] = LCP_TOLERANCE
    simulation = sk.TimeStepping(
        nsds, sk.TimeDiscretisation(0.0, h), sk.MoreauJeanOSI(spec["theta"]), problem
    )

    result = {"t": [], "q": [], "v": [], "p": [], "gap": [], "gapVelocity": []}
    for step in range(1, steps + 1):
        simulation.computeOneStep()
        if step % every == 0:
            result["t"].append(simulation.nextTime())
            result["q"].append([float(value) for value in particle.q()])
            result["v"].append([float(value) for value in particle.velocity()])
            result["p"].append([float(contact.lambda_(1)[0])])
            result["gap"].append([float(contact.y(0)[0])])
            result["gapVelocity"].append([float(contact.y(1)[0])])
        simulation.nextStep()
    json.dump(result, sys.stdout)


if __name__ == "__main__":
    main()
