/**
 * Mechanisms that signals or machines drive are branches of the network, so that both are one system: a
 * velocity is a voltage, a force a current (Firestone 1933), a mass a capacitor, and positions are integrals
 * of velocities. Flanges that gears join are multiples of one, as in `reduction.ts`.
 */
import { rateText } from '../../document/rates';
import type { ComponentDocument } from '../../document/types';
import type { Branch, NetworkNode, SignalPart, Term, WiredGate } from '../../model/components/circuit';
import type { Combination, Flange, LawGate } from '../../model/components/mechanism';
import { MOTIONS } from '../../model/components/mechanical/domains';
import { componentTypes } from '../../model/components/registry';
import { GROUND, type Network } from '../network';
import type { Assembly, DrivenValue, Law, ReadMeasure } from './assembly';
import { readCoordinates, Ties, type Coordinate, type MechanismDefect } from './reduction';

/** Wires by what is joined to them. */
interface Joined {
  readonly components: readonly ComponentDocument[];
  readonly wires: readonly { readonly ends: readonly string[] }[];
  readonly isMechanical: (wire: number) => boolean;
  readonly isWired: (end: string) => boolean;
  /** whether the run is one from event to event, which lets interactions of networks come and go only */
  readonly isEventDriven: boolean;
}

/**
 * Components of mechanisms that hang together, by wires of flanges, with one that a signal drives or reads,
 * or that has both flanges and pins of a circuit; from event to event also with one that comes and goes.
 */
export function drivenComponents({
  components,
  wires,
  isMechanical,
  isWired,
  isEventDriven,
}: Joined): ReadonlySet<string> {
  const neighbours = new Map<string, string[]>();
  wires.forEach(({ ends }, w) => {
    if (!isMechanical(w)) return;
    const owners = ends.map((end) => end.slice(0, end.lastIndexOf('.')));
    for (const owner of owners) neighbours.set(owner, [...(neighbours.get(owner) ?? []), ...owners]);
  });
  const driven = new Set<string>();
  for (const { id, type, gate } of components) {
    const own = componentTypes.get(type);
    const pins = own?.definition.pins ?? [];
    const hasFlange = pins.some(({ domain }) => domain === 'translational' || domain === 'rotational');
    const hasSignal = pins.some(({ domain, name }) => domain === 'signal' && isWired(`${id}.${name}`));
    const comesAndGoes = isEventDriven && gate !== undefined;
    if (own !== undefined && hasFlange && ('stamp' in own || hasSignal || comesAndGoes)) driven.add(id);
  }
  for (const id of driven) for (const next of neighbours.get(id) ?? []) driven.add(next);
  return driven;
}

/** What is read of flanges that a network moves. */
export interface DrivenMotion {
  /** null where nothing says where it begins */
  position(of: Combination): Term[] | null;
  velocity(of: Combination): Term[];
}

/** @param nodeOf node of a flange @param report of defects, by places of components */
export function driveNetwork(
  assembly: Assembly,
  network: Network,
  components: readonly ComponentDocument[],
  nodeOf: (flange: Flange) => NetworkNode,
  report: (defect: MechanismDefect) => void,
): DrivenMotion {
  return new Driven(assembly, network, components, nodeOf, report);
}

class Driven implements DrivenMotion {
  readonly #ties: Ties;
  readonly #coordinates = new Map<Flange, Coordinate>();
  /** what each root with a given motion is, and what integrates the velocity of one with a mass */
  readonly #given = new Map<Flange, Term[]>();
  readonly #positions = new Map<Flange, Term>();
  readonly #laws: Branch[] = [];
  /** capacitors that coordinates with a mass are */
  readonly #masses = new Map<Flange, Branch>();

