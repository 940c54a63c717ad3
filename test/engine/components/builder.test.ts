/** Builder scripts that draw: components, instances and wires in a loop. */
import { describe, expect, it } from 'vitest';
import type { ModelDocument } from '@engine/document/types';
import { createSandbox } from '@engine/script/sandbox';
import { refusal, run } from '../support/run';
import { drawn, type Part } from './drawn';

const sandbox = createSandbox;

const built = (...body: string[]): ModelDocument => ({
  ...drawn([['V1', 'VoltageSource', ['in', '0'], { voltage: 10 }]], { h: 1e-6, tEnd: 2e-4 }),
  parameters: [{ name: 'n', value: 4 }],
  submodels: [
    {
      id: 'Cell',
      ports: ['a', 'b', 'n'].map((name) => ({ name, wire: name })),
      parameters: [{ name: 'C', value: 1e-6 }],
      components: [
        { id: 'R1', type: 'Resistor', resistance: 10 },
        { id: 'C1', type: 'Capacitor', capacitance: 'C' },
      ],
      wires: [
        { id: 'a', ends: ['R1.a'] },
        { id: 'b', ends: ['R1.b', 'C1.a'] },
        { id: 'n', ends: ['C1.b'] },
      ],
    },
  ],
  scripts: [
    {
      name: 'build.ts',
      role: 'builder',
      source: ['export default (model: ModelBuilder, p: Parameters) => {', ...body, '};'],
    },
  ],
});

const LADDER = drawn(
  [
    ['V1', 'VoltageSource', ['in', '0'], { voltage: 10 }],
    ...[0, 1, 2, 3].flatMap((k): Part[] => [
      [`R${k}`, 'Resistor', [k === 0 ? 'in' : `n${k - 1}`, `n${k}`], { resistance: 10 }],
      [`C${k}`, 'Capacitor', [`n${k}`, '0'], { capacitance: 1e-6 }],
    ]),
  ],
  { h: 1e-6, tEnd: 2e-4 },
);

function expectSame(document: ModelDocument, names: readonly string[]): void {
  const [a, b] = [run(document, { sandbox }), run(LADDER)];
  names.forEach((name, k) => {
    const [x, y] = [a.column(name), b.column(`C${k}.v`)];
    const size = Math.max(...y.map(Math.abs));
    expect(Math.max(...x.map((value, i) => Math.abs(value - y[i]))) / size, name).toBeLessThan(1e-12);
  });
}

describe('a builder script', () => {
  it('draws components and wires, also to wires of the document', () => {
    expectSame(
      built(
        'for (let k = 0; k < p.n; k++) {',
        '  model.component({ id: `R${k}`, type: "Resistor", resistance: 10 });',
        '  model.component({ id: `C${k}`, type: "Capacitor", capacitance: 1e-6 });',
        '  model.wire({ id: k === 0 ? "in" : `n${k - 1}`, ends: [`R${k}.a`] });',
        '  model.wire({ id: `n${k}`, ends: [`R${k}.b`, `C${k}.a`] });',
        '  model.wire({ id: "node0", ends: [`C${k}.b`] });',
        '}',
      ),
      ['C0.v', 'C1.v', 'C2.v', 'C3.v'],
    );
  });

  it('places instances', () => {
    expectSame(
      built(
        'for (let k = 0; k < p.n; k++) {',
        '  model.instance({ id: `cell${k}`, of: "Cell" });',
        '  model.wire({ id: k === 0 ? "in" : `n${k - 1}`, ends: [`cell${k}.a`] });',
        '  model.wire({ id: `n${k}`, ends: [`cell${k}.b`] });',
        '  model.wire({ id: "node0", ends: [`cell${k}.n`] });',
        '}',
      ),
      [0, 1, 2, 3].map((k) => `cell${k}.C1.v`),
    );
  });

  it.each<[string, string, object]>([
    ['of no sub-model', 'model.instance({ id: "x", of: "Cel" });', { code: 'invalid-document' }],
    ['that is no object', 'model.component(5 as never);', { code: 'script-error', script: { line: 2 } }],
    [
      'without a resistance',
      'model.component({ id: "R9", type: "Resistor", resistance: -1 });',
      { code: 'invalid-document', where: 'R9' },
    ],
  ])('that draws something %s is refused at its place', (_, line, details) => {
    expect(refusal(built(line), { sandbox })).toMatchObject(details);
  });
});
