"""Opens a NetCDF file by the NetCDF library; prints what it holds as JSON. Then a variable is added, as a user may."""
import importlib.util
import json
import sys

if importlib.util.find_spec("netCDF4") is None:
    print(json.dumps({"missing": "netCDF4"}))
    sys.exit()

import netCDF4

path = sys.argv[1]
with netCDF4.Dataset(path) as file:
    file.set_auto_mask(False)
    found = {
        "model": file.data_model,
        "dimensions": {name: [dimension.size, dimension.isunlimited()] for name, dimension in file.dimensions.items()},
        "attributes": {name: file.getncattr(name) for name in file.ncattrs()},
        "variables": {
            name: {
                "over": list(variable.dimensions),
                "type": str(variable.dtype),
                "attributes": {key: variable.getncattr(key) for key in variable.ncattrs()},
                "values": [str(value) for value in variable[...].reshape(-1)] if variable.dimensions else variable[...],
            }
            for name, variable in file.variables.items()
        },
    }
with netCDF4.Dataset(path, "a") as file:
    (over,) = file.dimensions
    added = file.createVariable("added", "f8", (over,))
    added[:] = 2 * file.variables["t"][:]
with netCDF4.Dataset(path) as file:
    found["added"] = [str(value) for value in file["added"][:]]
print(json.dumps(found, default=float))