  constructor(
    private readonly assembly: Assembly,
    private readonly network: Network,
    private readonly components: readonly ComponentDocument[],
    private readonly nodeOf: (flange: Flange) => NetworkNode,
    private readonly report: (defect: MechanismDefect) => void,
  ) {
    this.#ties = new Ties(assembly.flanges);
    assembly.ties.forEach(({ a, b, ratio }, tie) => this.#ties.join(a, b, ratio, tie));
    for (const tie of this.#ties.locked.values())
      report({ kind: 'locked', component: assembly.ties[tie].component });
    this.#move();
    this.#weigh();
    this.#act();
    for (const { component, name, measures } of assembly.records) {
      const terms = this.#measured(measures, component);
      if (terms !== null) network.recorded.push({ component, name, terms });
    }
    for (const { component, pin, node, measures } of assembly.senses) {
      const terms = this.#measured(measures, component) ?? [];
      network.add(component, node, GROUND, { kind: 'controlledVoltage', terms });
      network.signals.set(node, { component, pin, parts: [{ sum: terms }], isLogic: false });
    }
  }

  /** Motions that are given, and flanges that turn or move as their roots do. */
  #move(): void {
    const { assembly, network } = this;
    const giver = new Map<Flange, number>();
    for (const { at, value, component } of assembly.motions) {
      const { root, factor } = this.#ties.find(at);
      const other = giver.get(root);
      if (other !== undefined && typeof value !== 'number')
        this.report({ kind: 'motions', components: [other, component] });
      if (other !== undefined) continue;
      giver.set(root, component);
      const node = this.nodeOf(root);
      if (typeof value === 'number') {
        network.earth.join(GROUND, node);
        this.#given.set(root, this.#constant(value / factor, component));
        continue;
      }
      const rate = { text: `(${rateText(value.text)})/(${factor})`, pointer: value.pointer };
      network.add(component, node, GROUND, { kind: 'voltage', value: rate });
      this.#given.set(root, [{ ...this.#source(value, component), factor: 1 / factor }]);
    }
    for (let flange = 0; flange < assembly.flanges; flange++) {
      const { root, factor } = this.#ties.find(flange);
      if (root === flange) continue;
      const [node, own] = [this.nodeOf(root), this.nodeOf(flange)];
      if (factor === 1) network.earth.join(node, own);
      else {
        const core = network.cores++;
        const component = assembly.ties[0].component;
        network.add(component, node, GROUND, { kind: 'winding', core, ratio: 1 });
        network.add(component, own, GROUND, { kind: 'winding', core, ratio: factor });
      }
    }
  }

  #weigh(): void {
    const { assembly, network } = this;
    const defects: MechanismDefect[] = [];
    const { coordinates, placeOf } = readCoordinates(assembly, this.#ties, this.#given, defects);
    for (const defect of defects) this.report(defect);
    for (const [root, place] of placeOf) {
      const coordinate = coordinates[place];
      this.#coordinates.set(root, coordinate);
      const component = assembly.masses.find(({ at }) => this.#ties.find(at).root === root)?.component ?? 0;
      const capacitor = { kind: 'capacitor', C: coordinate.mass, v0: coordinate.velocity } as const;
      const branch = network.add(component, this.nodeOf(root), GROUND, capacitor);
      this.#masses.set(root, branch);
      network.labels.set(branch, this.#quantity(component, 'velocity'));
    }
  }

  /** What a position or a velocity of a component is called. */
  #quantity(component: number, of: 'position' | 'velocity'): string {
    const pins = componentTypes.get(this.components[component].type)?.definition.pins ?? [];
    return MOTIONS[pins.some(({ domain }) => domain === 'rotational') ? 'rotational' : 'translational'][of]
      .name;
  }

  #act(): void {
    const { assembly, network } = this;
    for (const { of, stiffness, preload, component } of assembly.springs) {
      const s = this.position(of);
      if (s === null) this.#massless(of, component);
      else
        this.#pull(
          of,
          [
            ...s.map((term) => ({ ...term, factor: stiffness * term.factor })),
            ...this.#constant(preload, component),
          ],
          component,
        );
    }
    for (const { of, damping, component } of assembly.dampers) {
      const ends = damping > 0 ? this.#ends(of) : null;
      if (ends !== null) network.add(component, ends[0], ends[1], { kind: 'resistor', R: 1 / damping });
      else if (damping !== 0)
        this.#pull(
          of,
          this.velocity(of).map((term) => ({ ...term, factor: damping * term.factor })),
          component,
        );
    }
    for (const { at, value, component } of assembly.forces)
      network.add(component, GROUND, this.nodeOf(at), {
        kind: 'controlledCurrent',
        terms: this.#value(value, component),
      });
    for (const law of assembly.laws) this.#laws.push(this.#law(law));
    this.#checkBounces();
  }

  /** A force against s at each of its flanges. */
  #pull({ terms }: Combination, force: readonly Term[], component: number): void {
    for (const { flange, factor } of terms)
      this.network.add(component, this.nodeOf(flange), GROUND, {
        kind: 'controlledCurrent',
        terms: force.map((term) => ({ ...term, factor: factor * term.factor })),
      });
  }

  /**
   * Friction, freewheels and what yields are characteristics between their flanges, springs by pieces at the
   * elongation. @returns the branch whose current is minus the multiplier
   */
  #law(own: Law): Branch {
    const { rows, law, gate, component } = own;
    const [row] = rows;
    if (
      rows.every(({ terms }) => terms.every(({ flange }) => this.#given.has(this.#ties.find(flange).root)))
    ) {
      this.report({ kind: 'idle', component });
      return -1;
    }
    if (law.type === 'NewtonImpact') return this.#stop(own);
    const { network } = this;
    if (law.type === 'Equality' && gate !== null) {
      const pair = this.#ends(row);
      if (pair !== null) return network.add(component, pair[0], pair[1], { kind: 'switch', ...gate });
    }
    const curve = characteristicOf(law);
    const ends = law.level === 'velocity' ? this.#ends(row) : null;
    if (curve === null || rows.length > 1 || (law.level === 'velocity' && ends === null)) {
      this.report({ kind: 'undriven', component });
      return -1;
    }
    if (ends !== null && holdsNothing(curve))
      return network.add(component, ends[0], ends[1], { kind: 'controlledCurrent', terms: [] });
    if (ends !== null) {
      let [from] = ends;
      if (gate !== null) {
        from = network.newNode();
        network.add(component, ends[0], from, { kind: 'switch', ...gate });
      }
      return network.add(component, from, ends[1], { kind: 'characteristic', curve });
    }
    const s = this.position(row);
    if (s === null || gate !== null) {
      if (s === null) this.#massless(row, component);
      else this.report({ kind: 'undriven', component });
      return -1;
    }
    const node = network.newNode();
    network.add(component, node, GROUND, { kind: 'controlledVoltage', terms: s });
    const branch = network.add(component, node, GROUND, { kind: 'characteristic', curve });
    this.#pull(row, [{ branch, of: 'i', factor: 1 }], component);
    return branch;
  }

  /**
   * A stop: while the gap is closed, and its gate is on, a diode that keeps its flanges from coming nearer,
   * which stops them where they meet. With a restitution their velocities jump before, where the gap comes to
   * zero.
   */
  #stop({ rows, law, gate: own, component }: Law): Branch {
    const { network } = this;
    const e = Number(law.e);
    const branches: Branch[] = [];
    for (const row of rows) {
      const ends = this.#ends(row);
      const s = this.position(row);
      if (ends === null || s === null) {
        if (s === null) this.#massless(row, component);
        else this.report({ kind: 'undriven', component });
        return -1;
      }
      // What comes later may find its flanges beyond it, and keeps them from going further.
      const overlap = own === null ? this.#overlap(row) : 0;
      if (overlap > 0) this.report({ kind: 'overlap', component, size: overlap });
      const node = network.newNode();
      const closed: SignalPart[] = ['-', { sum: s }];
      const parts = own === null ? closed : ['min(', ...closed, ', ', this.#gatePart(own, component), ')'];
      network.signals.set(node, { component, pin: 'contact', parts, isLogic: true });
      if (e > 0) this.#bounce(row, parts, e, own !== null);
      const gate = { gate: { node }, isInverse: false };
      branches.push(network.add(component, ends[1], ends[0], { kind: 'diode', gate }));
    }
    return branches[0];
  }

  #gatePart({ gate }: LawGate, component: number): SignalPart {
    return 'node' in gate ? { gate } : { written: { gate, element: this.components[component].id } };
  }

  /** How far a gap is below zero at the start, where that is known. */
  #overlap({ terms, offset }: Combination): number {
    let s = offset;
    let size = Math.abs(offset);
    for (const { flange, factor } of terms) {
      const { root, factor: by } = this.#ties.find(flange);
      const given = this.#given.get(root);
      const position = given === undefined ? this.#coordinates.get(root)?.position : 0;
      if (position === undefined || (given !== undefined && given.length > 0)) return 0;
      s += factor * by * position;
      size += Math.abs(factor * by * position);
    }
    return s < -OVERLAP * size ? -s : 0;
  }

  /**
   * Impulses of several contacts at one instant follow from each other, and those of a restitution are
   * written one by one: a mass that is held otherwise while it is hit is refused, but between walls.
   */
  #checkBounces(): void {
    const laws = this.assembly.laws.flatMap((law) => {
      const isStop = law.law.type === 'NewtonImpact';
      if (!isStop && !isRigid(law)) return [];
      const roots = law.rows[0].terms.map(({ flange }) => this.#ties.find(flange).root);
      const moving = [...new Set(roots)].filter((root) => this.#coordinates.has(root));
      return [{ ...law, isStop, moving }];
    });
    for (const one of laws)
      for (const other of laws) {
        if (other === one || !one.isStop || !(Number(one.law.e) > 0)) continue;
        if (!one.moving.some((root) => other.moving.includes(root))) continue;
        if (other.isStop && one.moving.length === 1 && other.moving.length === 1) continue;
        this.report({ kind: 'impacts', components: [one.component, other.component] });
        return;
      }
  }

  /**
   * ṡ⁺ = −e ṡ⁻, by an impulse that is as large at both flanges.
   * @param mayPart whether they may go apart where the guard is passed, which is no impact
   */
  #bounce(row: Combination, guard: readonly SignalPart[], e: number, mayPart: boolean): void {
    const moved = row.terms.flatMap(({ flange, factor }) => {
      const { root, factor: by } = this.#ties.find(flange);
      const coordinate = this.#coordinates.get(root);
      const branch = this.#masses.get(root);
      return coordinate === undefined || branch === undefined
        ? []
        : [{ branch, by: factor * by, coordinate }];
    });
    const inverse = moved.reduce((sum, { by, coordinate }) => sum + by ** 2 / coordinate.mass, 0);
    const rate = this.velocity(row);
    for (const { branch, by, coordinate } of moved) {
      const gain = (-(1 + e) * by) / (coordinate.mass * inverse);
      const own: Term = { branch, of: 'v', factor: 1 };
      const to: SignalPart[] = mayPart
        ? [{ sum: [own] }, ` + (${gain})*min(`, { sum: rate }, ', 0)']
        : [{ sum: [own, ...rate.map((term) => ({ ...term, factor: gain * term.factor }))] }];
      const known = this.network.memories.get(branch);
      this.network.memories.set(branch, {
        start: coordinate.velocity,
        jumps: [...(known?.jumps ?? []), { when: guard, to }],
      });
    }
  }

  /** Nodes between which s is the voltage. */
  #ends({ terms }: Combination): [NetworkNode, NetworkNode] | null {
    const plus = terms.filter(({ factor }) => factor === 1);
    const minus = terms.filter(({ factor }) => factor === -1);
    if (plus.length + minus.length !== terms.length || plus.length > 1 || minus.length > 1) return null;
    const node = (list: Combination['terms']): NetworkNode =>
      list.length === 0 ? GROUND : this.nodeOf(list[0].flange);
    return [node(plus), node(minus)];
  }

  #massless({ terms }: Combination, component: number): void {
    const loose = terms.find(({ flange }) => this.#root(flange) === null);
    if (loose !== undefined) this.report({ kind: 'massless', flange: loose.flange, components: [component] });
  }

  position({ terms, offset }: Combination): Term[] | null {
    const sum = this.#constant(offset, 0);
    for (const { flange, factor } of terms) {
      const own = this.#root(flange);
      if (own === null) return null;
      const by = factor * this.#ties.find(flange).factor;
      sum.push(...own.map((term) => ({ ...term, factor: by * term.factor })));
    }
    return sum;
  }

  velocity({ terms }: Combination): Term[] {
    return terms.map(({ flange, factor }) => ({
      branch: this.network.add(0, this.nodeOf(flange), GROUND, { kind: 'open' }),
      of: 'v',
      factor,
    }));
  }

  /** Where the root of a flange is; null where nothing says where it begins. */
  #root(flange: Flange): readonly Term[] | null {
    const { network } = this;
    const { root } = this.#ties.find(flange);
    const given = this.#given.get(root);
    if (given !== undefined) return given;
    const known = this.#positions.get(root);
    if (known !== undefined) return [known];
    const coordinate = this.#coordinates.get(root);
    if (coordinate === undefined) return null;
    const { component } = this.assembly.masses.find(({ at }) => this.#ties.find(at).root === root) ?? {
      component: 0,
    };
    const node = network.newNode();
    const terms = this.velocity({ terms: [{ flange: root, factor: 1 }], offset: 0 });
    network.add(component, GROUND, node, { kind: 'controlledCurrent', terms });
    const branch = network.add(component, node, GROUND, { kind: 'capacitor', C: 1, v0: coordinate.position });
    network.labels.set(branch, this.#quantity(component, 'position'));
    const term: Term = { branch, of: 'v', factor: 1 };
    this.#positions.set(root, term);
    return [term];
  }

  #constant(value: number, component: number): Term[] {
    return value === 0 ? [] : [this.#source(value, component)];
  }

  #source(value: Exclude<DrivenValue, WiredGate>, component: number): Term {
    const { network } = this;
    const branch = network.add(component, network.newNode(), GROUND, { kind: 'voltage', value });
    return { branch, of: 'v', factor: 1 };
  }

  #value(value: DrivenValue, component: number): Term[] {
    const { network } = this;
    if (typeof value === 'number') return this.#constant(value, component);
    if (!('node' in value)) return [this.#source(value, component)];
    network.numbers.add(value.node);
    return [{ branch: network.add(component, value.node, GROUND, { kind: 'open' }), of: 'v', factor: 1 }];
  }

  #measured(measures: readonly ReadMeasure[], component: number): Term[] | null {
    const sum: Term[] = [];
    for (const measure of measures) {
      const terms = this.#terms(measure, component);
      if (terms === null) return null;
      sum.push(...terms.map((term) => ({ ...term, factor: measure.factor * term.factor })));
    }
    return sum;
  }

  #terms(measure: ReadMeasure, component: number): Term[] | null {
    switch (measure.of) {
      case 'position':
        return this.position(measure.combination);
      case 'velocity':
        return this.velocity(measure.combination);
      case 'multiplier': {
        const branch = this.#laws[measure.law];
        return branch < 0 ? null : [{ branch, of: 'i', factor: -1 }];
      }
      case 'value':
        return this.#value(measure.value, component);
    }
  }
}

