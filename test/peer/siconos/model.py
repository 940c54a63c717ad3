"""Runs a model document in Siconos and prints its signals as JSON.

Standard input, one JSON object:
    document   model document of format 2 in which every expression is replaced by its value
    parameters values by name, for the functions
    functions  name of the module in `functions` that has the script functions in Python; absent when there are none
    h, steps   time step (s) and number of steps
    every      print every n-th step (default 1)
    newton     absolute tolerance of Newton's method (default 1e-13), where the model is not linear

Standard output, one JSON object: "t" [row], "signals" {name: [row]} with the names of our recordings, "newton" the
largest number of Newton iterations in a step.
"""

import importlib
import json
import sys

import siconos.kernel as sk

import laws
import relations
from systems import Plugins, System, named

NEWTON_TOLERANCE = 1e-13
NEWTON_ITERATIONS = 100


def integrator(spec):
    kind = spec["type"]
    if kind == "EulerMoreau":
        theta, theta_r = spec.get("theta", 1.0), spec.get("thetaR", 1.0)
        if "gamma" in spec:
            chosen = sk.EulerMoreauOSI(theta, spec["gamma"])
            chosen.setUseGammaForRelation(True)
            return chosen
        return sk.EulerMoreauOSI(theta) if theta_r == 1 else sk.EulerMoreauOSI(theta, theta_r)
    if kind == "MoreauJean":
        chosen = sk.MoreauJeanOSI(spec.get("theta", 0.5))
        chosen.setGamma(spec.get("forecast", 0.5))
        return chosen
    if kind == "ZeroOrderHold":
        return sk.ZeroOrderHoldOSI()
    raise ValueError(f"integrators of type {kind} are not described here")


class Interaction:
    def __init__(self, spec, systems, plugins):
        columns = sum(system.size for system in systems)
        self.id = spec["id"]
        self.has_friction = spec["law"]["type"] == "NewtonImpactFriction"
        self.is_contact = self.has_friction or spec["law"]["type"] == "NewtonImpact"
        self.order = systems[0].order
        self.relation = relations.build(spec["relation"], columns, plugins)
        self.law = laws.build(spec["law"], relations.size_of(spec["relation"]))
        # The kernel does not own the law and the relation it is given from Python: they are kept here.
        self.object = sk.Interaction(self.law, self.relation)

    def signals(self, has_output):
        if self.has_friction:
            return self.friction_signals()
        multiplier = self.object.lambda_(1 if self.is_contact else 0)
        names = ("gap", "impulse") if self.is_contact else ("y", "lambda")
        result = {
            **named(f"{self.id}.{names[1]}", multiplier),
        }
        if has_output:
            result.update(named(f"{self.id}.{names[0]}", self.object.y(0)))
        if self.is_contact:
            result.update(named(f"{self.id}.gapVelocity", self.object.y(1)))
        return result

    def friction_signals(self):
        """Of the two rows of a contact with friction, gap and slip."""
        names = (
            ("gap", "slip", self.object.y(0)),
            ("gapVelocity", "slipVelocity", self.object.y(1)),
            ("normalImpulse", "tangentialImpulse", self.object.lambda_(1)),
        )
        return {
            f"{self.id}.{name}": float(values[row])
            for *both, values in names
            for row, name in enumerate(both)
        }


def plugins_of(spec):
    if spec.get("functions") is None:
        return Plugins(None, spec["parameters"])
    return Plugins(importlib.import_module(f"functions.{spec['functions']}"), spec["parameters"])


def main():
    spec = json.load(sys.stdin)
    document, h, steps, every = spec["document"], spec["h"], spec["steps"], spec.get("every", 1)
    plugins = plugins_of(spec)
    linear = all(relations.is_linear(entry["relation"]) for entry in document["interactions"])

    # Twice the length: an end time on the last step could lose that step to rounding.
    nsds = sk.NonSmoothDynamicalSystem(0.0, 2.0 * h * steps)
    systems = {entry["id"]: System(entry, plugins, not linear) for entry in document["systems"]}
    for system in systems.values():
        nsds.insertDynamicalSystem(system.object)
    integrators = document["simulation"]["integrators"]
    interactions = []
    for entry in document["interactions"]:
        linked = [systems[name] for name in entry["systems"]]
        interaction = Interaction(entry, linked, plugins)
        nsds.link(interaction.object, *[system.object for system in linked])
        if integrators[0]["type"] == "ZeroOrderHold":
            # The only interactions its integrator knows how to treat.
            nsds.setControlProperty(interaction.object, True)
        interactions.append(interaction)

    if len(integrators) != 1:
        raise ValueError("one integrator is expected")
    problem = laws.problem({entry["law"]["type"] for entry in document["interactions"]})
    scheme = integrator(integrators[0])
    simulation = sk.TimeStepping(nsds, sk.TimeDiscretisation(0.0, h), scheme, problem)
    simulation.setNewtonTolerance(spec.get("newton", NEWTON_TOLERANCE))
    simulation.setNewtonMaxIteration(NEWTON_ITERATIONS)
    if linear:
        # With linear relations there is nothing to check, and for non-linear systems the check reads what is not there.
        simulation.setComputeResiduY(False)
        simulation.setComputeResiduR(False)

    result = {"t": [], "signals": {}, "newton": 0}
    for step in range(1, steps + 1):
        simulation.computeOneStep()
        result["newton"] = max(result["newton"], simulation.getNewtonNbIterations())
        if step % every == 0:
            result["t"].append(simulation.nextTime())
            signals = {}
            for system in systems.values():
                signals.update(system.signals())
            # With relations at γ the kernel reports y of the end of the step, where the law does not hold.
            for interaction in interactions:
                signals.update(interaction.signals("gamma" not in integrators[0]))
            for name, value in signals.items():
                result["signals"].setdefault(name, []).append(value)
        simulation.nextStep()
    # repr of a float, which json uses, is the shortest text that reads back to the same bits.
    json.dump(result, sys.stdout)


if __name__ == "__main__":
    main()
