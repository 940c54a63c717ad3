/** Every example of the gallery runs, with a certificate of rounding, or of what its solver was asked for. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readDocument } from '@engine/document/read';
import { writeDocument } from '@engine/document/write';
import { createSandbox } from '@engine/script/sandbox';
import { reportDocument } from '@engine/preparation/report';
import { run } from './support/run';

const FOLDER = fileURLToPath(new URL('../../resources/examples/', import.meta.url));
/** Steps of each example that are run here, and of those that are many 3D bodies. */
const STEPS = 3000;
const MANY = ['granular-column', 'rotating-drum', 'sand-castle', 'masonry-arch', 'box-tower', 'soft-blocks'];
const FEWER_STEPS = 200;

const examples = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.moreau.json'))
  .map((file) => ({
    name: file.replace('.moreau.json', ''),
    text: readFileSync(`${FOLDER}${file}`, 'utf8'),
  }));

describe.each(examples)('$name', ({ name, text }) => {
  const { document } = readDocument(text);
  if (document === null) throw new Error('it cannot be opened');

  it('runs, and its certificate is what it should be', () => {
    const { values } = reportDocument(document);
    const [t0, tEnd, h] = (['t0', 'tEnd', 'h'] as const).map((key) => {
      const value = document.simulation[key];
      return typeof value === 'number' ? value : values[`/simulation/${key}`];
    });
    const end = Math.min(tEnd, t0 + (MANY.includes(name) ? FEWER_STEPS : STEPS) * h);
    const { session } = run(document, { sandbox: createSandbox, tEnd: end });
    const { dynamics, complementarity, coneViolation, limit } = session.certificate;
    // Pivoting ends at rounding; friction in space is solved by iterations, to a tolerance.
    expect(Math.max(dynamics, complementarity, coneViolation)).toBeLessThan(limit ?? 1e-9);
  });

  it('says what it is, where it comes from, and shows its point', () => {
    expect(document.description?.length ?? 0).toBeGreaterThan(80);
    expect(document.references?.length ?? 0).toBeGreaterThan(0);
    expect(document.views.length).toBeGreaterThan(0);
  });

  it('is stored as it would be saved', () => {
    expect(writeDocument(document)).toBe(text);
  });
});
