/**
 * Signals of a contact with friction. The two rows of its law are a gap and a slip and not two gaps, so that they have
 * names of their own, and with several contacts in one interaction the contacts are numbered, not the rows:
 * `ID.gap[0]`, `ID.slip[0]`, `ID.gap[1]`, …
 */
import type { SignalKind } from '../document/types';
import type { LawForm } from '../model/forms';

interface Named {
  readonly name: string;
  readonly kind: SignalKind;
  readonly description: string;
}

/** By the name that a row of a law without friction gives it. */
const CONTACT: Readonly<Record<string, Partial<Named>>> = {
  impulse: { name: 'normalImpulse', description: 'Normal impulse' },
  lambda: { name: 'normalForce', description: 'Normal force' },
};
const FRICTION: Readonly<Record<string, Partial<Named>>> = {
  gap: { name: 'slip', kind: 'output', description: 'Displacement along the contact' },
  gapVelocity: { name: 'slipVelocity', kind: 'outputVelocity', description: 'Slip velocity' },
  impulse: { name: 'tangentialImpulse', description: 'Tangential impulse' },
  lambda: { name: 'tangentialForce', description: 'Tangential force' },
};

/**
 * A signal of row `row` of an interaction with its name in the law, and the number it has among those of its name.
 * @param size rows of the interaction
 */
export function signalOfRow<T extends Named>(
  signal: T,
  law: LawForm,
  row: number,
  size: number,
): T & { readonly place: number; readonly count: number } {
  const place = row % law.size;
  const hasFriction = law.rows.some(({ kind }) => kind === 'friction');
  if (!hasFriction) return { ...signal, place: row, count: size };
  const names = law.rows[place].kind === 'friction' ? FRICTION : CONTACT;
  return { ...signal, ...names[signal.name], place: (row - place) / law.size, count: size / law.size };
}
