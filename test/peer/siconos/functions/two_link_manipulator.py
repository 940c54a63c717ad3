"""A robot arm of two links above a table."""

from math import cos, sin


def mass(q, p):
    c = p["m2"] * p["l1"] * p["l2"] * cos(q[1])
    outer = p["m2"] * p["l2"] * p["l2"]
    return [[(p["m1"] + p["m2"]) * p["l1"] * p["l1"] + outer + 2 * c, outer + c], [outer + c, outer]]


def gyroscopic(q, v, p):
    s = p["m2"] * p["l1"] * p["l2"] * sin(q[1])
    return [-s * (2 * v[0] * v[1] + v[1] * v[1]), s * v[0] * v[0]]


def internal(_t, q, v, p):
    outer = p["m2"] * p["g"] * p["l2"] * cos(q[0] + q[1])
    inner = (p["m1"] + p["m2"]) * p["g"] * p["l1"] * cos(q[0])
    return [inner + outer + p["kp"] * (q[0] - p["target"]) + p["kd"] * v[0], outer + p["kp"] * q[1] + p["kd"] * v[1]]


def clearance(q, p):
    return [p["l1"] * sin(q[0]) + p["l2"] * sin(q[0] + q[1]) + p["table"]]


def clearance_q(q, p):
    outer = p["l2"] * cos(q[0] + q[1])
    return [[p["l1"] * cos(q[0]) + outer, outer]]
