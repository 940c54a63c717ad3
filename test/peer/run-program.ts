/** Runs comparison programs in C++, for what Siconos has no Python binding of. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { compile, findToolchain, type Toolchain } from '@cli/bench/siconos/toolchain';

/** bytes */
const MOST_OUTPUT = 2 ** 26;

/** The compiler and the headers of Siconos, or why there are none. */
export const toolchain = findToolchain();

/**
 * Builds one of the programs in `siconos/`, unless it has been built before, and runs it.
 * @param program file name
 * @param input what it reads from its standard input
 * @param headers files beside it that it includes
 * @returns what it prints
 * @throws when it does not compile, or fails
 */
export function runProgram(
  program: string,
  input: readonly (number | string)[],
  toolchain: Toolchain,
  headers: readonly string[] = [],
): string {
  const read = (file: string): string => readFileSync(new URL(`./siconos/${file}`, import.meta.url), 'utf8');
  const files = Object.fromEntries([program, ...headers].map((file) => [file, read(file)]));
  const executable = compile(program, files, toolchain);
  const { status, stdout, stderr } = spawnSync(executable, {
    input: input.join(' '),
    encoding: 'utf8',
    maxBuffer: MOST_OUTPUT,
  });
  if (status !== 0) throw new Error(`${program} failed:\n${stderr}`);
  return stdout;
}
