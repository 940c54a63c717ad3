// The entry of a worker thread that has nothing to do.
