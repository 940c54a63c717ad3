/**
 * What is drawn of components becomes systems and interactions of the document, before anything of them is
 * read: a circuit is one first-order system and one interaction with a law for each of its non-smooth
 * elements; a mechanism is a Lagrangian system for each part that springs and dampers join, and an
 * interaction for each of its laws. Defects are found at the components that they are about.
 */
import { closest } from '../closest';
import { ExpressionError } from '../document/expressions';
import { FieldValues, type EvaluationContext } from '../document/field-values';
import { evaluateWith } from '../document/parameters';
import { MAX_ISSUES } from '../document/structure';
import type { ComponentDocument, DocumentIssue, ModelDocument, WireDocument } from '../document/types';
import { componentTypes } from '../model/components/registry';
import type { ComponentType } from '../model/components/component';
import type { MechanicalDomain } from '../model/components/mechanical/domains';
import type { Domain, PinDefinition } from '../model/definition';
import { couple } from './coupling';
import { toElements } from './elements';
import {
  explain as explainNetwork,
  type Named,
  reportIslands,
  reportStart,
  type WireMotion,
} from './explanations';
import { type Drawing, flatten } from './flatten';
import { locateGiven } from './given-values';
import { Mender } from './mends';
import { ComponentCircuit, GROUND, Network, type Waveform } from './network';
import { Assembly, ComponentMechanism } from './mechanics/assembly';
import { reportImpulses } from './impulses';
import { areSteady, compileMechanism, explain } from './mechanics/compile';
import { drivenComponents, driveNetwork } from './mechanics/driven';
import { outputsOf } from './outputs';
import { multiply } from './products';
import { reduce } from './reduction';
import { type CompiledComponents, joinTables, type Report } from './result';
import { checkSignals, readAsNumbers } from './signal-wires';
import { waveformOf } from './waveforms';

const NOTHING: CompiledComponents = { systems: [], interactions: [], table: null, labels: {} };

type Drawn = Pick<
  ModelDocument,
  'components' | 'instances' | 'wires' | 'submodels' | 'systems' | 'interactions' | 'simulation'
>;

/** Places in the lists of components and wires of a drawing, as messages have them. */
const PLACE = /^\/(components|wires)\/(\d+)/;

/** @returns what it becomes; nothing after reported defects */
export function compileComponents(document: Drawn, context: EvaluationContext): CompiledComponents {
  const reported = context.issues.length;
  const mender = menderOf(document);
  let givers: Drawing['givers'] = new Map();
  const compiled = compileDrawing(document, context, mender, (drawing) => {
    mender.see(drawing);
    ({ givers } = drawing);
  });
  locateGiven(context.issues, reported, document.submodels ?? [], givers);
  for (const issue of context.issues.slice(reported)) {
    if (issue.mends !== undefined) continue;
    const mends = mender.plain(issue);
    if (mends.length > 0) issue.mends = mends;
  }
  return compiled;
}

/** What only concerns the fields of a component: its wires can be followed. */
const FIELD = /^\/components\/\d+\/(?!id$)/;

/** Defects of the wires of a document whose components have other defects; none where those hide them. */
export function wireIssues(document: Drawn, found: readonly DocumentIssue[]): DocumentIssue[] {
  const hides = found.some(({ severity, pointer }) => severity === 'error' && !FIELD.test(pointer));
  // Behind that number there may be any.
  if (hides || found.length >= MAX_ISSUES) return [];
  // Of a component without a type nothing else has been looked at.
  if ((document.components ?? []).some(({ id }) => typeof id !== 'string')) return [];
  const issues: DocumentIssue[] = [];
  const report = reportTo(issues);
  checkNames(document, report);
  if (issues.length > 0) return issues;
  const mender = menderOf(document);
  const drawing = flatten(document, report);
  if (document.instances !== undefined) mender.see(drawing);
  readWires(drawing, report, mender);
  return issues.filter(({ severity }) => severity === 'error');
}

