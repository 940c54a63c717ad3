/** What the ports of nodes stand for, and what a link from one of them may lead to. */
import type { ModelDocument } from '@engine/document/types';
import type { Catalogue } from '@engine/model/definition';
import { linkRefusal, type LinkRefusal } from '../../document/links';
import { text } from '../../i18n';
import type { NodeData } from './cards';

/** The port of a node in words: what it carries, or which systems it links at which position. */
export function portWords({ kind, ports, order, unlinked }: NodeData): string {
  if (kind === 'system') return ports[0] ?? '';
  const name = text(order === 'body' || order === 2 ? 'graphEditor.portBody' : 'graphEditor.portSystem');
  if (unlinked !== undefined) return text('graph.manyLinks', { count: unlinked });
  if (ports.length === 0) return `${name} 1`;
  return ports.map((id, i) => `${name} ${i + 1} = ${id}`).join(', ');
}

export interface LinkTarget {
  readonly id: string;
  readonly refusal: LinkRefusal | null;
  /** why it is refused, in words; empty where it is not */
  readonly reason: string;
}

/** Why two elements cannot be linked, in words. */
function refusalWords(
  { systems }: Pick<ModelDocument, 'systems'>,
  refusal: LinkRefusal,
  from: string,
  to: string,
): string {
  const isSystem = systems.some(({ id }) => id === from);
  const [system, interaction] = isSystem ? [from, to] : [to, from];
  return text(`graph.refused.${refusal}`, { from, to, system, interaction });
}

/**
 * Everything an element could be linked to by its kind: first what it may be, then what is refused and why.
 */
export function linkTargets(
  document: ModelDocument,
  catalogue: Catalogue | null,
  from: string,
): LinkTarget[] {
  const isSystem = document.systems.some(({ id }) => id === from);
  const others = isSystem ? document.interactions : document.systems;
  const targets = others.map(({ id }) => {
    const refusal = linkRefusal(document, catalogue, from, id);
    return { id, refusal, reason: refusal === null ? '' : refusalWords(document, refusal, from, id) };
  });
  return [
    ...targets.filter(({ refusal }) => refusal === null),
    ...targets.filter(({ refusal }) => refusal !== null),
  ];
}
