/** Finding Siconos and a C++ compiler, and building the comparison programs with them. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import beadColumn from './bead-column.cpp?raw';
import bouncingBall from './bouncing-ball.cpp?raw';
import buckConverter from './buck-converter.cpp?raw';
import diodeBridge from './diode-bridge.cpp?raw';
import eventDriven from './event-driven.cpp?raw';
import friction from './friction.cpp?raw';
import impactingBar from './impacting-bar.cpp?raw';
import lcp from './lcp.cpp?raw';
import timeLoop from './time-loop.hpp?raw';

const programs = {
  'bead-column': beadColumn,
  'bouncing-ball': bouncingBall,
  'buck-converter': buckConverter,
  'diode-bridge': diodeBridge,
  'event-driven': eventDriven,
  friction,
  'impacting-bar': impactingBar,
  lcp,
} as const;

export type ProgramName = keyof typeof programs;

export interface Toolchain {
  compiler: string;
  /** first line of what the compiler says of itself: part of the name of what it built */
  compilerVersion: string;
  /** folder with `kernel/SiconosKernel.hpp` */
  includes: string;
}

export type ToolchainSearch = { ok: true; toolchain: Toolchain } | { ok: false; reason: string };

/** As Debian builds Siconos itself: assertions off in what its headers bring along. */
const FLAGS = ['-O3', '-DNDEBUG', '-std=c++17', '-w'];

/**
 * Looks for `$CXX` or g++, and for the headers of Siconos below `$MOREAU_SICONOS_PREFIX`, /usr or /usr/local.
 */
export function findToolchain(environment: NodeJS.ProcessEnv = process.env): ToolchainSearch {
  const prefixes = [environment.MOREAU_SICONOS_PREFIX, '/usr', '/usr/local'].filter(
    (prefix): prefix is string => prefix !== undefined && prefix !== '',
  );
  const includes = prefixes
    .map((prefix) => join(prefix, 'include', 'siconos'))
    .find((folder) => existsSync(join(folder, 'kernel', 'SiconosKernel.hpp')));
  if (includes === undefined) return { ok: false, reason: 'Siconos not installed' };
  const compiler = environment.CXX === undefined || environment.CXX === '' ? 'g++' : environment.CXX;
  const { status, stdout } = spawnSync(compiler, ['--version'], { encoding: 'utf8' });
  if (status !== 0) return { ok: false, reason: `no C++ compiler (${compiler})` };
  return { ok: true, toolchain: { compiler, compilerVersion: stdout.split('\n')[0], includes } };
}

/** A folder that only the user may write to, because its contents are executed. */
function cacheFolder(environment: NodeJS.ProcessEnv): string {
  const base = environment.XDG_CACHE_HOME;
  return join(base === undefined || base === '' ? join(homedir(), '.cache') : base, 'moreau', 'siconos');
}

/** Builds one of the comparison programs. @returns path of the executable */
export function build(
  name: ProgramName,
  toolchain: Toolchain,
  environment: NodeJS.ProcessEnv = process.env,
): string {
  return compile(
    `${name}.cpp`,
    { [`${name}.cpp`]: programs[name], 'time-loop.hpp': timeLoop },
    toolchain,
    environment,
  );
}

/**
 * Compiles a program, unless the cache has it: the key is its text, the compiler and the flags.
 * @param main file with the main function, `NAME.cpp`
 * @param files text by name, headers included
 * @returns path of the executable
 * @throws {Error} with the compiler's message when it does not compile
 */
export function compile(
  main: string,
  files: Readonly<Record<string, string>>,
  { compiler, compilerVersion, includes }: Toolchain,
  environment: NodeJS.ProcessEnv = process.env,
): string {
  const name = main.replace(/\.cpp$/, '');
  const key = createHash('sha256')
    .update(JSON.stringify([files, compiler, compilerVersion, includes, FLAGS]))
    .digest('hex')
    .slice(0, 16);
  const folder = join(cacheFolder(environment), `${name}-${key}`);
  const executable = join(folder, name);
  if (existsSync(executable)) return executable;

  const work = `${folder}.${process.pid}`;
  mkdirSync(work, { recursive: true, mode: 0o700 });
  try {
    for (const [file, text] of Object.entries(files)) writeFileSync(join(work, file), text);
    const directories = ['.', 'kernel', 'numerics'].map((part) => `-I${join(includes, part)}`);
    const libraries = ['-lsiconos_kernel', '-lsiconos_numerics'];
    const { status, stderr } = spawnSync(
      compiler,
      [...FLAGS, ...directories, main, '-o', name, ...libraries],
      { cwd: work, encoding: 'utf8' },
    );
    if (status !== 0) throw new Error(`${main} does not compile:\n${stderr}`);
    publish(work, folder);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  return executable;
}

/** Moves a finished folder to its name in one step; another process that was faster built the same. */
function publish(work: string, folder: string): void {
  try {
    renameSync(work, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  }
}
