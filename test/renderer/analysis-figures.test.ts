/** Charts of analyses: what is drawn where, and in which colour. */
import type { FoundBasins, FoundBranch, SweepOutcome } from '@contract/analyses';
import { withInitialValue } from '@renderer/analysis/start-at-place';
import {
  attractorName,
  basinsMargins,
  basinPixels,
  basinsOption,
  basinsRectangle,
} from '@views/basins/drawing';
import {
  diagramOption,
  diagramQuantities,
  diagramRanges,
  type DiagramWords,
} from '@views/bifurcation/drawing';
import { LIGHT_PLOT, seriesColor } from '@figures/palette';
import type { ModelDocument } from '@engine/document/types';
import { describe, expect, it } from 'vitest';

const WORDS: DiagramWords = {
  up: 'up',
  down: 'down',
  initial: 'initial',
  stable: 'stable',
  unstable: 'unstable',
  fold: 'fold',
  periodDoubling: 'doubling',
  torus: 'torus',
  grazing: 'grazing',
  uncertified: 'not certified',
};
interface DrawnSeries {
  readonly name: string;
  readonly data: ArrayLike<number> & Iterable<number>;
  readonly symbol?: string;
}

const LOOK = { theme: LIGHT_PLOT, width: 600, height: 400 };

/** Two speeds: of the first two section points, of the second one. */
const SWEEP: SweepOutcome = {
  kind: 'sweep',
  status: 'done',
  parameters: [{ name: 'rpm', unit: '1/min' }],
  measures: [{ name: 'events', unit: '' }],
  signals: [
    { name: 't', unit: 's' },
    { name: 'ball.q', unit: 'm' },
  ],
  axes: [Float64Array.of(300, 400)],
  values: Float64Array.of(300, 400),
  directions: [
    {
      start: 'up',
      index: Float64Array.of(0, 1),
      measures: Float64Array.of(7, 9),
      counts: Float64Array.of(2, 1),
      section: Float64Array.of(1, 0.1, 2, 0.2, 3, 0.3),
      failures: [],
    },
  ],
};

const BRANCH: FoundBranch = {
  kind: 'branch',
  status: 'done',
  parameter: { name: 'rpm', unit: '1/min' },
  states: [
    { name: 'ball.q', unit: 'm' },
    { name: 'ball.v', unit: 'm/s' },
  ],
  multiple: 1,
  isAutonomous: false,
  p: Float64Array.of(310, 320, 330),
  period: Float64Array.of(0.2, 0.19, 0.18),
  isStable: Uint8Array.of(0, 0, 1),
  x: Float64Array.of(1, 10, 2, 20, 3, 30),
  others: new Float64Array(0),
  largest: Float64Array.of(2, 1.5, 0.5),
  events: Float64Array.of(1, 1, 1),
  special: [
    { kind: 'fold', p: 325, period: 0.185, x: Float64Array.of(2.5, 25), others: new Float64Array(0) },
  ],
  ends: ['range', 'range'],
};

interface Drawn {
  name?: string;
  data: ArrayLike<number> | readonly (readonly (number | null)[])[];
}
const seriesOf = (option: object): Drawn[] => (option as { series: Drawn[] }).series;