const reportTo =
  (issues: DocumentIssue[]): Report =>
  (severity, pointer, element, code, message, remedy, mends = []) => {
    const own = mends.length === 0 ? {} : { mends: [...mends] };
    issues.push({ severity, code, pointer, element, message, remedy, ...own });
  };

function menderOf({ components, instances = [], wires, systems, interactions, submodels }: Drawn): Mender {
  const all = [components ?? [], instances, wires ?? [], systems, interactions];
  const mended = {
    ...(components === undefined ? {} : { components }),
    ...(wires === undefined ? {} : { wires }),
    ...(submodels === undefined ? {} : { submodels }),
  };
  return new Mender(mended, new Set(all.flatMap((list) => list.map(({ id }) => id))));
}

/** @param see is shown what sub-models are made of */
function compileDrawing(
  document: Drawn,
  context: EvaluationContext,
  mender: Mender,
  see: (drawing: Drawing) => void,
): CompiledComponents {
  if (document.components === undefined && document.wires === undefined && document.instances === undefined)
    return NOTHING;
  const reported = context.issues.length;
  const plain = reportTo(context.issues);
  const hasErrors = (): boolean =>
    context.issues.slice(reported).some(({ severity }) => severity === 'error');
  checkNames(document, plain);
  if (hasErrors()) return NOTHING;
  const drawing = flatten(document, plain);
  const { components, wires, wireIds } = drawing;
  if (document.instances !== undefined) see(drawing);
  if (hasErrors() || (components.length === 0 && wires.length === 0)) return NOTHING;
  const report: Report = (severity, pointer, ...rest) => {
    const written = pointer.replace(PLACE, (_, list: string, k: string) =>
      list === 'wires' ? drawing.wirePointers[Number(k)] : drawing.componentPointers[Number(k)],
    );
    plain(severity, written, ...rest);
  };
  const wireOf = readWires(drawing, plain, mender);
  if (hasErrors()) return NOTHING;
  const domains = domainsOf(drawing, report, mender);
  checkSignals(drawing, domains, report);
  const network = new Network();
  const assembly = new Assembly();
  const drivenAssembly = new Assembly();
  const isMechanical = (wire: number): boolean => isOfMotion(domains[wire] ?? 'electrical');
  const isWired = (end: string): boolean => wireOf.has(end);
  const isEventDriven = document.simulation.scheme === 'event-driven';
  const driven = drivenComponents({ components, wires, isMechanical, isWired, isEventDriven });
  const isDriven = wires.map(
    ({ ends }, w) => isMechanical(w) && ends.some((end) => driven.has(end.slice(0, end.lastIndexOf('.')))),
  );
  const nodeOfWire = wires.map((_, w) => (isMechanical(w) && !isDriven[w] ? null : network.newNode()));
  const flangeOfWire = wires.map((_, w) =>
    isMechanical(w) ? (isDriven[w] ? drivenAssembly : assembly).newFlange() : null,
  );
  components.forEach((component, place) => {
    const type = componentTypes.get(component.type);
    if (type === undefined) return;
    const pointer = drawing.componentPointers[place];
    const own = driven.has(component.id) ? drivenAssembly : assembly;
    const site = {
      network,
      assembly: own,
      nodeOfWire,
      flangeOfWire,
      wires,
      wireOf,
      context,
      pointer,
      mender,
    };
    stamp(component, place, type, { ...site, report: plain });
  });
  couple(network, components, report);
  const drawn = { components, wires, wireIds, componentPointers: drawing.componentPointers, mender };
  const domainOf = (wire: number): MechanicalDomain =>
    domains[wire] === 'rotational' ? 'rotational' : 'translational';
  const nodeOfFlange = new Map<number, number>();
  wires.forEach((_, w) => {
    const [flange, node] = [flangeOfWire[w], nodeOfWire[w]];
    if (isDriven[w] && flange !== null && node !== null) nodeOfFlange.set(flange, node);
  });
  const span = [timeOf(document, 't0', context), timeOf(document, 'tEnd', context)] as const;
  areSteady(drivenAssembly, components, { span, context, report });
  const motions = driveNetwork(
    drivenAssembly,
    network,
    components,
    (flange) => {
      const node = nodeOfFlange.get(flange) ?? network.newNode();
      nodeOfFlange.set(flange, node);
      return node;
    },
    (defect) => {
      explain(defect, { ...drawn, assembly: drivenAssembly, flangeOfWire, domainOf }, report);
    },
  );
  const wireMotions = wires.map((_, w): WireMotion | null => {
    const flange = flangeOfWire[w];
    if (!isDriven[w] || flange === null) return null;
    const at = { terms: [{ flange, factor: 1 }], offset: 0 };
    return { domain: domainOf(w), velocity: motions.velocity(at), position: motions.position(at) };
  });
  multiply(network, components, report);
  readAsNumbers(network);
  // Values of broken parameters are missing, which has been said at these.
  if (hasErrors() || context.brokenParameters.size > 0) return NOTHING;
  const taken = new Set([...document.systems, ...document.interactions].map(({ id }) => id));
  const isCircuit = ({ id, type }: ComponentDocument): boolean =>
    'stamp' in (componentTypes.get(type) ?? {}) || driven.has(id);
  const hasCircuit = components.some(isCircuit) || components.length === 0;
  const circuit = hasCircuit
    ? compileCircuit(
        {
          network,
          components,
          wires,
          wireIds,
          nodeOfWire,
          mender,
          isSignal: (wire) => domains[wire] === 'signal',
          motionOf: (wire) => wireMotions[wire],
        },
        { taken, t0: span[0], context, report },
      )
    : NOTHING;
  // Sensors and walls at nothing, beside a circuit, move nothing.
  const isIdle =
    assembly.parts.length === assembly.motions.length && circuit !== null && circuit.systems.length > 0;
  const mechanism =
    components.every(isCircuit) || isIdle
      ? NOTHING
      : compileMechanism(
          {
            ...drawn,
            ...{ assembly, domainOf },
            flangeOfWire: flangeOfWire.map((flange, w) => (isDriven[w] ? null : flange)),
          },
          {
            taken: new Set([...taken, ...components.map(({ id }) => id), ...wires.map(({ id }) => id)]),
            ...{ span, context, report },
          },
        );
  if (circuit === null || mechanism === null || hasErrors()) return NOTHING;
  return {
    systems: [...circuit.systems, ...mechanism.systems],
    interactions: [...circuit.interactions, ...mechanism.interactions],
    table: joinTables(circuit.table, mechanism.table),
    labels: { ...circuit.labels, ...mechanism.labels },
  };
}

