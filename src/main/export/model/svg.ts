/** The graph of a model as a picture: systems and interactions with their types, and what links them. */
import { Graph, layout } from '@dagrejs/dagre';
import type { ModelDocument } from '@engine/document/types';
import { xmlText } from '@figures/xml-text';
import { groupFrame, noteCard, placeFrames } from './svg-frames';
import { circuitPicture } from './svg-circuit';
import { type Box, cut, HEIGHT, type Place, WIDTH } from './svg-shapes';
import type { ModelFormat } from './model-format';

const MARGIN = 24;
/** Characters that fit into a node of this width in its font; longer names are cut. */
const NAME_LENGTH = 24;
const TYPE_LENGTH = 29;
/** Fonts that every system has one of. */
const FONT = 'Inter, Helvetica, Arial, sans-serif';

/**
 * Upper left corners of all nodes: as they stand in the document, or arranged where one of them has no place.
 */
function places({ systems, interactions, layout: { nodes } }: ModelDocument): Map<string, Place> {
  const ids = [...systems, ...interactions].map(({ id }) => id);
  if (ids.every((id) => Object.hasOwn(nodes, id))) return new Map(ids.map((id) => [id, nodes[id]]));
  const graph = new Graph();
  graph.setGraph({ rankdir: 'LR', nodesep: 24, ranksep: 90 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const id of ids) graph.setNode(id, { width: WIDTH, height: HEIGHT });
  for (const { id, systems: linked } of interactions) for (const system of linked) graph.setEdge(system, id);
  layout(graph);
  return new Map(
    ids.map((id) => {
      const { x, y } = graph.node(id) as Place;
      return [id, { x: x - WIDTH / 2, y: y - HEIGHT / 2 }];
    }),
  );
}

function node(id: string, type: string, { x, y }: Place, isSystem: boolean): string {
  const [fill, stroke] = isSystem ? ['#e8f0fb', '#2f6fb2'] : ['#fdf1e3', '#b4690e'];
  const corner = isSystem ? 6 : HEIGHT / 2;
  return [
    `<g transform="translate(${x} ${y})">`,
    `<title>${xmlText(`${id}: ${type}`)}</title>`,
    `<rect width="${WIDTH}" height="${HEIGHT}" rx="${corner}" fill="${fill}" stroke="${stroke}" stroke-width="1.5"/>`,
    `<text x="${WIDTH / 2}" y="25" text-anchor="middle" font-size="14" font-weight="600" fill="#1a2029">${xmlText(cut(id, NAME_LENGTH))}</text>`,
    `<text x="${WIDTH / 2}" y="43" text-anchor="middle" font-size="11" fill="#545f6e">${xmlText(cut(type, TYPE_LENGTH))}</text>`,
    '</g>',
  ].join('');
}

/** A curve between the middles of two nodes; the nodes lie above its ends. */
function link(from: Place, to: Place): string {
  const [x1, y1, x2, y2] = [from.x + WIDTH / 2, from.y + HEIGHT / 2, to.x + WIDTH / 2, to.y + HEIGHT / 2];
  const middle = (x1 + x2) / 2;
  return `<path d="M${x1} ${y1}C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}" fill="none" stroke="#8b96a5" stroke-width="1.5"/>`;
}

function drawn(document: ModelDocument): string {
  const { systems, interactions, title } = document;
  const at = places(document);
  const { frames, notes, foldedInto } = placeFrames(document, at);
  const boxes = [
    ...[...at]
      .filter(([id]) => !foldedInto.has(id))
      .map(([, place]) => ({ ...place, width: WIDTH, height: HEIGHT })),
    ...frames,
    ...notes,
  ];
  const least = (of: (box: Box) => number): number =>
    boxes.reduce((low, box) => Math.min(low, of(box)), Infinity);
  const most = (of: (box: Box) => number): number =>
    boxes.reduce((high, box) => Math.max(high, of(box)), -Infinity);
  const first = boxes.length === 0 ? { x: 0, y: 0 } : { x: least(({ x }) => x), y: least(({ y }) => y) };
  const shifted = <T extends Place>(place: T): T => ({
    ...place,
    x: place.x - first.x + MARGIN,
    y: place.y - first.y + MARGIN,
  });
  const moved = (id: string): Place => shifted(foldedInto.get(id) ?? at.get(id) ?? first);
  const width =
    Math.max(
      WIDTH,
      most((box) => box.x - first.x + box.width),
    ) +
    2 * MARGIN;
  const height =
    Math.max(
      HEIGHT,
      most((box) => box.y - first.y + box.height),
    ) +
    2 * MARGIN;
  const links = interactions.flatMap(({ id, systems: linked }) =>
    linked
      .filter((system) => at.has(system) && (foldedInto.get(system) ?? system) !== (foldedInto.get(id) ?? id))
      .map((system) => link(moved(system), moved(id))),
  );
  const shown = <T extends { id: string }>(all: readonly T[]): T[] =>
    all.filter(({ id }) => !foldedInto.has(id));
  const nodes = [
    ...shown(systems).map(({ id, type }) => node(id, type, moved(id), true)),
    ...shown(interactions).map(({ id, relation, law }) =>
      node(id, `${relation.type}, ${law.type}`, moved(id), false),
    ),
    ...notes.map((note) => noteCard(shifted(note))),
  ];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${FONT}" role="img">`,
    `<title>${xmlText(title)}</title>`,
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    ...frames.filter(({ isFolded }) => !isFolded).map((frame) => groupFrame(shifted(frame))),
    ...new Set(links),
    ...frames.filter(({ isFolded }) => isFolded).map((frame) => groupFrame(shifted(frame))),
    ...nodes,
    '</svg>',
    '',
  ].join('\n');
}

/** Components as a schematic; elements of the document beside them as a graph below it. */
function schematic(document: ModelDocument): string {
  const picture = circuitPicture(document) ?? { body: '', width: 0, height: 0 };
  const hasElements = document.systems.length + document.interactions.length > 0;
  const graph = hasElements ? drawn(document) : '';
  const size = (key: 'width' | 'height'): number =>
    Number(new RegExp(`${key}="([\\d.]+)"`).exec(graph)?.[1] ?? 0);
  const [width, height] = [Math.max(picture.width, size('width')), picture.height + size('height')];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${FONT}" role="img">`,
    `<title>${xmlText(document.title)}</title>`,
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    picture.body,
    ...(hasElements ? [`<g transform="translate(0 ${picture.height})">`, graph, '</g>'] : []),
    '</svg>',
    '',
  ].join('\n');
}

export const svgModel: ModelFormat = {
  name: 'svg',
  extension: '.svg',
  title: 'picture of the graph',
  write: ({ document, expanded }) => ({
    text: circuitPicture(document) === null ? drawn(expanded) : schematic(document),
    warnings: [],
  }),
};
