/** A drawn circuit as a schematic: symbols, wires with right angles, names and values. */
import type { ModelDocument } from '@engine/document/types';
import type { ElementDefinition } from '@engine/model/definition';
import { componentTypes } from '@engine/model/components/registry';
import { placeComponents } from '@figures/circuit/arrange';
import { componentBox, halfSize, type Point, symbolTransform, turned } from '@figures/circuit/geometry';
import {
  drawnEnd,
  instanceComponent,
  isOwn,
  memberPins,
  ownDefinitions,
} from '@figures/circuit/own-components';
import { isNamedThere, mainValues } from '@figures/circuit/values';
import {
  drawWires,
  type DrawnWire,
  isNamed,
  labelPlaces,
  type LabelPlace,
  type PlacedComponent,
} from '@figures/circuit/wires';
import { xmlText } from '@figures/xml-text';

const INK = '#1a2029';
const WIRE = '#35604a';
/** Room for names and values around symbols, px. */
const MARGIN = 60;

function symbol({ component, definition, place }: PlacedComponent): string {
  const { lines = [], areas = [], texts = [] } = definition?.symbol ?? {};
  const transform = symbolTransform(place);
  return [
    `<g transform="translate(${place.x} ${place.y})">`,
    `<title>${xmlText(`${component.id}: ${component.type}`)}</title>`,
    `<g${transform === '' ? '' : ` transform="${transform}"`}>`,
    ...lines.map((d) => `<path d="${d}" fill="none"/>`),
    ...areas.map((d) => `<path d="${d}" fill="${INK}"/>`),
    '</g>',
    ...texts.map((letter) => {
      const { x, y } = turned(letter, place);
      return `<text x="${x}" y="${y + 5}" text-anchor="middle" font-size="14">${xmlText(letter.text)}</text>`;
    }),
    words({ component, definition, place }),
    '</g>',
  ].join('');
}

/** Name and values: above and below what lies, beside what stands. */
function words({ component, definition, place }: PlacedComponent): string {
  const known = isOwn(component.type)
    ? (definition as ElementDefinition | undefined)
    : componentTypes.get(component.type)?.definition;
  if (known === undefined || (!isNamedThere(known) && !isOwn(component.type))) return '';
  const { x, y } = halfSize(definition, place);
  const [anchor, name, value] = isOwn(component.type)
    ? (['start', { x: 7, y: -y - 6 + 19 }, { x: 7, y: y - 4 }] as const)
    : x >= y
      ? (['middle', { x: 0, y: -y - 6 }, { x: 0, y: y + 15 }] as const)
      : (['start', { x: x + 8, y: -3 }, { x: x + 8, y: 13 }] as const);
  const line = (at: Point, text: string, weight: number): string =>
    `<text x="${at.x}" y="${at.y}" text-anchor="${anchor}" font-size="12.5" font-weight="${weight}">${xmlText(text)}</text>`;
  const values = mainValues(component, known);
  return line(name, component.id, 600) + (values === '' ? '' : line(value, values, 400));
}

function wire(one: DrawnWire): string {
  const { id, branches, dots } = one;
  const lines = branches.map(({ points }) => `M${points.map(({ x, y }) => `${x} ${y}`).join('L')}`);
  return [
    `<g stroke="${WIRE}" fill="none"><title>${xmlText(id)}</title>`,
    ...(lines.length === 0 ? [] : [`<path d="${lines.join('')}"/>`]),
    ...dots.map(({ x, y }) => `<circle cx="${x}" cy="${y}" r="3.6" fill="${WIRE}" stroke="none"/>`),
    name(one),
    '</g>',
  ].join('');
}

/** The name of a wire, where it has been given one. */
function name(one: DrawnWire): string {
  if (!isNamed(one) || one.branches.length === 0) return '';
  return labelPlaces(one)
    .map((place) => nameAt(one.id, place))
    .join('');
}

function nameAt(id: string, { x, y, isUpright }: LabelPlace): string {
  const [left, top, anchor] = isUpright ? [x + 6, y + 4, 'start'] : [x, y - 6, 'middle'];
  return `<text x="${left}" y="${top}" text-anchor="${anchor}" font-size="12" font-style="italic" fill="${WIRE}" stroke="none">${xmlText(id)}</text>`;
}

/** The drawing with its size; null for a document without components. */
export function circuitPicture({
  components: own = [],
  instances = [],
  wires: written = [],
  submodels = [],
  layout,
}: ModelDocument): { body: string; width: number; height: number } | null {
  const pins = memberPins(written);
  const components = [...own, ...instances.map((instance) => instanceComponent(instance, pins))];
  const wires = written.map((wire) => ({ ...wire, ends: wire.ends.map(drawnEnd) }));
  if (components.length === 0) return null;
  const ofEngine = (type: string): ElementDefinition | undefined => componentTypes.get(type)?.definition;
  const boxes = ownDefinitions(
    submodels,
    ofEngine,
    components.map(({ type }) => type),
  );
  const definitionOf = (type: string): PlacedComponent['definition'] => boxes.get(type) ?? ofEngine(type);
  const places = placeComponents(components, wires, layout.nodes, definitionOf);
  const placed = new Map(
    components.map((component) => [
      component.id,
      {
        component,
        definition: definitionOf(component.type),
        place: places.get(component.id) ?? { x: 0, y: 0 },
      },
    ]),
  );
  const lines = drawWires({ wires, placed, ...(layout.wires === undefined ? {} : { laid: layout.wires }) });
  const corners = [
    ...[...placed.values()].flatMap(({ definition, place }) => {
      const { x, y, width, height } = componentBox(definition, place);
      return [
        { x, y },
        { x: x + width, y: y + height },
      ];
    }),
    ...lines.flatMap(({ branches }) => branches.flatMap(({ points }) => points)),
  ];
  const [left, top] = [Math.min(...corners.map(({ x }) => x)), Math.min(...corners.map(({ y }) => y))];
  const [right, bottom] = [Math.max(...corners.map(({ x }) => x)), Math.max(...corners.map(({ y }) => y))];
  const body = [
    `<g transform="translate(${MARGIN - left} ${MARGIN - top})" stroke-width="1.6" stroke-linecap="round" stroke-linejoin="round">`,
    ...lines.map(wire),
    `<g stroke="${INK}">`,
    ...[...placed.values()].map((one) =>
      symbol(one).replaceAll('<text ', `<text fill="${INK}" stroke="none" `),
    ),
    '</g>',
    '</g>',
  ].join('\n');
  return { body, width: right - left + 2 * MARGIN, height: bottom - top + 2 * MARGIN };
}
