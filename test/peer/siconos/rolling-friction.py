"""Contacts with rolling friction, five rows each, solved by sweeps of Siconos: it reads problems from files only."""

import json
import os
import sys
import tempfile

import numpy as np
import siconos.numerics as sn


def read_problem(problem, folder):
    n = len(problem["q"])
    path = os.path.join(folder, "problem.dat")
    columns = np.array(problem["W"]).reshape(n, n).flatten(order="F")
    numbers = [*columns, *problem["q"], *problem["mu"], *problem["rolling"]]
    with open(path, "w", encoding="ascii") as file:
        # Dimension, contacts, dense storage, and the size of the matrix twice.
        file.write(f"5\n{n // 5}\n0\n{n}\n{n}\n{n}\t{n}\n")
        file.writelines(f"{value!r}\n" for value in map(float, numbers))
    return sn.rollingFrictionContact_new_from_filename(path)


def solve(problem, folder):
    options = sn.SolverOptions(sn.SICONOS_ROLLING_FRICTION_3D_NSGS)
    options.iparam[sn.SICONOS_IPARAM_MAX_ITER] = 20000
    options.dparam[sn.SICONOS_DPARAM_TOL] = 1e-12
    n = len(problem["q"])
    reaction, velocity = np.zeros(n), np.zeros(n)
    status = sn.rolling_fc3d_driver(read_problem(problem, folder), reaction, velocity, options)
    return {"status": status, "reaction": reaction.tolist(), "velocity": velocity.tolist()}


with tempfile.TemporaryDirectory() as scratch:
    json.dump({"answers": [solve(problem, scratch) for problem in json.load(sys.stdin)["problems"]]}, sys.stdout)
