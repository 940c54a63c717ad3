/** States of the model whose initial values analyses vary: what new ones begin with. */
import type { TypedElement } from '@engine/document/types';
import { portraitAxes } from '@views/shared/signal-choice';
import { useReportStore } from '../stores/report';

/** Names of states, a position and its velocity first. */
export function offeredStates(): string[] {
  const { signals } = useReportStore();
  const pair = portraitAxes(signals);
  const states = pair === null ? signals.filter(({ kind }) => kind === 'state' || kind === 'position') : pair;
  return states.map(({ name }) => name);
}

/** An axis of initial values names a state from the start; any other element stays as it is. */
export function withOfferedState(element: TypedElement): TypedElement {
  if (element['state'] !== '') return element;
  return { ...element, state: offeredStates()[0] ?? '' };
}
