/** Groups and notes in the picture of a graph. */
import type { LayoutColour, ModelDocument, NoteDocument } from '@engine/document/types';
import { xmlText } from '@figures/xml-text';
import { type Box, cut, HEIGHT, type Place, WIDTH } from './svg-shapes';

/** Fill and stroke. */
const COLOURS: Readonly<Record<LayoutColour, readonly [string, string]>> = {
  grey: ['#f0f2f5', '#7b8794'],
  blue: ['#e6f0fa', '#2f6fb2'],
  green: ['#e7f5ea', '#2c7a45'],
  yellow: ['#fdf6d8', '#94760b'],
  red: ['#fcebe9', '#b93a2e'],
  purple: ['#f2ecfa', '#7149b0'],
};
/** Room around the members, and for the name above them, px. */
const FRAME_MARGIN_PX = 18;
const NAME_ROOM = 26;
const LINE = 15;
/** Mean width of a character of a note, px. */
const CHARACTER = 6.2;

export interface Frame extends Box {
  readonly name: string;
  readonly colour: LayoutColour;
  /** number of members that a card stands for; null if they are drawn */
  readonly isFolded: boolean;
  readonly count: number;
}

/**
 * Where groups and notes stand. `foldedInto` has the card that stands for each hidden element.
 * @param at places of the elements
 */
export function placeFrames(
  { layout: { groups = [], notes = [] } }: ModelDocument,
  at: ReadonlyMap<string, Place>,
): { frames: Frame[]; notes: NoteDocument[]; foldedInto: Map<string, Frame> } {
  const foldedInto = new Map<string, Frame>();
  const noteOf = new Map(notes.map((note) => [note.id, note]));
  const frames = groups.flatMap(({ name, colour = 'grey', members, collapsed = false }): Frame[] => {
    const boxes = members.flatMap((id): Box[] => {
      const place = at.get(id);
      if (place !== undefined) return [{ ...place, width: WIDTH, height: HEIGHT }];
      const note = noteOf.get(id);
      return note === undefined ? [] : [note];
    });
    if (boxes.length === 0) return [];
    const x = Math.min(...boxes.map((box) => box.x)) - FRAME_MARGIN_PX;
    const y = Math.min(...boxes.map((box) => box.y)) - NAME_ROOM;
    const width = Math.max(...boxes.map((box) => box.x + box.width)) + FRAME_MARGIN_PX - x;
    const height = Math.max(...boxes.map((box) => box.y + box.height)) + FRAME_MARGIN_PX - y;
    const box = collapsed
      ? { x: x + 0.5 * (width - WIDTH), y: y + 0.5 * (height - HEIGHT), width: WIDTH, height: HEIGHT }
      : { x, y, width, height };
    const frame = { ...box, name, colour, isFolded: collapsed, count: boxes.length };
    if (collapsed) for (const id of members) if (!foldedInto.has(id)) foldedInto.set(id, frame);
    return [frame];
  });
  return { frames, notes: notes.filter(({ id }) => !foldedInto.has(id)), foldedInto };
}

export function groupFrame({ x, y, width, height, name, colour, isFolded, count }: Frame): string {
  const [fill, stroke] = COLOURS[colour];
  const words = isFolded
    ? `<text x="${width / 2}" y="25" text-anchor="middle" font-size="14" font-weight="600" fill="#1a2029">${xmlText(cut(name, 24))}</text>` +
      `<text x="${width / 2}" y="43" text-anchor="middle" font-size="11" fill="#545f6e">${count} nodes</text>`
    : `<text x="12" y="18" font-size="12" font-weight="600" fill="${stroke}">${xmlText(cut(name, Math.max(8, Math.floor(width / 7))))}</text>`;
  return `<g transform="translate(${x} ${y})"><rect width="${width}" height="${height}" rx="10" fill="${fill}" stroke="${stroke}" stroke-width="1.2"/>${words}</g>`;
}

/** Lines of a text that fit a width. */
function wrapped(text: string, width: number): string[] {
  const most = Math.max(6, Math.floor(width / CHARACTER));
  return text.split('\n').flatMap((line) => {
    const lines = [''];
    for (const word of line.split(' ')) {
      const last = lines.at(-1) ?? '';
      if (last !== '' && last.length + 1 + word.length > most) lines.push(word);
      else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
    }
    return lines.map((one) => cut(one, most));
  });
}

export function noteCard({ x, y, width, height, text, colour = 'yellow' }: NoteDocument): string {
  const [fill, stroke] = COLOURS[colour];
  const lines = wrapped(text, width - 20).slice(0, Math.max(1, Math.floor((height - 12) / LINE)));
  const words = lines
    .map((line, i) => `<tspan x="10" y="${18 + i * LINE}">${xmlText(line)}</tspan>`)
    .join('');
  return `<g transform="translate(${x} ${y})"><rect width="${width}" height="${height}" rx="6" fill="${fill}" stroke="${stroke}"/><text font-size="12" fill="#1a2029">${words}</text></g>`;
}
