import { describe, expect, it } from 'vitest';
import { part } from '../support/prove';
import { compare, relativeDifference } from './compare';
import { galleryDocument, numericModel } from './documents';
import { type GalleryModel, galleryModels } from './gallery';
import { runModel } from './run-engine';
import { missingSiconos, runDocumentInSiconos } from './run-siconos';
import { type SignalTable, trajectoryOf } from './trajectory';

const missing = missingSiconos();

/** What sums and solutions in another order leave, relative to the largest value of the run. */
const ROUNDING = 1e-10;

function nameOf({ example, variant }: GalleryModel): string {
  const name = typeof example === 'string' ? example : example.title;
  return variant === undefined ? name : `${name}, ${variant}`;
}

/** The rows from 1 on: the initial state is not among those of Siconos. */
function afterStart(signals: Map<string, Float64Array>): SignalTable {
  return new Map([...signals].map(([name, values]) => [name, Array.from(values.subarray(1))]));
}

describe('documents', () => {
  // Some of them; all in proofs.
  for (const model of part(galleryModels, 12)) {
    it(`${nameOf(model)} runs as in Siconos`, async (context) => {
      context.skip(missing !== null, missing ?? '');
      const document = galleryDocument(model);
      const theirs = await runDocumentInSiconos(model, numericModel(document));
      const names = [...theirs.keys()].filter((name) => model.multipliers || !isMultiplier(name));
      const comparison = compare(
        nameOf(model),
        trajectoryOf(afterStart(runModel(document)), names),
        trajectoryOf(theirs, names),
      );
      context.task.meta.comparison = comparison;
      if (model.multipliers) expect(comparison.contacts).toBeGreaterThan(0);
      expect(relativeDifference(comparison)).toBeLessThan(model.tolerance ?? ROUNDING);
    });
  }
});

const isMultiplier = (name: string): boolean =>
  /\.(lambda|impulse|normalImpulse|tangentialImpulse)\b/.test(name);
