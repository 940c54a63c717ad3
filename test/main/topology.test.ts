/** The method `document.topology`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { ModelDocument } from '@engine/document/types';
import { LISTED_LINKS } from '@engine/inspection/topology-report';
import { bouncingBall } from './models';
import { createHost, failure, PLACE } from './support';

const host = createHost();
afterAll(() => host.dispose());

const topology = async (document: ModelDocument): Promise<NonNullable<Awaited<ReturnType<typeof ask>>>> => {
  const answer = await ask(document);
  if (answer === null) throw new Error('the document has no topology');
  return answer;
};
const ask = async (document: ModelDocument) =>
  (await host.dispatch('document.topology', { document })).topology;
const example = (name: string): ModelDocument =>
  JSON.parse(readFileSync(join(PLACE.examplesDirectory, `${name}.moreau.json`), 'utf8')) as ModelDocument;

describe('document.topology', () => {
  it('says of a contact that it is of degree 2 and when it belongs to which index set', async () => {
    const { interactions, components, pattern, scripted } = await topology(bouncingBall());
    expect(interactions).toHaveLength(1);
    expect(interactions[0]).toMatchObject({
      id: 'table',
      systems: ['ball'],
      linked: [],
      linkedCount: 0,
      degree: {
        rows: [{ degree: 2, scalar: 2 }],
        rule: { code: 'impact', level: 'velocity', indexSets: ['always', 'closed', 'resting'] },
      },
    });
    expect(components[0]?.vector?.status).toBe('exists');
    expect(pattern).toEqual({ rowStart: [0, 1], columns: [0] });
    expect(scripted).toEqual([]);
  });

  it('knows the degree where a script gives the force only', async () => {
    const { interactions, scripted } = await topology(bouncingBall({ force: ['out[0] = -p.g;'] }));
    expect(interactions[0]?.degree?.block.degree).toBe(2);
    expect(scripted).toEqual([]);
  });

  it('sees through a diode bridge, whose scalar degrees are not what they seem', async () => {
    const { interactions, components } = await topology(example('diode-bridge'));
    expect(interactions[0]?.degree?.rows).toEqual([
      { degree: 0, scalar: 0 },
      { degree: 0, scalar: 0 },
      { degree: 0, scalar: 'undefined' },
      { degree: 0, scalar: 'undefined' },
    ]);
    expect(components[0]?.vector?.status).toBe('exists');
  });

  it('executes no script, and names the elements that would need one', async () => {
    const document = bouncingBall();
    const throwing = `throw new Error('executed');`;
    const answer = await topology({
      ...document,
      systems: [
        ...document.systems,
        { id: 'other', type: 'LagrangianLinearTI', ndof: 1, mass: [[1]], q0: [0], v0: [0] },
      ],
      interactions: [
        ...document.interactions,
        {
          id: 'curve',
          systems: ['other'],
          relation: {
            type: 'LagrangianRheonomous',
            h: { function: 'gap' },
            hDot: { function: 'rate' },
            jacobian: { function: 'slope' },
          },
          law: { type: 'NewtonImpact', e: 0 },
        },
      ],
      scripts: [
        {
          name: 'curve.ts',
          role: 'functions',
          source: ['gap', 'rate', 'slope'].map((name) => `export const ${name} = () => { ${throwing} };`),
        },
      ],
    });
    expect(answer.scripted).toEqual(['curve']);
    const [table, curve] = answer.interactions;
    expect(table?.degree?.block.degree).toBe(2);
    expect(curve?.degree).toBeNull();
    expect(answer.components[1]?.vector).toMatchObject({ status: 'not-decided', defect: null });
    expect(answer.components[1]?.vector?.text).toContain('“curve” and is known once the model runs');
  });

  /** The ball with this many more contacts, made by a builder script. */
  const crowded = (contacts: number): ModelDocument =>
    bouncingBall({
      builder: [
        'export default (model: ModelBuilder) => {',
        `  for (let k = 0; k < ${contacts}; k++) {`,
        "    model.interaction({ id: `also_${k}`, systems: ['ball'],",
        "      relation: { type: 'LagrangianLinear', H: [[1]], b: [k + 1] }, law: { type: 'NewtonImpact', e: 0 } });",
        '  }',
        '};',
      ],
    });

  it('includes what a builder script made', async () => {
    const { interactions, blocks, pattern, components } = await topology(crowded(20));
    expect(interactions).toHaveLength(21);
    expect(interactions[0]?.linked).toHaveLength(20);
    expect(blocks).toBe(21 * 21);
    expect(pattern?.columns).toHaveLength(21 * 21);
    // All of them say the same of one ball.
    expect(components[0]?.vector).toMatchObject({ status: 'undefined', rank: 1 });
    expect(components[0]?.vector?.rows).toHaveLength(21);
    // A builder that fails leaves no model to speak of.
    const failing = bouncingBall({ builder: ["export default () => { throw new Error('no'); };"] });
    expect(await ask(failing)).toBeNull();
  });

  it('lists no more than can be looked at of a body with very many contacts', async () => {
    const { interactions, blocks, pattern, components } = await topology(crowded(600));
    expect(interactions[0]?.linkedCount).toBe(600);
    expect(interactions[0]?.linked).toHaveLength(LISTED_LINKS);
    expect(blocks).toBe(601 * 601);
    expect(pattern).toBeNull();
    expect(components[0]?.vector?.status).toBe('not-decided');
  });

  it('has nothing to say of a document with errors', async () => {
    const document = bouncingBall();
    expect(await ask({ ...document, systems: [] })).toBeNull();
    expect(await ask({ title: 'no model' } as unknown as ModelDocument)).toBeNull();
    const unreadable = { name: 'a.ts', role: 'functions' as const, source: ['export const = ;'] };
    expect(await ask({ ...document, scripts: [unreadable] })).toBeNull();
  });

  it('refuses what is no document', async () => {
    const call = host.dispatch('document.topology', { document: [] as unknown as ModelDocument });
    expect((await failure(call)).code).toBe('invalid-params');
  });
});
