/**
 * What is drawn of components becomes systems and interactions of the document, before anything of them is
 * read: a circuit is one first-order system and one interaction with a law for each of its non-smooth
 * elements. Defects are found at the components that they are about.
 */
import { closest } from '../closest';
import { FieldValues, type EvaluationContext } from '../document/field-values';
import type { ComponentDocument, ModelDocument } from '../document/types';
import { componentTypes } from '../model/components/registry';
import type { ComponentType } from '../model/components/component';
import { couple } from './coupling';
import { toElements } from './elements';
import { explain, reportIslands } from './explanations';
import { type Drawing, flatten } from './flatten';
import { ComponentCircuit, GROUND, Network } from './network';
import { outputsOf } from './outputs';
import { reduce } from './reduction';
import type { CompiledComponents, Report } from './result';
import { waveformOf } from './waveforms';

const NOTHING: CompiledComponents = { systems: [], interactions: [], table: null };

type Drawn = Pick<
  ModelDocument,
  'components' | 'instances' | 'wires' | 'submodels' | 'systems' | 'interactions'
>;

/** Places in the lists of components and wires of a drawing, as messages have them. */
const PLACE = /^\/(components|wires)\/(\d+)/;

/** @returns what it becomes; nothing after reported defects */
export function compileComponents(document: Drawn, context: EvaluationContext): CompiledComponents {
  if (document.components === undefined && document.wires === undefined && document.instances === undefined)
    return NOTHING;
  const reported = context.issues.length;
  const plain: Report = (severity, pointer, element, code, message, remedy) => {
    context.issues.push({ severity, code, pointer, element, message, remedy });
  };
  const hasErrors = (): boolean =>
    context.issues.slice(reported).some(({ severity }) => severity === 'error');
  checkNames(document, plain);
  if (hasErrors()) return NOTHING;
  const drawing = flatten(document, plain);
  const { components, wires, wireIds } = drawing;
  if (hasErrors() || (components.length === 0 && wires.length === 0)) return NOTHING;
  const report: Report = (severity, pointer, ...rest) => {
    const written = pointer.replace(PLACE, (_, list: string, k: string) =>
      list === 'wires' ? drawing.wirePointers[Number(k)] : drawing.componentPointers[Number(k)],
    );
    plain(severity, written, ...rest);
  };
  const network = new Network();
  const nodeOfWire = wires.map(() => network.newNode());
  const wireOf = readWires(drawing, plain);
  if (hasErrors()) return NOTHING;
  components.forEach((component, place) => {
    const type = componentTypes.get(component.type);
    if (type === undefined) return;
    const pointer = drawing.componentPointers[place];
    stamp(component, place, type, { network, nodeOfWire, wireOf, context, pointer, report: plain });
  });
  couple(network, components, report);
  if (hasErrors()) return NOTHING;
  const { mutual } = network;
  const reduction = reduce(network, mutual);
  const named = { network, components, wires, wireIds, nodeOfWire };
  if (!reduction.ok) {
    for (const defect of reduction.defects) explain(defect, named, report);
    return NOTHING;
  }
  const { reduced } = reduction;
  reportIslands(reduced.orientation, named, report);
  if (hasErrors()) return NOTHING;
  const taken = new Set([...document.systems, ...document.interactions].map(({ id }) => id));
  const outputs = outputsOf(reduced, named, report);
  const elements = toElements(reduced, named, { outputs, taken, context, report });
  return hasErrors() ? NOTHING : elements;
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
function readWires({ components, wires, endPointers }: Drawing, report: Report): Map<string, number> {
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
        );
        return;
      }
      const pins = (componentTypes.get(component.type)?.definition.pins ?? []).map(({ name }) => name);
      if (!pins.includes(pin)) {
        const has = pins.length === 0 ? 'It has no pins.' : `Its pins are ${pins.join(', ')}.`;
        report(
          'error',
          pointer,
          id,
          'unknown-pin',
          `The wire “${id}” ends at “${end}”, and ${component.type} has no pin “${pin}”.`,
          `Name another. ${has}`,
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
        );
      } else wireOf.set(end, w);
    });
  });
  return wireOf;
}

interface Site {
  readonly network: Network;
  readonly nodeOfWire: readonly number[];
  readonly wireOf: ReadonlyMap<string, number>;
  readonly context: EvaluationContext;
  /** JSON pointer to the component */
  readonly pointer: string;
  readonly report: Report;
}

/** Adds a component to the network. */
function stamp(
  component: ComponentDocument,
  place: number,
  type: ComponentType,
  { network, nodeOfWire, wireOf, context, pointer, report }: Site,
): void {
  const { id } = component;
  const { definition, waveforms = {} } = type;
  const pins = new Map(
    definition.pins.map(({ name }) => {
      const wire = wireOf.get(`${id}.${name}`);
      return [name, wire === undefined ? network.newNode() : nodeOfWire[wire]];
    }),
  );
  const loose = definition.pins.filter(({ name }) => !wireOf.has(`${id}.${name}`));
  if (loose.length > 0)
    report(
      'warning',
      pointer,
      id,
      'open-pin',
      `${loose.length === 1 ? 'The pin' : 'The pins'} ${loose.map(({ name }) => `“${name}”`).join(', ')} of “${id}” ${loose.length === 1 ? 'is' : 'are'} not connected.`,
      `Draw a wire to ${loose.length === 1 ? 'it' : 'them'}, or remove “${id}”.`,
    );
  const before = context.issues.length;
  const fields = new FieldValues(id, definition, component, pointer, context);
  for (const { key, kind, required } of definition.fields)
    if (required && !fields.has(key) && kind === 'expression')
      fields.reject(key, 'missing', `“${id}” needs the field “${key}”.`, 'Give it.');
  const circuit = new ComponentCircuit(
    network,
    place,
    (name) => pins.get(name) ?? GROUND,
    (name) => waveformOf({ component, definition, waveforms, pointer, context }, name),
  );
  type.stamp(fields, circuit);
  // A number without a value has been reported, and would be spread by the rest.
  if (context.issues.length > before) return;
}
