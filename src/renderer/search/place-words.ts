/** A place of the document in words: the element and the field. */
import type { ModelDocument } from '@engine/document/types';
import { tokens } from '../document/pointer';
import type { ParameterUse } from '../document/parameter-uses';
import { text } from '../i18n';

/** `follower › mass › 1, 1`, or `cam.ts › 12`. */
export function placeWords(
  document: ModelDocument,
  { pointer, at }: Pick<ParameterUse, 'pointer' | 'at'>,
): string {
  const [section = '', first = '', ...rest] = tokens(pointer);
  const index = Number(first);
  const numbered = rest.map((token) => (/^\d+$/.test(token) ? String(Number(token) + 1) : token));
  const join = (...parts: string[]): string => parts.filter((part) => part !== '').join(' › ');
  switch (section) {
    case 'parameters':
      return join(text('parameters.title'), document.parameters[index]?.name ?? '', ...rest.slice(0, 1));
    case 'systems':
      return join(document.systems[index]?.id ?? '', ...numbered);
    case 'interactions':
      return join(document.interactions[index]?.id ?? '', ...numbered);
    case 'observables':
      return join(
        text('inspector.observables'),
        document.observables[index]?.name ?? '',
        ...rest.slice(0, 1),
      );
    case 'tables':
      return join(text('inspector.tables'), document.tables?.[index]?.id ?? '', ...rest.slice(0, 1));
    case 'scripts':
      return join(document.scripts[index]?.name ?? '', at === undefined ? (rest[0] ?? '') : String(at.line));
    case 'views':
      return join(text('tree.views'), document.views[index]?.title ?? '');
    case 'dashboards':
      return join(text('dashboard.list'), document.dashboards?.[index]?.title ?? String(index + 1));
    case 'simulation':
      return join(text('inspector.simulation'), first, ...numbered);
    case 'layout': {
      const { groups = [], notes = [] } = document.layout;
      const at = Number(rest[0]);
      return first === 'groups'
        ? join(text('tree.groups'), groups[at]?.id ?? '')
        : join(text('tree.notes'), notes[at]?.id ?? '');
    }
    case 'references':
      return join(text('inspector.references'), String(index + 1));
    default:
      return join(text('inspector.model'), section);
  }
}