/** Part of the sizes of positions that a gap may be below zero at the start. */
const OVERLAP = 1e-9;

/** Whether a law between velocities holds whatever pulls, as a freewheel. */
function isRigid({ law }: Law): boolean {
  if (law.type === 'Equality') return true;
  const curve = law.level === 'velocity' ? characteristicOf(law) : null;
  return curve !== null && [curve.start, curve.end].some(([rate]) => rate === 0);
}

interface Curve {
  readonly points: readonly (readonly [number, number])[];
  readonly start: readonly [number, number];
  readonly end: readonly [number, number];
}

/** Whether a graph is λ = 0, as of friction whose limit is zero: a graph of one value is no law. */
const holdsNothing = ({ points, start, end }: Curve): boolean =>
  start[1] === 0 && end[1] === 0 && points.every(([, lambda]) => lambda === 0);

/** (s or ṡ, −λ) of a law of one row as pieces; null where it has none, as an impact. */
function characteristicOf(law: Law['law']): Curve | null {
  if (law.type === 'Relay') {
    const [lower, upper] = [law.lower, law.upper].map((list) =>
      Array.isArray(list) ? Number(list[0]) : NaN,
    );
    return {
      points: [
        [0, -upper],
        [0, -lower],
      ],
      start: [1, 0],
      end: [1, 0],
    };
  }
  if (law.type !== 'PiecewiseLinear') return null;
  const turned = (pair: unknown): [number, number] => {
    const [y, lambda] = pair as [number, number];
    return [y, 0 - lambda];
  };
  const { points, start, end } = law as unknown as { points: unknown[]; start: unknown; end: unknown };
  return { points: points.map(turned), start: turned(start), end: turned(end) };
}
