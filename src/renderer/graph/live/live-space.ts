/** The state of contacts in space at a moment, gathered by their interactions. Pure. */
import type { MomentContacts } from '@engine/inspection/contacts-at';
import { formatNumber } from '../../components/numbers';
import type { ContactState, LiveState } from './live';

/** A friction impulse this close to its bound slides, relative to the bound. */
const AT_BOUND = 1e-4;
/** A normal impulse below this share of the largest one presses nothing. */
const NO_PRESSURE = 1e-9;

type SpaceContacts = Pick<
  MomentContacts,
  'count' | 'normals' | 'impulses' | 'frictions' | 'interactions' | 'interactionOf'
>;

interface Sum {
  normal: number;
  closed: number;
  sliding: number;
  rough: number;
}

/** States by interaction: closed where one of its contacts presses, sliding where one of these slides. */
export function spaceStates(contacts: SpaceContacts): Map<string, LiveState> {
  const { count, normals, impulses, frictions, interactions, interactionOf } = contacts;
  const sums = new Map<string, Sum>(
    interactions.map((id) => [id, { normal: 0, closed: 0, sliding: 0, rough: 0 }]),
  );
  const dot = (i: number): number =>
    [0, 1, 2].reduce((sum, k) => sum + (impulses[3 * i + k] ?? 0) * (normals[3 * i + k] ?? 0), 0);
  const presses = Array.from({ length: count }, (_, i) => dot(i));
  const least = NO_PRESSURE * Math.max(0, ...presses);
  presses.forEach((normal, i) => {
    const sum = sums.get(interactions[interactionOf[i] ?? -1] ?? '');
    if (sum === undefined || normal <= least) return;
    const squares = [0, 1, 2].reduce((total, k) => total + (impulses[3 * i + k] ?? 0) ** 2, 0);
    const tangential = Math.sqrt(Math.max(0, squares - normal * normal));
    const bound = (frictions[i] ?? 0) * normal;
    sum.normal += normal;
    sum.closed++;
    if (bound > 0) sum.rough++;
    if (bound > 0 && tangential >= (1 - AT_BOUND) * bound) sum.sliding++;
  });
  return new Map([...sums].map(([id, sum]) => [id, stateOf(sum)]));
}

/**
 * The state of a contact by what the run recorded of it and by its contacts at that moment. The velocity of
 * slip is that of the end of a step, which a contact that rolls leaves at the error of the scheme: whether it
 * slides is known from its impulse.
 */
export function atMoment(
  recorded: LiveState | undefined,
  moment: LiveState | undefined,
): LiveState | undefined {
  if (recorded === undefined || moment === undefined) return recorded ?? moment;
  const isClosed = recorded.contact === 'sliding' || recorded.contact === 'sticking';
  return isClosed && moment.contact !== 'open' ? { ...recorded, contact: moment.contact } : recorded;
}

function stateOf({ normal, closed, sliding, rough }: Sum): LiveState {
  const contact: ContactState =
    closed === 0 ? 'open' : sliding > 0 ? 'sliding' : rough > 0 ? 'sticking' : 'closed';
  const figure = closed === 0 ? '' : `${closed}×  P ${formatNumber(normal, 3)} N·s`;
  return { contact, indexSet: null, figure };
}
