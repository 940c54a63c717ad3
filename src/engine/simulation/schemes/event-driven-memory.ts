/** What an event-driven simulation hands over to one whose numbers have changed; the judgement of what was before goes along. */
import type { EventRecord } from '../../event-driven/event-record';
import type { EventDrivenState } from '../../event-driven/state';
import type { Certificate } from '../certificate/certificate';

export interface EventDrivenMemory {
  readonly state: EventDrivenState;
  readonly events: readonly EventRecord[];
  readonly certificate: Certificate;
  /** whether an event was missed */
  readonly hasMissed: boolean;
}
