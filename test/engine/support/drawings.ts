/** Drawings to be mutated, and what happens to drawings: parts lost, doubled, and wired to others. */
import type { ModelDocument } from '@engine/document/types';
import { componentTypes } from '@engine/model/components/registry';
import { reportDocument } from '@engine/preparation/report';
import { newElement } from '@renderer/document/factory';
import { mendDocument } from '@renderer/document/mends';
import { CONVERTERS, drawnConverter, randomValues, withLosses } from '../components/drawn-converters';
import { drawn } from '../components/drawn';
import { type Change, gallery, type Origin } from './mutated';
import { type Random, seeded } from './random';
import { sample } from '../../support/prove';

/**
 * Errors mended one after the other as the program proposes, or by taking away what has one; undefined where
 * a mend makes another error without end.
 */
function mended(document: ModelDocument): ModelDocument | undefined {
  for (let left = 20; left > 0; left--) {
    const issue = reportDocument(document).issues.find(({ severity }) => severity === 'error');
    if (issue === undefined) return document;
    const ids = [...(document.components ?? []), ...(document.wires ?? [])].map(({ id }) => id);
    const steps = issue.mends?.[0]?.steps ?? [{ do: 'remove', id: issue.element ?? '' }];
    mendDocument(document, steps, () => ids);
  }
  return undefined;
}

/** A few components of any type, as the palette places them, with their pins on a few wires of their kind. */
function anything(random: Random): ModelDocument {
  const types = [...componentTypes.values()];
  const document = drawn([['R0', 'Resistor', ['electrical0', '0'], { resistance: 10 }]]);
  const nets = new Map<string, string[]>();
  for (let k = random.integer(3, 9); k > 0; k--) {
    const { definition } = types[random.integer(0, types.length - 1)];
    const id = `X${k}`;
    document.components.push({ id, ...newElement(definition) });
    for (const { name, domain } of definition.pins ?? []) {
      const net = `${domain}${random.integer(0, 2)}`;
      nets.set(net, [...(nets.get(net) ?? []), `${id}.${name}`]);
    }
  }
  for (const [id, ends] of nets) {
    const present = document.wires.find((wire) => wire.id === id);
    if (present === undefined) document.wires.push({ id, ends });
    else present.ends.push(...ends);
  }
  return document;
}

const random = seeded(7);

export const drawings: readonly Origin[] = [
  ...gallery.filter(({ document }) => document.components !== undefined),
  ...CONVERTERS.flatMap((name) => {
    const values = randomValues(random, name);
    const document = drawnConverter(name, values, { periods: 2, rows: 20 });
    return [
      { name, document },
      { name: `${name} with losses`, document: withLosses(document, random, values) },
    ];
  }),
  ...Array.from({ length: sample(50, 600) }, (_, k) => ({
    name: `anything ${k}`,
    document: mended(anything(random)),
  })).filter((origin): origin is Origin => origin.document !== undefined),
];

const one = <T>({ integer }: Random, list: readonly T[]): T | undefined => list[integer(0, list.length - 1)];

/** What happens to one of a list of the document, if there is any. */
const withOne =
  <T>(
    list: (document: ModelDocument) => T[] | undefined,
    what: (picked: T, document: ModelDocument, random: Random, all: T[]) => string,
  ): Change =>
  (document, lot) => {
    const all = list(document) ?? [];
    const picked = one(lot, all);
    return picked === undefined ? null : what(picked, document, lot, all);
  };

const allPins = ({ components = [], wires = [] }: ModelDocument): string[] => [
  ...wires.flatMap(({ ends }) => ends),
  ...components.flatMap(({ id }) => [`${id}.a`, `${id}.nothing`]),
];

const parts = ({ components }: ModelDocument) => components;
const nets = ({ wires }: ModelDocument) => wires;
export const rewirings: readonly Change[] = [
  withOne(parts, (part, _, __, all) => {
    all.splice(all.indexOf(part), 1);
    return `without ${part.id}`;
  }),
  withOne(parts, (part, _, lot, all) => {
    all.push({ ...structuredClone(part), id: lot.chance(0.5) ? part.id : `${part.id}x` });
    return `${part.id} twice`;
  }),
  withOne(parts, (part, _, lot) => {
    const type = one(lot, [...componentTypes.keys()]) ?? '';
    part.type = type;
    return `${part.id} is ${type}`;
  }),
  withOne(nets, (wire, _, __, all) => {
    all.splice(all.indexOf(wire), 1);
    return `without the wire ${wire.id}`;
  }),
  withOne(nets, (wire, document, lot) => {
    const end = one(lot, allPins(document)) ?? 'nothing';
    wire.ends.push(end);
    return `${end} on ${wire.id}, too`;
  }),
  withOne(nets, (wire, _, lot) => {
    const end = one(lot, wire.ends);
    wire.ends = wire.ends.filter((other) => other !== end);
    return `${end} off ${wire.id}`;
  }),
  withOne(nets, (wire, _, lot, all) => {
    const other = one(lot, all) ?? wire;
    [wire.ends, other.ends] = [[...wire.ends, ...other.ends], []];
    return `${wire.id} and ${other.id} are one`;
  }),
  withOne(
    ({ instances }) => instances,
    (instance, _, lot) => {
      instance.count = lot.integer(-1, 40);
      instance.chain = { from: 'out', to: 'p' };
      return `${instance.id} is an array of ${instance.count}`;
    },
  ),
  withOne(
    ({ submodels }) => submodels,
    (submodel) => {
      (submodel.instances ??= []).push({ id: 'inner', of: submodel.id });
      return `${submodel.id} in itself`;
    },
  ),
];
