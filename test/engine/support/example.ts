/** Examples of the gallery, run with other values of their parameters. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { ModelDocument } from '@engine/document/types';
import { createSandbox } from '@engine/script/sandbox';
import { run, type Run, type RunOptions } from './run';

const FOLDER = fileURLToPath(new URL('../../../resources/examples/', import.meta.url));

/** Names of all examples. */
export const exampleNames: readonly string[] = readdirSync(FOLDER).flatMap((file) =>
  file.endsWith('.moreau.json') ? [file.replace('.moreau.json', '')] : [],
);

/** A document of its own each time, which may be changed. */
export const example = (name: string): ModelDocument =>
  JSON.parse(readFileSync(`${FOLDER}${name}.moreau.json`, 'utf8')) as ModelDocument;

/** Runs an example to its end. @param set parameters in place of its own */
export const runExample = (name: string, set: Record<string, number> = {}, options: RunOptions = {}): Run =>
  run(example(name), { sandbox: createSandbox, set, ...options });

/** Numbers of a parameter of an example. @throws when it has none of that name, or none that is a number */
export function parameter(name: string, key: string): number {
  const value = example(name).parameters.find((each) => each.name === key)?.value;
  if (typeof value !== 'number') throw new Error(`${name} has no number ${key}`);
  return value;
}

/** Times at which sampled values pass zero, by linear interpolation. */
export function crossings(t: Float64Array, values: Float64Array): number[] {
  const found: number[] = [];
  for (let k = 1; k < t.length; k++)
    if (values[k - 1] * values[k] < 0)
      found.push(t[k - 1] + ((t[k] - t[k - 1]) * values[k - 1]) / (values[k - 1] - values[k]));
  return found;
}
