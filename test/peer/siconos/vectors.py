"""Between numpy, Python lists and the vectors and matrices of the kernel."""

import numpy as np


def values(vector, size):
    """A list of the entries of whatever the binding hands to a director: numpy array, SiconosVector or BlockVector."""
    if hasattr(vector, "getValue"):
        return [vector.getValue(i) for i in range(size)]
    return [float(vector[i]) for i in range(size)]


def fill(target, entries):
    """Writes a list into a vector, or a list of rows into a matrix, of the kernel or of numpy."""
    by_method = hasattr(target, "setValue")
    for i, entry in enumerate(entries):
        if isinstance(entry, (list, tuple)):
            for j, number in enumerate(entry):
                if by_method:
                    target.setValue(i, j, float(number))
                else:
                    target[i, j] = number
        elif by_method:
            target.setValue(i, float(entry))
        else:
            target[i] = entry


def matrix(value, rows, columns):
    """A dense matrix from rows, or from the sparse form of a document."""
    if isinstance(value, dict):
        result = np.zeros((rows, columns))
        for i, j, number in value["entries"]:
            result[i, j] += number
        return result
    return np.array(value, dtype=float).reshape(rows, columns)


def vector(value):
    return np.array(value, dtype=float)
