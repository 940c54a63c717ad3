"""Functions of the models in `inline.ts`."""

from math import cos, sin


def rates(t, _p):
    return [[-1, 2 + sin(3 * t)], [-2, -0.5 * t]]


def source(t, _p):
    return [cos(5 * t), t - 1]


def swing(t, x, _p):
    return [x[1], -4 * sin(x[0]) - 0.1 * x[1] * x[1] * x[1] + cos(3 * t) - 1]


def swing_x(_t, x, _p):
    return [[0, 1], [-4 * cos(x[0]), -0.3 * x[1] * x[1]]]


def output(_t, x, s, _p):
    return [
        x[0] + 0.2 * sin(x[1]) + 0.3 * s[0] + 0.05 * s[0] * s[0],
        x[1] - 0.3 * x[0] * x[0] + 0.4 * s[1] - 0.5 + 0.02 * s[0] * s[1],
    ]


def output_x(_t, x, _s, _p):
    return [[1, 0.2 * cos(x[1])], [-0.6 * x[0], 1]]


def output_lambda(_t, _x, s, _p):
    return [[0.3 + 0.1 * s[0], 0], [0.02 * s[1], 0.4 + 0.02 * s[0]]]


def input(_t, s, _p):
    return [s[0] + 0.1 * s[0] * s[0], s[1] + 0.1 * s[0] * s[1]]


def input_lambda(_t, s, _p):
    return [[1 + 0.2 * s[0], 0], [0.1 * s[1], 1 + 0.1 * s[0]]]
