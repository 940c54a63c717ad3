/**
 * Loaded into a process before its program: a disk on which only so many bytes more have room in a folder, as
 * `MOREAU_TEST_DISK=BYTES:FOLDER` says. What no longer fits is written in part, as a disk does it.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const [, bytes, folder] = /^(\d+):(.*)$/.exec(process.env.MOREAU_TEST_DISK ?? '') ?? [];
let room = Number(bytes);

const full = (path) =>
  Object.assign(new Error(`ENOSPC: no space left on device, write '${path}'`), { code: 'ENOSPC', path });
const isThere = (path) => typeof path === 'string' && path.startsWith(folder);

/** How many of the bytes have room. @throws when none has */
function take(count, path) {
  const taken = Math.min(count, room);
  room -= taken;
  if (taken === 0 && count > 0) throw full(path);
  return taken;
}

/** Writes what has room of a text or bytes, and throws for the rest. */
async function writeAll(data, path, write) {
  const all = Buffer.from(data);
  const taken = take(all.length, path);
  await write(all.subarray(0, taken));
  if (taken < all.length) throw full(path);
}

const { open, appendFile, writeFile } = fs.promises;
fs.promises.open = async (path, ...rest) => {
  const handle = await open(path, ...rest);
  if (!isThere(path)) return handle;
  const write = handle.write.bind(handle);
  const append = handle.appendFile.bind(handle);
  handle.write = (buffer, offset = 0, length = buffer.byteLength - offset, ...place) =>
    Promise.resolve().then(() => write(buffer, offset, take(length, path), ...place));
  handle.appendFile = (data) => writeAll(data, path, append);
  return handle;
};
fs.promises.appendFile = (path, data, ...rest) =>
  isThere(path)
    ? writeAll(data, path, (part) => appendFile(path, part, ...rest))
    : appendFile(path, data, ...rest);
fs.promises.writeFile = (path, data, ...rest) =>
  isThere(path)
    ? writeAll(data, path, (part) => writeFile(path, part, ...rest))
    : writeFile(path, data, ...rest);

const { openSync, writeSync } = fs;
const paths = new Map();
fs.openSync = (path, ...rest) => {
  const fd = openSync(path, ...rest);
  paths.set(fd, path);
  return fd;
};
fs.writeSync = (fd, data, ...rest) => {
  const path = paths.get(fd);
  if (!isThere(path) || typeof data === 'string') return writeSync(fd, data, ...rest);
  const [offset = 0, length = data.byteLength - offset, position] = rest;
  return writeSync(fd, data, offset, take(length, path), position);
};
syncBuiltinESMExports();