/** @returns null after reported defects */
function compileCircuit(
  named: Named,
  {
    taken,
    t0,
    context,
    report,
  }: Pick<Site, 'context' | 'report'> & {
    readonly taken: ReadonlySet<string>;
    readonly t0: number;
  },
): CompiledComponents | null {
  const { network } = named;
  const reduction = reduce(network, network.mutual);
  if (!reduction.ok) {
    for (const defect of reduction.defects) explainNetwork(defect, named, report);
    return null;
  }
  const { reduced } = reduction;
  if (reportIslands(reduced.orientation, named, report)) return null;
  reportStart(reduced.moved, named, report);
  reportImpulses(reduced, named, report);
  const outputs = outputsOf(reduced, named, report);
  return toElements(reduced, named, { outputs, taken, t0, context, report });
}

/** Beginning or end of the run, s; where that is a defect, it is said elsewhere. */
function timeOf(
  { simulation }: Pick<Drawn, 'simulation'>,
  key: 't0' | 'tEnd',
  { parameters, brokenParameters }: EvaluationContext,
): number {
  try {
    return evaluateWith(String(simulation[key]), parameters, brokenParameters);
  } catch (error) {
    if (error instanceof ExpressionError) return 0;
    throw error;
  }
}

const isOfMotion = (domain: Domain): boolean => domain === 'translational' || domain === 'rotational';

