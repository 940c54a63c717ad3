/** Runs comparison programs in C++, for what Siconos has no Python binding of. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { compile, findToolchain, type Toolchain } from '@cli/bench/siconos/toolchain';

/** The compiler and the headers of Siconos, or why there are none. */
export const toolchain = findToolchain();

/**
 * Builds one of the programs in `siconos/`, unless it has been built before, and runs it.
 * @param program file name
 * @param input what it reads from its standard input
 * @returns what it prints
 * @throws when it does not compile, or fails
 */
export function runProgram(
  program: string,
  input: readonly (number | string)[],
  toolchain: Toolchain,
): string {
  const source = readFileSync(new URL(`./siconos/${program}`, import.meta.url), 'utf8');
  const executable = compile(program, { [program]: source }, toolchain);
  const { status, stdout, stderr } = spawnSync(executable, { input: input.join(' '), encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} failed:\n${stderr}`);
  return stdout;
}
