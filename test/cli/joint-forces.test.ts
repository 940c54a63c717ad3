/** The force of a joint as a user finds it in a table that was exported. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../main/support';
import { moreau } from './support';

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

describe('a table of a pendulum on a rod', () => {
  it('has the force of the rod, row by row', async () => {
    const file = join(folder.path, 'pendulum.csv');
    const run = ['run', 'example:pendulum-joint', '--t-end', '1', '--set', 'm=2', '--set', 'length=0.5'];
    const { code } = await moreau([...run, '--out', file, '--json']);
    expect(code).toBe(0);
    const [header, ...lines] = readFileSync(file, 'utf8').trimEnd().split(/\r?\n/);
    const names = header.split(',');
    const at = (name: string): number => names.findIndex((column) => column.startsWith(name));
    const columns = ['bob.q[0]', 'bob.q[1]', 'bob.v[0]', 'bob.v[1]'].map(at);
    const forces = ['rod.forceX', 'rod.forceY', 'rod.moment'].map(at);
    expect(forces.map((place) => names[place])).toEqual([
      'rod.forceX [N]',
      'rod.forceY [N]',
      'rod.moment [N m]',
    ]);
    expect(lines).toHaveLength(1001);
    const angles = new Set<number>();
    for (const line of lines) {
      const cells = line.split(',').map(Number);
      const [x, y, vx, vy] = columns.map((place) => cells[place]);
      const [forceX, forceY, moment] = forces.map((place) => cells[place]);
      // m (g cos φ + L φ̇²) towards the pin
      const pull = 2 * ((9.81 * -y) / 0.5 + (vx * vx + vy * vy) / 0.5);
      expect(Math.abs(forceX + pull * (x / 0.5))).toBeLessThan(1e-8);
      expect(Math.abs(forceY + pull * (y / 0.5))).toBeLessThan(1e-8);
      expect(moment).toBe(0);
      angles.add(Math.round((Math.atan2(x, -y) * 180) / Math.PI));
    }
    expect(angles.size).toBeGreaterThan(90);
  });
});