/** The domain of the pins of each wire; pins of several cannot be at one. */
function domainsOf(
  { components, wires, endPointers }: Drawing,
  report: Report,
  mender: Mender,
): (Domain | undefined)[] {
  const typeOf = new Map(components.map(({ id, type }) => [id, componentTypes.get(type)]));
  return wires.map(({ id, ends }, w) => {
    const domainOf = (end: string): Domain | undefined => {
      const point = end.lastIndexOf('.');
      const [owner, name] = [end.slice(0, point), end.slice(point + 1)];
      return typeOf.get(owner)?.definition.pins.find((pin) => pin.name === name)?.domain;
    };
    const [first, ...others] = ends;
    const other = others.find((end) => domainOf(end) !== domainOf(first));
    if (other !== undefined)
      report(
        'error',
        `/wires/${w}`,
        id,
        'mixed-domains',
        `The wire “${id}” joins “${first}”, which is ${domainOf(first) ?? ''}, with “${other}”, which is ${domainOf(other) ?? ''}.`,
        [domainOf(first), domainOf(other)].includes('signal')
          ? 'Join pins of one kind. A meter makes a signal of a voltage or current, and a source or a gate follows one.'
          : 'Join pins of one kind. A rack is between what turns and what moves along an axis.',
        mender.dropEnd(other, endPointers[w][ends.indexOf(other)]),
      );
    return first === undefined ? undefined : domainOf(first);
  });
}

/** Ids are names of signals, so that nothing may have the id of another. */
function checkNames(
  { components = [], instances = [], wires = [], systems, interactions }: Drawn,
  report: Report,
): void {
  const seen = new Set([...systems, ...interactions].map(({ id }) => id));
  for (const [section, list] of [
    ['components', components],
    ['instances', instances],
    ['wires', wires],
  ] as const)
    list.forEach(({ id }, i) => {
      if (seen.has(id))
        report('error', `/${section}/${i}/id`, id, 'duplicate-id', `“${id}” stands twice.`, 'Rename one.');
      seen.add(id);
    });
}

/** Which wire each pin is at. */
function readWires(
  { components, wires, endPointers }: Drawing,
  report: Report,
  mender: Mender,
): Map<string, number> {
  const byId = new Map(components.map((component) => [component.id, component]));
  const wireOf = new Map<string, number>();
  wires.forEach(({ id, ends }, w) => {
    ends.forEach((end, k) => {
      const point = end.lastIndexOf('.');
      const [owner, pin] = [end.slice(0, point), end.slice(point + 1)];
      const pointer = endPointers[w][k];
      const component = byId.get(owner);
      if (component === undefined) {
        const near = closest(owner, [...byId.keys()]);
        const meant = near === null ? '' : ` Did you mean ${near}?`;
        report(
          'error',
          pointer,
          id,
          'unknown-component',
          `The wire “${id}” ends at “${end}”, and there is no component “${owner}”.`,
          `Correct the end, or remove it.${meant}`,
          mender.dropEnd(end, pointer),
        );
        return;
      }
      const type = componentTypes.get(component.type);
      // Of a type that is not known, every pin would be wrong.
      const pins = type === undefined ? [pin] : type.definition.pins.map(({ name }) => name);
      if (!pins.includes(pin)) {
        const has = pins.length === 0 ? 'It has no pins.' : `Its pins are ${pins.join(', ')}.`;
        report(
          'error',
          pointer,
          id,
          'unknown-pin',
          `The wire “${id}” ends at “${end}”, and ${component.type} has no pin “${pin}”.`,
          `Name another. ${has}`,
          mender.dropEnd(end, pointer),
        );
      } else if (wireOf.has(end)) {
        const other = wires[wireOf.get(end) ?? w].id;
        report(
          'error',
          pointer,
          id,
          'pin-twice',
          other === id
            ? `The pin “${end}” stands twice in the wire “${id}”.`
            : `The pin “${end}” is at two wires, “${other}” and “${id}”.`,
          other === id ? 'Remove one.' : 'Make one wire of them, or remove the pin from one.',
          mender.dropEnd(end, pointer),
        );
      } else wireOf.set(end, w);
    });
  });
  return wireOf;
}

