import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bouncingBall } from '../main/models';
import { temporaryFolder } from '../main/support';
import { modelFile as writeModel, moreau } from './support';

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

const modelFile = (document: unknown): string => writeModel(folder.path, document);

describe('moreau export', () => {
  it('writes a script for Siconos, with parameters as variables and expressions kept', async () => {
    const { code, out, notes } = await moreau([
      'export',
      'example:cam-follower-358',
      '--to',
      'siconos-python',
    ]);
    expect(code).toBe(0);
    expect(out).toMatch(/^rpm = 358 {2}# /m);
    expect(out).toContain('follower = sk.LagrangianLinearTIDS([height0 + 0.1]');
    expect(out).toContain('def lift(angle_2, *_):');
    expect(out).toContain('if beta < math.pi / 2:');
    expect(notes).toContain('Observables are not written');
  });

  it('writes to a file, and says its name', async () => {
    const file = join(folder.path, 'ball.py');
    const { code, out } = await moreau([
      'export',
      modelFile(bouncingBall()),
      '--to',
      'siconos-python',
      '--out',
      file,
    ]);
    expect([code, out]).toEqual([0, `${file}\n`]);
    expect(readFileSync(file, 'utf8')).toContain('sk.NewtonImpactNSL(1, ');
  });

  it('writes a drawing as a PDF page of its own size, to a file only', async () => {
    const file = join(folder.path, 'drawing.pdf');
    const args = ['export', 'example:half-wave-rectifier', '--to', 'pdf'];
    const { code, out } = await moreau([...args, '--out', file]);
    expect([code, out]).toEqual([0, `${file}\n`]);
    const pdf = readFileSync(file, 'latin1');
    expect(pdf).toMatch(/^%PDF-[^]*\/MediaBox \[0 0 \d/);
    expect(pdf).toContain('/FontFile');
    const refused = await moreau(args);
    expect([refused.code, refused.notes]).toEqual([2, expect.stringContaining('--out FILE')]);
  });

  it('refuses by name what Siconos has no counterpart for', async () => {
    const file = join(folder.path, 'out.py');
    const { code, notes } = await moreau([
      'export',
      'example:billiards',
      '--to',
      'siconos-python',
      '--out',
      file,
    ]);
    expect(code).toBe(2);
    expect(notes).toContain('“on_cloth”: Contacts are written between a ball and the floor');
    expect(existsSync(file)).toBe(false);
  });

  it('writes the canonical document with values of parameters, and builders spelt out', async () => {
    const plain = await moreau(['export', 'example:bead-column', '--to', 'json', '--set', 'N=3']);
    const document = JSON.parse(plain.out) as {
      parameters: { name: string; value: unknown }[];
      systems: unknown[];
    };
    expect(document.parameters).toContainEqual(expect.objectContaining({ name: 'N', value: 3 }));
    expect(document.systems).toEqual([]);
    const expanded = await moreau([
      'export',
      'example:bead-column',
      '--to',
      'json',
      '--set',
      'N=3',
      '--expand',
    ]);
    const full = JSON.parse(expanded.out) as { systems: unknown[]; scripts: { role: string }[] };
    expect(full.systems).toHaveLength(3);
    expect(full.scripts.some(({ role }) => role === 'builder')).toBe(false);
    const file = join(folder.path, 'expanded.moreau.json');
    await moreau([
      'export',
      'example:bead-column',
      '--to',
      'json',
      '--set',
      'N=3',
      '--expand',
      '--out',
      file,
    ]);
    expect((await moreau(['validate', file])).code).toBe(0);
  });

  it('draws the graph with the names and types of its nodes', async () => {
    const { code, out } = await moreau(['export', 'example:newtons-cradle', '--to', 'svg']);
    expect(code).toBe(0);
    expect(out).toMatch(/^<svg xmlns=/);
    expect(out.match(/LagrangianLinearTI<\/text>/g)?.length).toBeGreaterThan(1);
    expect(out.match(/<path /g)?.length).toBeGreaterThan(1);
  });

  it('refuses wrong arguments and models with exit code 2', async () => {
    const model = modelFile(bouncingBall());
    const codes = [];
    for (const argv of [
      ['export', model],
      ['export', model, '--to', 'siconos'],
      ['export', model, '--to', 'svg', '--expand'],
      ['export', model, '--to', 'json', '--set', 'nothing=1'],
      ['export', join(folder.path, 'missing.moreau.json'), '--to', 'json'],
    ]) {
      const { code, notes, out } = await moreau(argv);
      codes.push(code);
      expect(out).toBe('');
      expect(notes).not.toBe('');
    }
    expect(codes).toEqual([2, 2, 2, 2, 2]);
    const { notes } = await moreau(['export', model, '--to', 'siconos']);
    expect(notes).toContain('siconos-python');
  });

  it('has no script of a model that does not stand', async () => {
    const broken = { ...bouncingBall(), simulation: { ...bouncingBall().simulation, h: 'nowhere' } };
    const { code, notes } = await moreau(['export', modelFile(broken), '--to', 'siconos-python']);
    expect(code).toBe(2);
    expect(notes).toContain('nowhere');
  });
});
