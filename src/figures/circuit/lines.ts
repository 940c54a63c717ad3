/** Lines of wires that are laid by hand: moved across themselves, and carried along by their ends. Pure. */
import type { Point } from './geometry';
import { simplified } from './route';
import type { DrawnWire } from './wires';

/** Corners of wires stand on this grid, px. */
const STEP = 10;

const isAt = (a: Point, b: Point): boolean => a.x === b.x && a.y === b.y;
const onStep = (value: number): number => Math.round(value / STEP) * STEP;

/** A stretch between two corners of a branch. */
interface Stretch {
  readonly branch: number;
  /** place of its first point */
  readonly at: number;
  readonly isLevel: boolean;
}

/** The stretch of a branch nearest to a point. */
export function stretchAt({ branches }: DrawnWire, branch: number, point: Point): Stretch | null {
  const points = branches[branch]?.points ?? [];
  let best: Stretch | null = null;
  let least = Infinity;
  for (let at = 0; at + 1 < points.length; at++) {
    const [from, to] = [points[at], points[at + 1]];
    const off = (x: number, a: number, b: number): number =>
      Math.max(Math.min(a, b) - x, x - Math.max(a, b), 0);
    const distance = off(point.x, from.x, to.x) + off(point.y, from.y, to.y);
    if (distance >= least) continue;
    least = distance;
    best = { branch, at, isLevel: from.y === to.y };
  }
  return best;
}

/** Lines of a wire, one of whose stretches has been moved across itself; its knots stay where they are. */
export function withShifted(
  { branches }: DrawnWire,
  { branch, at, isLevel }: Stretch,
  by: number,
): Point[][] {
  const step = onStep(by);
  return branches.map(({ points }, k) => {
    const own = points.map(({ x, y }) => ({ x, y }));
    if (k !== branch || step === 0) return own;
    const [from, to] = own
      .slice(at, at + 2)
      .map(({ x, y }) => (isLevel ? { x, y: y + step } : { x: x + step, y }));
    return simplified([...own.slice(0, at + 1), from, to, ...own.slice(at + 1)]);
  });
}

/** A line whose first point has moved: its corner follows, or a step is put into it. */
function carriedStart(points: readonly Point[], by: Point): Point[] {
  const [first, second, ...rest] = points;
  const start = { x: first.x + by.x, y: first.y + by.y };
  const isLevel = first.y === second.y;
  if (rest.length > 0)
    return [start, isLevel ? { x: second.x, y: start.y } : { x: start.x, y: second.y }, ...rest];
  const middle = isLevel ? onStep((start.x + second.x) / 2) : onStep((start.y + second.y) / 2);
  return isLevel
    ? [start, { x: middle, y: start.y }, { x: middle, y: second.y }, second]
    : [start, { x: start.x, y: middle }, { x: second.x, y: middle }, second];
}

/**
 * Lines of a wire some of whose pins have moved. Where a pin was in the middle of a line it is not reached
 * any more, so that the wire is laid by the drawing again.
 * @param moves places of all pins of the wire before, and by how much each has moved
 */
export function carriedLines(
  lines: readonly (readonly Point[])[],
  moves: readonly { readonly from: Point; readonly by: Point }[],
): Point[][] {
  const together = moves.every(({ by }) => isAt(by, moves[0].by)) ? moves[0]?.by : undefined;
  const movedAt = (point: Point): Point | undefined => moves.find(({ from }) => isAt(from, point))?.by;
  return lines.map((line) => {
    if (together !== undefined) return line.map(({ x, y }) => ({ x: x + together.x, y: y + together.y }));
    if (line.length < 2) return [...line];
    const [start, end] = [movedAt(line[0]), movedAt(line[line.length - 1])];
    let points = [...line];
    if (start !== undefined) points = carriedStart(points, start);
    if (end !== undefined) points = carriedStart(points.reverse(), end).reverse();
    return simplified(points);
  });
}
