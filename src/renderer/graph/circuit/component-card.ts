/** What the symbol of a component shows beside its lines. Kept while what it is made of stays the same. */
import type { ComponentDocument, DocumentIssue, NodePlace } from '@engine/document/types';
import type { ElementDefinition } from '@engine/model/definition';
import { mainValues } from '@figures/circuit/values';
import { pointer } from '../../document/pointer';
import type { CardContext, NodeData } from '../nodes/cards';
import { issuesOf, severityOf } from '../nodes/cards';
import type { DrawnComponent } from './circuit-store';

interface Kept {
  readonly place: NodePlace;
  readonly definition: ElementDefinition | undefined;
  readonly values: string;
  readonly messages: string;
  readonly index: number;
  readonly data: NodeData;
}

const words = ({ message, remedy }: DocumentIssue): string => `${message} ${remedy}`;

export class ComponentCards {
  readonly #kept = new WeakMap<ComponentDocument, Kept>();

  of(
    { report }: CardContext,
    { component, definition, place, index, isBuilt = false }: DrawnComponent,
  ): NodeData {
    // What a script draws has no place in the document.
    const at = isBuilt ? 'built' : pointer('components', index);
    const values =
      definition === undefined
        ? ''
        : mainValues(component, definition, (key) =>
            typeof component[key] === 'string' ? report.values[at + pointer(key)] : undefined,
          );
    const messages = issuesOf(report, component.id).map(words);
    const kept = this.#kept.get(component);
    if (
      kept?.place === place &&
      kept.definition === definition &&
      kept.values === values &&
      kept.index === index &&
      kept.messages === messages.join('\n')
    )
      return kept.data;
    const data: NodeData = {
      kind: 'component',
      glyph: 'system',
      title: definition?.title ?? component.type,
      dimension: 0,
      symbols: [],
      state: severityOf(report, component.id),
      messages,
      built: isBuilt,
      ports: [],
      component: { definition, place, values, element: component, index },
    };
    this.#kept.set(component, { place, definition, values, index, messages: messages.join('\n'), data });
    return data;
  }
}
