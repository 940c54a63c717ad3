/** Words of drawings at every zoom: large enough to be read, over nothing else, and quickly found. */
import { expect, it } from 'vitest';
import { componentTypes } from '@engine/model/components/registry';
import { componentBox, halfSize } from '@figures/circuit/geometry';
import { placeComponents } from '@figures/circuit/arrange';
import type { ComponentDocument, WireDocument } from '@engine/document/types';
import { WORD, wordPlaces, wordsAt, wordSize } from '@renderer/graph/circuit/words';

/** A ladder of resistors and capacitors. */
function ladder(stages: number) {
  const components: ComponentDocument[] = [
    { id: 'V1', type: 'VoltageSource' },
    { id: 'GND', type: 'Ground' },
  ];
  const wires: WireDocument[] = [];
  const ground = ['V1.n', 'GND.p'];
  let last = 'V1.p';
  for (let k = 1; k <= stages; k++) {
    components.push({ id: `R${k}`, type: 'Resistor' }, { id: `C${k}`, type: 'Capacitor' });
    wires.push({ id: `in${k}`, ends: [last, `R${k}.a`] });
    wires.push({ id: `stage${k}`, ends: [`R${k}.b`, `C${k}.a`] });
    last = `R${k}.b`;
    ground.push(`C${k}.b`);
  }
  wires.push({ id: 'back', ends: ground });
  const definitionOf = (type: string) => componentTypes.get(type)?.definition;
  const places = placeComponents(components, wires, {}, definitionOf);
  return components.map((component, index) => {
    const definition = definitionOf(component.type);
    const place = places.get(component.id)!;
    const box = componentBox(definition, place);
    const values = component.type === 'Ground' ? '' : 'R = 4.7 kΩ';
    const name = component.type === 'Ground' ? '' : component.id;
    return { component, definition, place, index, box, name, values, lines: 1 };
  });
}

const ZOOMS = Array.from({ length: 40 }, (_, k) => 0.02 * 1.12 ** k);

it('has all words where they are read as they are', () => {
  expect(wordsAt(1, ladder(3), [], new Set())).toEqual({ size: WORD, hasValues: true, shown: null });
});

it('shows letters of 10 px or more on the screen, however far away', () => {
  for (const zoom of ZOOMS) expect(wordSize(zoom) * zoom).toBeGreaterThan(9.8);
});

it.each([14, 499])('lets no name of a ladder of %d stages lie over another name or a symbol', (stages) => {
  const all = ladder(stages);
  for (const zoom of ZOOMS.filter((_, k) => stages < 100 || k % 8 === 0)) {
    const { size, hasValues, shown } = wordsAt(zoom, all, [], new Set());
    if (shown === null) continue;
    const boxes = all.flatMap(({ component: { id }, definition, place, name }) => {
      const half = halfSize(definition, place);
      const symbol = {
        id,
        x: place.x - half.x,
        y: place.y - half.y,
        right: place.x + half.x,
        bottom: place.y + half.y,
      };
      if (!shown.has(id) || name === '') return [symbol];
      const at = wordPlaces(half, half.x + 8, size, !hasValues);
      const width = 0.6 * size * name.length;
      const x = place.x + at.name.x - (at.anchor === 'middle' ? 0.5 * width : 0);
      const y = place.y + at.name.y - 0.8 * size;
      return [symbol, { id, x, y, right: x + width, bottom: y + size }];
    });
    let hits = 0;
    boxes.forEach((a, i) => {
      for (const b of boxes.slice(i + 1))
        if (a.id !== b.id && a.x < b.right && b.x < a.right && a.y < b.bottom && b.y < a.bottom) hits++;
    });
    expect(hits).toBe(0);
  }
});

it('names every component of a ladder of 30 that fills a pane of 600 px', () => {
  const all = ladder(14);
  const width = Math.max(...all.map(({ place }) => place.x)) - Math.min(...all.map(({ place }) => place.x));
  const { shown } = wordsAt(540 / (width + 120), all, [], new Set());
  const named = all.filter(({ name }) => name !== '');
  expect(named.filter(({ component }) => shown?.has(component.id) !== true)).toEqual([]);
});

it('keeps what is chosen, and gives wires and values what names leave', () => {
  const all = ladder(499);
  const { shown } = wordsAt(0.05, all, [], new Set(['C499']));
  expect(shown?.has('C499')).toBe(true);
  const wire = { id: 'out', x: all[2].place.x, y: all[2].place.y - 18, isUpright: false };
  const near = wordsAt(0.6, all.slice(0, 3), [wire], new Set());
  expect([...(near.shown ?? [])]).toContainEqual(['R1', 'values']);
  expect(near.shown?.has('out')).toBe(false);
});
