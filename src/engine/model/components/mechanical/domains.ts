/** What is the same along an axis and around it: pins, quantities, units, and symbols of two-poles. */
import type { TypedElement } from '../../../document/types';
import type { ComponentQuantity, FieldDefinition, PinDefinition } from '../../definition';
import type { FieldReader } from '../../field-reader';
import { type ComponentDefinition, gateField, signalIn } from '../component';
import type { Hysteresis } from '../circuit';
import type { Combination, LawGate, Measure, Mechanism } from '../mechanism';

export type MechanicalDomain = 'translational' | 'rotational';

interface Quantities {
  readonly position: ComponentQuantity;
  readonly velocity: ComponentQuantity;
  readonly force: ComponentQuantity;
}

/** Along an axis and around it. */
export const MOTIONS: Readonly<Record<MechanicalDomain, Quantities>> = {
  translational: {
    position: { name: 'x', unit: 'm', description: 'Position' },
    velocity: { name: 'v', unit: 'm/s', description: 'Velocity' },
    force: { name: 'f', unit: 'N', description: 'Force' },
  },
  rotational: {
    position: { name: 'phi', unit: 'rad', description: 'Angle' },
    velocity: { name: 'omega', unit: 'rad/s', description: 'Angular velocity' },
    force: { name: 'tau', unit: 'N m', description: 'Torque' },
  },
};

const FAMILY: Readonly<Record<MechanicalDomain, string>> = {
  translational: 'Mechanics',
  rotational: 'Rotation',
};

export const pin = (
  domain: MechanicalDomain,
  name: string,
  label: string,
  x: number,
  y = 0,
): PinDefinition => ({ name, label, domain, x, y });

/** Two flanges, from left to right. */
export const twoFlanges = (domain: MechanicalDomain): PinDefinition[] => [
  pin(domain, 'a', 'First flange', -40),
  pin(domain, 'b', 'Second flange', 40),
];

/** Both sides of a body, which may be free. */
export const twoSides = (domain: MechanicalDomain): PinDefinition[] =>
  twoFlanges(domain).map((own) => ({ ...own, isFree: true }));

/** factor (x_b − x_a) + offset */
export const between = (mechanism: Mechanism, factor = 1, offset = 0): Combination => ({
  terms: [
    { flange: mechanism.flange('b'), factor },
    { flange: mechanism.flange('a'), factor: -factor },
  ],
  offset,
});

/** Position and velocity of a flange. */
export function recordMotion(mechanism: Mechanism, domain: MechanicalDomain, flange: number): void {
  const { position, velocity } = MOTIONS[domain];
  const combination = { terms: [{ flange, factor: 1 }], offset: 0 };
  mechanism.record(position.name, [{ of: 'position', combination, factor: 1 }]);
  mechanism.record(velocity.name, [{ of: 'velocity', combination, factor: 1 }]);
}

/** The multiplier of a law of one row. */
export const multiplierOf = (law: number, factor = 1, row = 0): Measure => ({
  of: 'multiplier',
  ...{ law, row, factor },
});

/** Dry friction: −F where it slides forwards, F backwards, between where it sticks. */
export const frictionLaw = (limit: number): TypedElement => ({
  type: 'Relay',
  lower: [-limit],
  upper: [limit],
  level: 'velocity',
});

/** The pin of a gate, which a field may take the place of. */
export const GATE_PIN = signalIn('gate', 'Gate', 0, 20, 'isFree');

/** A gate of what is always there without one. */
export const freeGate: FieldDefinition = {
  ...gateField(
    'When it is there: while an expression of the time t, parameters and signals is positive, or while a comparison such as "t > 1" holds; always where it is left out. A signal at its gate takes its place.',
  ),
  required: false,
};

/** What says when a law is there: the signal at the gate, or its field; null where it always is. */
export function lawGate(
  fields: FieldReader,
  mechanism: Mechanism,
  hysteresis: Hysteresis | null = null,
): LawGate | null {
  if (mechanism.isWired('gate')) return { gate: mechanism.signal('gate'), hysteresis };
  return fields.has('gate') ? { gate: fields.expression('gate'), hysteresis } : null;
}

/** The part of a definition that all mechanical components share. */
export const mechanical = (
  domain: MechanicalDomain,
  rest: Omit<ComponentDefinition, 'category' | 'family'>,
): ComponentDefinition => ({ category: 'component', family: FAMILY[domain], ...rest });
