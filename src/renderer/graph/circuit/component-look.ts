/** What the node of a component is drawn from. */
import type { ComponentDocument, NodePlace } from '@engine/document/types';
import type { ElementDefinition } from '@engine/model/definition';

/** A component as it is drawn. */
export interface ComponentLook {
  readonly definition: ElementDefinition | undefined;
  readonly place: NodePlace;
  /** values beside the symbol */
  readonly values: string;
  readonly element: ComponentDocument;
  readonly index: number;
}
