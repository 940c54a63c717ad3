"""Reads exported tables back with the usual libraries; prints what they hold as JSON, numbers as hexadecimal text."""
import importlib.util
import json
import sys


def text_of(value):
    return value.decode() if isinstance(value, bytes) else str(value)


def column(values):
    return [float(value).hex() for value in values]


def read_h5(path):
    import h5py

    with h5py.File(path) as file:
        names = [text_of(name) for name in file.attrs["signals"]]
        return {
            "names": names,
            "units": [text_of(file[name].attrs["unit"]) for name in names],
            "title": text_of(file.attrs["title"]),
            "model": json.loads(text_of(file["model"][()]))["title"],
            "columns": [column(file[name][:]) for name in names],
        }


def read_nc(path):
    import netCDF4

    with netCDF4.Dataset(path) as file:
        file.set_auto_mask(False)
        signals = [variable for variable in file.variables.values() if hasattr(variable, "signal")]
        return {
            "names": [variable.signal for variable in signals],
            "units": [getattr(variable, "units", "") for variable in signals],
            "title": file.title,
            "model": json.loads(file["model"][...])["title"],
            "columns": [column(variable[:]) for variable in signals],
        }


def read_npz(path):
    import numpy

    with numpy.load(path) as file:
        names = [str(name) for name in file["_names"]]
        provenance = json.loads(str(file["_provenance"][0]))
        return {
            "names": names,
            "units": [str(unit) for unit in file["_units"]],
            "title": provenance["title"],
            "model": provenance["model"]["title"],
            "columns": [column(file[name.replace(":", "_")]) for name in names],
        }


def read_mat(path):
    import scipy.io

    file = scipy.io.loadmat(path, chars_as_strings=True)

    def words(name):
        return [str(cell[0][0]) if cell[0].size else "" for cell in file[name]]

    provenance = json.loads(str(file["provenance"][0]))
    return {
        "names": words("signal_names"),
        "units": words("signal_units"),
        "title": provenance["title"],
        "model": provenance["model"]["title"],
        "columns": [column(file[name][:, 0]) for name in words("signal_variables")],
    }


def read_csv(path, **options):
    import pandas

    table = pandas.read_csv(path, float_precision="round_trip", **options)
    names = [name.split(" [")[0] for name in table.columns]
    units = [name.split(" [")[1][:-1] if " [" in name else "" for name in table.columns]
    return {"names": names, "units": units, "columns": [column(table[name]) for name in table.columns]}


def read_commented(path):
    with open(path, encoding="utf-8") as file:
        facts = dict(line[2:].split(": ", 1) for line in file if line.startswith("# "))
    return {
        **read_csv(path, comment="#"),
        "title": json.loads(facts["title"]),
        "model": json.loads(facts["model"])["title"],
    }


def read_json(path):
    import numpy

    with open(path, encoding="utf-8") as file:
        about = json.load(file)
    values = numpy.array(about["rows"], dtype=float)
    return {
        "names": [signal["name"] for signal in about["signals"]],
        "units": [signal["unit"] for signal in about["signals"]],
        "title": about["title"],
        "model": about["model"]["title"],
        "columns": [column(values[:, k]) for k in range(values.shape[1])],
    }


def read_parquet(path):
    import pyarrow.parquet

    table = pyarrow.parquet.read_table(path)
    about = json.loads(table.schema.metadata[b"moreau"])
    return {
        "names": table.column_names,
        "units": [signal["unit"] for signal in about["signals"]],
        "title": about["provenance"]["title"],
        "model": about["provenance"]["model"]["title"],
        "columns": [column(table[name].to_pylist()) for name in table.column_names],
    }


READERS = {
    "h5": ("h5py", read_h5),
    "nc": ("netCDF4", read_nc),
    "npz": ("numpy", read_npz),
    "mat": ("scipy", read_mat),
    "csv": ("pandas", read_csv),
    "commented": ("pandas", read_commented),
    "json": ("numpy", read_json),
    "parquet": ("pyarrow", read_parquet),
}

ending, path = sys.argv[1:]
library, read = READERS[ending]
if importlib.util.find_spec(library) is None:
    print(json.dumps({"missing": library}))
else:
    print(json.dumps(read(path)))
