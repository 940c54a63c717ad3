"""Two genes with thresholds: each relay is 1 while its output is negative."""


def distances(_t, x, _multiplier, p):
    return [p["low"] - x[1], x[0] - p["high"], p["low"] - x[0], x[1] - p["high"]]


def distances_x(_t, _x, _multiplier, _p):
    return [[0, -1], [1, 0], [-1, 0], [0, 1]]


def distances_lambda(_t, _x, _multiplier, _p):
    return [[0.0] * 4 for _ in range(4)]


def production(_t, s, p):
    return [p["kappa"] * s[0] * s[1], p["kappa"] * s[2] * s[3]]


def production_lambda(_t, s, p):
    k = p["kappa"]
    return [[k * s[1], k * s[0], 0, 0], [0, 0, k * s[3], k * s[2]]]
