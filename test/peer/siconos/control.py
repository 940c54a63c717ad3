"""A linear plant with one controller and, where asked for, an observer, by the control toolbox of Siconos."""

import json
import os
import sys

import numpy as np
import siconos.control.controller as controllers
import siconos.control.observer as observers
import siconos.kernel as sk
from siconos.control.sensor import LinearSensor
from siconos.control.simulation import ControlZOHSimulation


def matrix(rows):
    return np.array(rows, dtype=float)


def controller_of(given, sensor, plant_b):
    kind = given["kind"]
    if kind == "PID":
        block = controllers.PID(sensor, plant_b)
        block.setK(np.array(given["gains"], dtype=float))
        block.setRef(given["reference"])
        return block
    if kind in ("LinearSMC", "ExplicitLinearSMC"):
        block = getattr(controllers, kind)(sensor, plant_b)
        block.setCsurface(matrix(given["surface"]))
        block.setAlpha(given["alpha"])
        block.noUeq(not given["equivalent"])
        return block
    if kind == "LinearSMCOT2":
        block = controllers.LinearSMCOT2(sensor)
        block.setB(plant_b)
        block.setCsurface(matrix(given["surface"]))
        return block
    # The implicit one needs lp_solve, with which Debian's package is not built.
    block = controllers.ExplicitTwisting(sensor, given["gain"], given["beta"])
    block.setCsurface(np.eye(2))
    return block


def run(case):
    a, h, t_end = matrix(case["A"]), case["h"], case["tEnd"]
    plant = sk.FirstOrderLinearTIDS(np.array(case["x0"], dtype=float), a)
    plant_b = matrix(case["B"])
    sensor = LinearSensor(plant, matrix(case["C"]))
    simulation = ControlZOHSimulation(0.0, t_end, h)
    simulation.setSaveOnlyMainSimulation(True)
    simulation.addDynamicalSystem(plant)
    simulation.addSensor(sensor, h)
    controller = controller_of(case["controller"], sensor, plant_b)
    simulation.addActuator(controller, h)
    observer = None
    if "observer" in case:
        given = case["observer"]
        make = getattr(observers, given["kind"])
        # Here the innovation is C x̂ − y.
        observer = make(sensor, np.array(given["x0"], dtype=float), matrix(given["C"]), -matrix(given["L"]))
        simulation.addObserver(observer, h)
    simulation.initialize()
    simulation.run()
    estimate = None if observer is None else np.array(observer.xHat()).tolist()
    return {"rows": simulation.data().tolist(), "estimate": estimate}


# Siconos draws how far it is.
kept = os.dup(1)
os.dup2(2, 1)
answers = [run(case) for case in json.load(sys.stdin)["cases"]]
sys.stdout.flush()
os.dup2(kept, 1)
json.dump({"answers": answers}, sys.stdout)