describe('points that a verdict fails of', () => {
  const [up] = SWEEP.directions;
  const one = Float64Array.of(1, 1);
  const marked: SweepOutcome = {
    ...SWEEP,
    directions: [
      {
        ...up,
        verdicts: { solved: Float64Array.of(0, 1), complete: one, resolution: Float64Array.of(NaN, NaN) },
      },
    ],
  };
  const drawn = (parts: readonly (SweepOutcome | FoundBranch)[], y: string): readonly DrawnSeries[] =>
    diagramOption({ parts, y, x: null, yRange: null, words: WORDS, ...LOOK }).series as DrawnSeries[];

  it('are crosses with a name of their own, and no points', () => {
    const series = drawn([marked], 'ball.q');
    expect(series.map(({ name, data }) => [name, [...data]])).toEqual([
      ['up', [400, 0.3]],
      ['not certified', [300, 0.1, 300, 0.2]],
    ]);
    expect(series[1].symbol).toMatch(/^path:/);
    expect(diagramRanges([marked], 'ball.q')).toEqual(diagramRanges([SWEEP], 'ball.q'));
    expect([...drawn([marked], 'events')[1].data]).toEqual([300, 7]);
  });

  it('are crosses on branches, too, and nothing is marked where all is well or nothing is known', () => {
    const verdicts = {
      solved: Float64Array.of(1, 1, 1),
      complete: Float64Array.of(1, 0, NaN),
      resolution: Float64Array.of(NaN, NaN, 1e-3),
    };
    const crosses = drawn([{ ...BRANCH, verdicts }], 'ball.q').find(({ name }) => name === 'not certified');
    expect(crosses?.data[0]).toBe(320);
    expect(crosses?.data).toHaveLength(2);
    expect(drawn([SWEEP, BRANCH], 'ball.q').some(({ name }) => name === 'not certified')).toBe(false);
  });
});

describe('a bifurcation diagram', () => {
  it('has each section point over its parameter, and measures as a curve', () => {
    const points = seriesOf(
      diagramOption({ parts: [SWEEP], y: 'ball.q', x: null, yRange: null, words: WORDS, ...LOOK }),
    );
    expect([...(points[0]?.data as Float64Array)]).toEqual([300, 0.1, 300, 0.2, 400, 0.3]);
    const measures = seriesOf(
      diagramOption({ parts: [SWEEP], y: 'events', x: null, yRange: null, words: WORDS, ...LOOK }),
    );
    expect([...(measures[0]?.data as Float64Array)]).toEqual([300, 7, 400, 9]);
  });

  it('parts a branch where its stability changes, and marks its fold', () => {
    const series = seriesOf(
      diagramOption({ parts: [BRANCH], y: 'ball.v', x: null, yRange: null, words: WORDS, ...LOOK }),
    );
    const dataOf = (name: string): Drawn['data'] | undefined => series.find((one) => one.name === name)?.data;
    expect(dataOf('unstable')).toEqual([
      [null, null],
      [310, 10],
      [320, 20],
    ]);
    expect(dataOf('stable')).toEqual([
      [null, null],
      [320, 20],
      [330, 30],
    ]);
    expect(dataOf('fold')).toEqual([[325, 25]]);
  });

  it('draws all section points of an orbit of several periods, each as a curve of its own', () => {
    const [fold] = BRANCH.special;
    expect(diagramQuantities([BRANCH]).map(({ name }) => name)).toEqual(['ball.q', 'ball.v']);
    const cycles: FoundBranch = { ...BRANCH, isAutonomous: true };
    expect(diagramQuantities([cycles])).toContainEqual({ name: 'orbit period', unit: 's' });
    const periods = seriesOf(
      diagramOption({ parts: [cycles], y: 'orbit period', x: null, yRange: null, words: WORDS, ...LOOK }),
    );
    expect(periods.find(({ name }) => name === 'stable')?.data).toEqual([
      [null, null],
      [320, 0.19],
      [330, 0.18],
    ]);
    expect(periods.find(({ name }) => name === 'fold')?.data).toEqual([[325, 0.185]]);
    const double: FoundBranch = {
      ...BRANCH,
      multiple: 2,
      others: Float64Array.of(4, 40, 5, 50, 6, 60),
      special: [{ ...fold, others: Float64Array.of(5.5, 55) }],
    };
    const series = seriesOf(
      diagramOption({ parts: [double], y: 'ball.v', x: null, yRange: null, words: WORDS, ...LOOK }),
    );
    const dataOf = (name: string): Drawn['data'] | undefined => series.find((one) => one.name === name)?.data;
    expect(dataOf('unstable')).toEqual([
      [null, null],
      [310, 10],
      [320, 20],
      [null, null],
      [310, 40],
      [320, 50],
    ]);
    expect(dataOf('stable')).toEqual([
      [null, null],
      [320, 20],
      [330, 30],
      [null, null],
      [320, 50],
      [330, 60],
    ]);
    expect(dataOf('fold')).toEqual([
      [325, 25],
      [325, 55],
    ]);
    expect(diagramRanges([double], 'ball.v').y.max).toBeGreaterThanOrEqual(60);
    // On a section there are as many curves as returns, whatever the number of periods.
    const onSection: FoundBranch = {
      ...double,
      multiple: 1,
      section: { id: 'hits', kind: 'impact', curves: 2 },
    };
    expect(
      seriesOf(
        diagramOption({ parts: [onSection], y: 'ball.v', x: null, yRange: null, words: WORDS, ...LOOK }),
      ),
    ).toEqual(series);
    expect(diagramRanges([onSection], 'ball.v')).toEqual(diagramRanges([double], 'ball.v'));
  });

  it('offers what any of its parts knows, and shows all of it', () => {
    expect(diagramQuantities([SWEEP, BRANCH]).map(({ name }) => name)).toEqual([
      'ball.q',
      'events',
      'ball.v',
    ]);
    const { x, y } = diagramRanges([SWEEP, BRANCH], 'ball.q');
    expect(x.min).toBeLessThanOrEqual(300);
    expect(x.max).toBeGreaterThanOrEqual(400);
    expect(y.max).toBeGreaterThanOrEqual(3);
  });
});

