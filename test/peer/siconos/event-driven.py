"""Runs one Lagrangian linear model event-driven in Siconos and prints its non-smooth events as JSON.

Standard input, one JSON object:
    systems       [{"mass": [[...]], "stiffness": [[...]]?, "q0": [...], "v0": [...], "force": [...]?}]
    interactions  [{"systems": [index, ...], "H": [[...]], "b": [...]?, "e": number}]
    h, steps      step of the time discretisation (s) and number of steps

Standard output, one JSON object: "events", times of the non-smooth events; "t" [row], "q", "v" [row][all coordinates of
all systems] at the points of the time discretisation, right limits.
"""

import json
import os
import sys

import numpy as np
import siconos.kernel as sk

# Siconos numbers its types of events so.
TIME_DISCRETISATION = 1
NON_SMOOTH = 2


def build_system(spec):
    system = sk.LagrangianLinearTIDS(spec["q0"], spec["v0"], np.array(spec["mass"], dtype=float))
    if spec.get("force") is not None:
        system.setFExtPtr(np.array(spec["force"], dtype=float))
    if spec.get("stiffness") is not None:
        system.setKPtr(np.array(spec["stiffness"], dtype=float))
    return system


def main():
    # Messages of the library go to standard output, where only the answer belongs.
    answer = os.dup(1)
    os.dup2(2, 1)
    model = json.load(sys.stdin)
    h, steps = model["h"], model["steps"]
    nsds = sk.NonSmoothDynamicalSystem(0.0, h * (steps + 0.5))
    systems = [build_system(spec) for spec in model["systems"]]
    for system in systems:
        nsds.insertDynamicalSystem(system)
    keep = []
    for spec in model["interactions"]:
        H = np.array(spec["H"], dtype=float)
        relation = sk.LagrangianLinearTIR(H, np.array(spec.get("b", [0.0] * len(H)), dtype=float))
        interaction = sk.Interaction(sk.NewtonImpactNSL(spec["e"]), relation)
        keep.append((relation, interaction))
        nsds.link(interaction, *[systems[i] for i in spec["systems"]])
    simulation = sk.EventDriven(nsds, sk.TimeDiscretisation(0.0, h))
    integrator = sk.LsodarOSI()
    simulation.insertIntegrator(integrator)
    impact, acceleration = sk.LCP(), sk.LCP()
    simulation.insertNonSmoothProblem(impact, sk.SICONOS_OSNSP_ED_IMPACT)
    simulation.insertNonSmoothProblem(acceleration, sk.SICONOS_OSNSP_ED_SMOOTH_ACC)
    simulation.initialize()
    manager = simulation.eventsManager()
    events, t, q, v = [], [], [], []
    point = 0
    while simulation.hasNextEvent() and point < steps:
        simulation.advanceToEvent()
        kind = manager.nextEvent().getType()
        simulation.processEvents()
        time = simulation.startingTime()
        if kind == NON_SMOOTH:
            events.append(time)
        if kind != TIME_DISCRETISATION:
            continue
        point += 1
        t.append(time)
        q.append([float(x) for system in systems for x in system.q()])
        v.append([float(x) for system in systems for x in system.velocity()])
    os.write(answer, json.dumps({"events": events, "t": t, "q": q, "v": v}).encode())


main()
