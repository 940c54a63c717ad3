"""Small event-driven models by scipy.integrate.solve_ivp with events, as its users write them: the method of
order 8, started again after each event.

Arguments as in cvode-events.c, words NAME=VALUE. Output: one line of JSON with the time of an event, ns, and
the times of the events."""
import json
import sys
import time
from math import cos, floor, pi, sin, sqrt

from scipy.integrate import solve_ivp

given = dict(word.split("=") for word in sys.argv[1:])
BALL, OSCILLATOR, STICK_SLIP, CAM = range(4)
model = int(given["model"])
events = int(given["events"])
rtol = float(given["rtol"])
turning = 2 * pi * float(given["rpm"]) / 60
# After an impact the gap is so large, m: at zero the search would find the impact before.
APART = 1e-14


def lift(t):
    k1, rho1, k2, rho3, base = 0.45, 0.85, 0.40393320723821, 0.15, 0.3
    turns = turning / (2 * pi) * t + 0.25
    angle = 2 * pi * (turns - floor(turns))
    falls = angle > pi
    beta = 2 * pi - angle if falls else angle
    value, d = k2 + rho3 - base, 0.0
    if beta < pi / 2:
        value = 0.4 - base
    elif beta < pi / 2 + 1.050328174371336:
        c, s = k1 * cos(beta), k1 * sin(beta)
        root = sqrt(rho1 * rho1 - c * c)
        value, d = root - s - base, c * s / root - c
    elif beta < pi / 2 + 1.22173047639603:
        c, s = k2 * cos(beta + pi / 9), k2 * sin(beta + pi / 9)
        root = sqrt(rho3 * rho3 - s * s)
        value, d = root - c - base, s - s * c / root
    return value, -d if falls else d


# Of each model: rates, the function whose zero from above is the event, and what the event does.
def ball():
    return (
        lambda t, x: (x[1], -9.81),
        lambda t, x: x[0],
        lambda t, x: (APART, -0.999 * x[1]),
    )


def oscillator():
    return (
        lambda t, x: (x[1], cos(2.8 * t) - 0.04 * x[1] - x[0]),
        lambda t, x: 0.6 - x[0],
        lambda t, x: (0.6 - APART, -0.7 * x[1]),
    )


def slips():
    return (
        lambda t, x: (x[1], 0.1 * (x[1] - 0.2) - x[0] + 1),
        lambda t, x: 0.2 - x[1],
        lambda t, x: (x[0], 0.2),
    )


def sticks():
    return (
        lambda t, x: (0.2, 0.0),
        lambda t, x: 1 - x[0],
        lambda t, x: (1.0, 0.2 - APART),
    )


def cam():
    def land(t, x):
        value, slope = lift(t)
        return (value + APART, 1.8 * slope * turning - 0.8 * x[1])

    return (
        lambda t, x: (x[1], -1430.8 / 1.221 * x[0]),
        lambda t, x: x[0] - lift(t)[0],
        land,
    )


modes = {BALL: [ball()], OSCILLATOR: [oscillator()], STICK_SLIP: [slips(), sticks()], CAM: [cam()]}[model]
for mode in modes:
    mode[1].terminal = True
    mode[1].direction = -1
t, x = 0.0, {BALL: (0.9, 0.0), OSCILLATOR: (-0.5, 2.0), STICK_SLIP: (0.0, 0.0), CAM: (0.5, 0.4)}[model]
# A step may not reach over a flight and the next one: events between its ends would be missed in pairs.
longest = {BALL: 0.2, OSCILLATOR: 0.5, STICK_SLIP: 1.0, CAM: 0.01}[model]
times = []
began = time.process_time_ns()
for k in range(events):
    rate, gap, happen = modes[k % len(modes)]
    solution = solve_ivp(
        rate, (t, t + 1e3), x, method="DOP853", rtol=rtol, atol=0.1 * rtol, events=gap, max_step=longest
    )
    t, x = solution.t[-1], solution.y[:, -1]
    times.append(t)
    x = happen(t, x)
taken = time.process_time_ns() - began
print(json.dumps({"ns": taken / events, "state": times}))