const BASINS: FoundBasins = {
  kind: 'basins',
  status: 'done',
  x: { name: 'ball.q', unit: 'm' },
  y: { name: 'ball.v', unit: 'm/s' },
  xValues: Float64Array.of(0, 1),
  yValues: Float64Array.of(0, 2),
  states: BRANCH.states,
  places: [0, 1],
  t0: 0,
  attractors: [
    { cycle: 1, points: Float64Array.of(0.5, 1), largest: 0.5, share: 0.5 },
    { cycle: 2, points: Float64Array.of(0, 0, 1, 2), largest: 0.25, share: 0.25 },
  ],
  codes: Uint8Array.of(0, 1, 0, 254),
  undecided: 254,
  notSimulated: 255,
  periods: Uint32Array.of(1, 1, 1, 9),
  failure: '',
};

describe('a map of basins', () => {
  it('has the colour of its attractor at each start, the lowest row below', () => {
    const { data, width, height } = basinPixels(BASINS, LIGHT_PLOT);
    const colourAt = (x: number, y: number): string => {
      const at = 4 * (Math.floor(y * height) * width + Math.floor(x * width));
      return `#${[...data.slice(at, at + 3)].map((part) => part.toString(16).padStart(2, '0')).join('')}`;
    };
    expect(colourAt(0.25, 0.75)).toBe(seriesColor(LIGHT_PLOT, 0));
    expect(colourAt(0.75, 0.75)).toBe(seriesColor(LIGHT_PLOT, 1));
    expect(colourAt(0.25, 0.25)).toBe(seriesColor(LIGHT_PLOT, 0));
    expect(colourAt(0.75, 0.25)).toBe(LIGHT_PLOT.background);
  });

  it('covers half a cell around its starts, marks attractors and names what is undecided', () => {
    expect(basinsRectangle(BASINS)).toEqual({ xMin: -0.5, xMax: 1.5, yMin: -1, yMax: 3 });
    const words = {
      attractor: (n: number) => `A${n}`,
      kind: (cycle: number, events: number | null) => `${cycle}/${events}`,
      limit: () => 'limit',
      undecided: 'none',
      notSimulated: 'failed',
      uncertified: 'not certified',
    };
    const series = seriesOf(basinsOption({ found: BASINS, image: null, x: null, y: null, words, ...LOOK }));
    expect(series.map(({ name }) => name)).toEqual(['A1', 'A2', 'none']);
    expect(series[1]?.data).toEqual([
      [0, 0],
      [1, 2],
    ]);
    // A legend that takes two rows in a narrow chart does not lie over the map.
    const longer = { ...words, attractor: (n: number) => `Attractor of many words, number ${n}` };
    const [wide, narrow] = [900, 300].map((width) => basinsMargins(BASINS, longer, width).top);
    expect(narrow).toBeGreaterThan(wide ?? NaN);
    const option = basinsOption({
      found: BASINS,
      image: null,
      x: null,
      y: null,
      words: longer,
      ...LOOK,
      width: 300,
    });
    expect(option.grid).toMatchObject({ top: narrow });
  });

  it('over a parameter names the kinds of its attractors, which have no place in the plane', () => {
    const kind = { points: new Float64Array(0), largest: null, share: 0.5 };
    const found: FoundBasins = {
      ...BASINS,
      x: { name: 'omega', unit: 'rad/s' },
      places: [-1, 0],
      t0: null,
      attractors: [
        { ...kind, cycle: 1, events: 0 },
        { ...kind, cycle: 2, events: 3 },
      ],
    };
    const words = {
      attractor: () => 'A',
      kind: (cycle: number, events: number | null) => `${cycle}/${events}`,
      limit: () => 'limit',
      undecided: 'none',
      notSimulated: 'failed',
      uncertified: 'not certified',
    };
    const series = seriesOf(basinsOption({ found, image: null, x: null, y: null, words, ...LOOK }));
    expect(series.map(({ name }) => name)).toEqual(['1/0', '2/3', 'none']);
    expect(series[0]?.data).toEqual([]);
    expect(attractorName(found, 1, words)).toBe('2/3');
  });

  it('draws limit cycles of autonomous models as closed lines, and names what attractors are', () => {
    const cycle = Float64Array.of(0, 0, 1, 0, 1, 2);
    const found: FoundBasins = {
      ...BASINS,
      attractors: [
        { cycle: 1, limit: 'rest', points: Float64Array.of(0.5, 1), largest: 0.5, share: 0.5 },
        { cycle: 1, limit: 'cycle', period: 6, points: cycle, largest: 0.25, share: 0.25 },
      ],
    };
    const words = {
      attractor: () => 'A',
      kind: () => 'K',
      limit: (limit: string, number: number | null, events: number | null) => `${limit} ${number} ${events}`,
      undecided: 'none',
      notSimulated: 'failed',
      uncertified: 'not certified',
    };
    const input = { found, image: null, x: null, y: null, words, ...LOOK };
    const series = seriesOf(basinsOption(input));
    const named = series.filter(({ name }) => name !== undefined);
    expect(named.map(({ name }) => name)).toEqual(['rest 1 null', 'cycle 2 null', 'none']);
    expect(named.map(({ data }) => data)).toEqual([[[0.5, 1]], [], []]);
    const lines = series.filter(({ name }) => name === undefined);
    expect(lines.map(({ data }) => data)).toEqual(
      Array(2).fill([
        [0, 0],
        [1, 0],
        [1, 2],
        [0, 0],
      ]),
    );
    const hidden = seriesOf(basinsOption({ ...input, options: { hasNoAttractors: true } }));
    for (const { data } of hidden) expect(data).toEqual([]);
    expect(hidden.map(({ name }) => name)).toEqual(['rest 1 null', 'cycle 2 null', 'none']);
    const kinds = found.attractors.map((one) => ({ ...one, points: new Float64Array(0), events: 2 }));
    expect(attractorName({ ...found, attractors: kinds }, 1, words)).toBe('cycle null 2');
  });

  it('leads to a run from a start: the initial value of that state alone is another', () => {
    const document = {
      systems: [{ id: 'ball', type: 'LagrangianLinearTI', q0: ['h', 0], v0: [1, 2] }],
    } as unknown as ModelDocument;
    expect(withInitialValue(document, 'ball.q', 3).systems[0]?.['q0']).toEqual([3, 0]);
    expect(withInitialValue(document, 'ball.v[1]', 4).systems[0]?.['v0']).toEqual([1, 4]);
    expect(withInitialValue(document, 'other.q', 3)).toEqual(document);
    expect(document.systems[0]?.['q0']).toEqual(['h', 0]);
  });
});
