import { execFile } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@playwright/test';

const ROOT = join(import.meta.dirname, '../../..');
const run = promisify(execFile);

test('the library example of the README runs as it stands', async () => {
  const readme = await readFile(join(ROOT, 'README.md'), 'utf8');
  const code = /## Library\n\n```js\n([\s\S]*?)```/.exec(readme)?.[1];
  expect(code).toBeDefined();
  // Inside the package, so that it finds itself by its name.
  const file = join(ROOT, 'out/readme-example.mjs');
  await writeFile(file, code!);
  const { stdout } = await run(process.execPath, [file], {
    cwd: ROOT,
    // Coloured numbers are for terminals.
    env: { ...process.env, FORCE_COLOR: '0' },
  });
  await rm(file);
  const [, name, value, residual] = /^(\S+) (\S+) (\S+)\n$/.exec(stdout)!;
  expect(name).toBe('ball.q');
  expect(Math.abs(Number(value))).toBeLessThan(0.9);
  expect(Number(residual)).toBeLessThan(1e-12);
});

test('the commands of the README do what it says', async () => {
  const moreau = (...args: string[]): Promise<{ stdout: string }> =>
    run(process.execPath, [join(ROOT, 'bin/moreau.mjs'), ...args], { cwd: ROOT });
  expect((await moreau('examples')).stdout).toContain('cam-follower-358');
  const out = join(ROOT, 'out/readme-cam.csv');
  const summary = await moreau(
    'run',
    'example:cam-follower-358',
    '--set',
    'rpm=700',
    '--h',
    '1e-4',
    '--t-end',
    '0.1',
    '--out',
    out,
    // Steps of 0.1 ms are too long for the accuracy asked for, which would be exit code 5.
    '--no-accuracy',
    '--json',
  );
  expect(JSON.parse(summary.stdout)).toMatchObject({ status: 'done', scheme: 'time-stepping', steps: 1000 });
  expect((await readFile(out, 'utf8')).split('\r\n')[0]).toContain('follower.q [m]');
  await rm(out);
});
