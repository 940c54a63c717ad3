"""Non-smooth laws of a document, and the one-step problem that fits them."""

import siconos.kernel as sk
import siconos.numerics as sn

# Pivoting methods and enumeration are exact up to rounding; the number only decides when Siconos complains.
TOLERANCE = 1e-10


def one_for_each_row(bounds, size):
    return bounds * size if len(bounds) == 1 else bounds


def relay(spec, size):
    lower, upper = (set(one_for_each_row(spec[key], size)) for key in ("lower", "upper"))
    if len(lower) > 1 or len(upper) > 1:
        raise ValueError("a relay of Siconos has the same bounds in all rows")
    return sk.RelayNSL(size, lower.pop(), upper.pop())


def build(spec, size):
    kind = spec["type"]
    if kind == "Complementarity":
        return sk.ComplementarityConditionNSL(size)
    if kind == "MixedComplementarity":
        return sk.MixedComplementarityConditionNSL(spec["inequalities"], spec["equalities"])
    if kind == "Equality":
        return sk.EqualityConditionNSL(size)
    if kind == "Relay":
        return relay(spec, size)
    if kind == "NewtonImpact":
        return sk.NewtonImpactNSL(size, spec["e"])
    if kind == "NewtonImpactFriction":
        # Rows of the relation: gap and slip.
        return sk.NewtonImpactFrictionNSL(spec["e"], spec.get("et", 0.0), spec["mu"], 2)
    raise ValueError(f"laws of type {kind} are not described here")


def problem(kinds):
    """The narrowest problem of Siconos that takes laws of these types."""
    if "NewtonImpactFriction" in kinds:
        chosen = sk.FrictionContact(2, sn.SICONOS_FRICTION_2D_LEMKE)
    elif "Relay" in kinds:
        chosen = sk.Relay(sn.SICONOS_RELAY_LEMKE)
    elif kinds & {"MixedComplementarity", "Equality"}:
        chosen = sk.MLCP(sn.SICONOS_MLCP_ENUM)
    else:
        chosen = sk.LCP(sn.SICONOS_LCP_LEMKE)
    chosen.numericsSolverOptions().dparam[sn.SICONOS_DPARAM_TOL] = TOLERANCE
    return chosen
