/** Which parts of a split window have room. */

export interface Part {
  id: string;
  /** it is of no use below that, px */
  least: number;
}

/**
 * The parts that are shown, in their order: all of them where there is room, otherwise those used last, at
 * least one.
 * @param room px; 0 where it is not known, and all are shown
 * @param used names of parts, the one used last first; the others follow in their order
 */
export function fitting<P extends Part>(parts: readonly P[], room: number, used: readonly string[]): P[] {
  if (room === 0) return [...parts];
  const rank = ({ id }: Part): number => {
    const place = used.indexOf(id);
    return place === -1 ? used.length : place;
  };
  const shown = new Set<P>();
  let left = room;
  for (const part of parts.toSorted((a, b) => rank(a) - rank(b))) {
    if (part.least > left && shown.size > 0) break;
    shown.add(part);
    left -= part.least;
  }
  return parts.filter((part) => shown.has(part));
}
