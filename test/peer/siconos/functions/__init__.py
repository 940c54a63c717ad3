"""The script functions of models in Python: arguments as in the scripts, with the results returned as lists."""
