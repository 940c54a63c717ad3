/**
 * The worst that the certificate of an event-driven simulation has found: each figure for itself, in its own unit, and summed up in the terms that
 * all schemes share, relative to the largest magnitude of its kind so far, with the time and the element of the worst of all.
 */
import type { NonSmoothDynamicalSystem } from '../../model/nsds';

export interface CertificateValues {
  impact: number;
  law: number;
  energy: number;
  motion: number;
  gain: number;
  cone: number;
  slip: number;
  penetration: number;
  pull: number;
}

/** The worst of all schemes' certificates. */
export interface SharedWorst {
  readonly complementarity: number;
  readonly coneViolation: number;
  readonly dynamics: number;
  /** s; null while nothing has been above zero */
  readonly worstTime: number | null;
  /** id of a system or an interaction */
  readonly worstElement: string | null;
}

const COMPLEMENTARITY = 0;
const CONE = 1;
const DYNAMICS = 2;

/** What each figure is part of; the gain of energy that a law allows is no violation. */
const SHARED: Readonly<Record<keyof CertificateValues, number>> = {
  impact: DYNAMICS,
  law: COMPLEMENTARITY,
  energy: DYNAMICS,
  motion: DYNAMICS,
  gain: -1,
  cone: CONE,
  slip: COMPLEMENTARITY,
  penetration: CONE,
  pull: CONE,
};

export class CertificateLedger {
  /** largest values of the run */
  readonly worst: CertificateValues = {
    impact: 0,
    law: 0,
    energy: 0,
    motion: 0,
    gain: 0,
    cone: 0,
    slip: 0,
    penetration: 0,
    pull: 0,
  };
  /** largest relative values of what is shared */
  readonly #shared = new Float64Array(3);
  /** the same since they were taken last */
  readonly #recent = new Float64Array(3);
  /** [0] largest of them all, [1] its time */
  readonly #overall = new Float64Array(2);
  /** system of the worst, or number of systems + interaction; −1 before the first */
  #element = -1;

  constructor(private readonly model: NonSmoothDynamicalSystem) {}

  /**
   * Enters a value.
   * @param scale the largest magnitude of its kind so far; 0 where there is none, and 1 of values that are relative already
   * @param clock time at which it was found, s
   * @param element system, or number of systems + interaction
   */
  enter(
    which: keyof CertificateValues,
    value: number,
    scale: number,
    clock: Float64Array,
    element: number,
  ): void {
    const { worst } = this;
    if (isLarger(value, worst[which])) worst[which] = value;
    const kind = SHARED[which];
    if (kind < 0) return;
    const part = relative(value, scale);
    if (isLarger(part, this.#shared[kind])) this.#shared[kind] = part;
    if (isLarger(part, this.#recent[kind])) this.#recent[kind] = part;
    if (!isLarger(part, this.#overall[0])) return;
    this.#overall[0] = part;
    this.#overall[1] = clock[0];
    this.#element = element;
  }

  /** The worst of what is shared since this was called last: dynamics, complementarity, cone. */
  takeRecent(out: Float64Array): void {
    out[0] = this.#recent[DYNAMICS];
    out[1] = this.#recent[COMPLEMENTARITY];
    out[2] = this.#recent[CONE];
    this.#recent.fill(0);
  }

  /** Element of an interaction. */
  interaction(i: number): number {
    return this.model.systems.length + i;
  }

  /** A new object, for reports outside the loop of events. */
  get shared(): SharedWorst {
    const { systems, interactions } = this.model;
    const element = this.#element;
    const place = element < systems.length ? systems[element] : interactions[element - systems.length];
    return {
      complementarity: this.#shared[COMPLEMENTARITY],
      coneViolation: this.#shared[CONE],
      dynamics: this.#shared[DYNAMICS],
      worstTime: element < 0 ? null : this.#overall[1],
      worstElement: element < 0 ? null : place.id,
    };
  }
}

/** A value as a part of the largest magnitude of its kind, or the value itself where there has been none. */
export const relative = (value: number, scale: number): number => (scale > 0 ? value / scale : value);

/** A comparison that NaN fails must not hide it, and the first one stays. */
const isLarger = (value: number, worst: number): boolean => !(value <= worst) && !Number.isNaN(worst);