interface Site {
  readonly network: Network;
  readonly assembly: Assembly;
  /** null where the other kind of wire is */
  readonly nodeOfWire: readonly (number | null)[];
  readonly flangeOfWire: readonly (number | null)[];
  readonly wires: readonly WireDocument[];
  readonly wireOf: ReadonlyMap<string, number>;
  readonly context: EvaluationContext;
  /** JSON pointer to the component */
  readonly pointer: string;
  readonly report: Report;
  readonly mender: Mender;
}

/** Adds a component to the network or the mechanism. */
function stamp(
  component: ComponentDocument,
  place: number,
  type: ComponentType,
  { network, assembly, nodeOfWire, flangeOfWire, wires, wireOf, context, pointer, report, mender }: Site,
): void {
  const { id } = component;
  const { definition, waveforms = {} } = type;
  const pins = new Map(
    definition.pins.map(({ name, domain }) => {
      const wire = wireOf.get(`${id}.${name}`);
      const isFlange = isOfMotion(domain) && !('stamp' in type);
      const own = wire === undefined ? null : (isFlange ? flangeOfWire : nodeOfWire)[wire];
      return [name, own ?? (isFlange ? assembly.newFlange() : network.newNode())];
    }),
  );
  const isWired = (name: string): boolean => wireOf.has(`${id}.${name}`);
  const open = definition.pins.filter(({ name, isFree }) => isFree !== true && !isWired(name));
  for (const { name } of open.filter(({ direction }) => direction === 'in'))
    report(
      'error',
      pointer,
      id,
      'no-source',
      `Nothing gives the signal that “${id}” reads at its pin “${name}”.`,
      'Draw a wire to it from the output of a block or of a meter.',
    );
  // A wire that leads nowhere joins nothing.
  const isLonely = ({ name, domain, isFree }: PinDefinition): boolean =>
    domain === 'electrical' && isFree !== true && wires[wireOf.get(`${id}.${name}`) ?? -1]?.ends.length === 1;
  const loose = definition.pins.filter(
    (pin) => isLonely(pin) || (open.includes(pin) && pin.direction === undefined),
  );
  if (loose.length > 0)
    report(
      'warning',
      pointer,
      id,
      'open-pin',
      `${loose.length === 1 ? 'The pin' : 'The pins'} ${loose.map(({ name }) => `“${name}”`).join(', ')} of “${id}” ${loose.length === 1 ? 'is' : 'are'} not connected.`,
      `Draw a wire to ${loose.length === 1 ? 'it' : 'them'}, or remove “${id}”.`,
      [...loose.flatMap(({ name, domain }) => mender.hold(`${id}.${name}`, domain)), ...mender.remove(id)],
    );
  const fields = new FieldValues(id, definition, component, pointer, context);
  for (const { key, kind, required } of definition.fields)
    // A signal at a pin takes the place of the field of its name.
    if (required && !fields.has(key) && kind === 'expression' && !isWired(key))
      fields.reject(key, 'missing', `“${id}” needs the field “${key}”.`, 'Give it.');
  const pinOf = (name: string): number => pins.get(name) ?? GROUND;
  const waveform = (name: string): number | Waveform =>
    waveformOf({ component, definition, waveforms, pointer, context }, name);
  if ('stamp' in type) type.stamp(fields, new ComponentCircuit(network, place, pinOf, waveform, isWired));
  else type.assemble(fields, new ComponentMechanism(assembly, place, pinOf, waveform, pinOf, isWired));
}
