/** Runs netlists in ngspice, and reads what it writes. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** @returns why the comparison cannot run, or null when ngspice is there */
export function missingNgspice(): string | null {
  const { error } = spawnSync('ngspice', ['--version'], { stdio: 'ignore' });
  return error === undefined ? null : 'there is no ngspice; on Debian: apt-get install ngspice';
}

/** Tolerances below the differences that are looked at: the first with which it comes to the end. */
const OPTIONS = [
  '.options reltol=1e-6 abstol=1e-12 vntol=1e-9 chgtol=1e-18 itl4=200 gmin=1e-15',
  '.options reltol=1e-5 abstol=1e-9 vntol=1e-7 itl4=200 gmin=1e-13',
  '.options reltol=1e-4 abstol=1e-8 vntol=1e-6 itl4=200 method=gear',
];

/**
 * Runs the `.tran` of a netlist.
 * @returns columns by name in small letters: `time`, `v(out)`, `i(v1)`
 * @throws when ngspice does not reach the end
 */
export function runNgspice(netlist: string): Map<string, number[]> {
  const folder = mkdtempSync(join(tmpdir(), 'moreau-ngspice-'));
  let said = '';
  try {
    for (const options of OPTIONS) {
      const [input, output] = [join(folder, 'in.cir'), join(folder, 'out.raw')];
      writeFileSync(input, netlist.replace(/^\.end$/m, `${options}\n.end`));
      const { status, stderr, stdout } = spawnSync('ngspice', ['-b', '-r', output, input], {
        cwd: folder,
        encoding: 'utf8',
        env: { ...process.env, SPICE_ASCIIRAWFILE: '1' },
        timeout: 120_000,
      });
      said = `${stdout}\n${stderr}`;
      if (status === 0) return columns(readFileSync(output, 'latin1'), said);
    }
    throw new Error(`ngspice failed:\n${said}\n${netlist}`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function columns(raw: string, said: string): Map<string, number[]> {
  const [header, values] = raw.split(/^Values:\n/m);
  if (values === undefined) throw new Error(`ngspice wrote no values:\n${said}`);
  const names = [...header.matchAll(/^\t\d+\t(\S+)\t\S+/gm)].map(([, name]) => name.toLowerCase());
  const table = new Map(names.map((name) => [name.replace(/^(\w+)#branch$/, 'i($1)'), [] as number[]]));
  const lists = [...table.values()];
  const numbers = values.trim().split(/\s+/);
  // Each row begins with its number.
  for (let k = 0; k + names.length < numbers.length; k += names.length + 1)
    lists.forEach((list, column) => list.push(Number(numbers[k + 1 + column])));
  return table;
}
