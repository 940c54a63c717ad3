/**
 * Numbers of a document that nothing has asked for: fields that the choice of another one leaves out, such as
 * the settings of a sweep without a section. They are no better for that: one that is not finite is reported.
 */
import type { FieldDefinition } from '../model/definition';
import { definitionsByKey } from '../model/registry';
import { checkConstant, type NumberContext } from './parameters';

const holdsNumbers = ({ kind }: FieldDefinition): boolean =>
  kind === 'number' ||
  kind === 'vector' ||
  kind === 'matrix' ||
  kind === 'vectorOrFunction' ||
  kind === 'matrixOrFunction';

type Known = NumberContext & { readonly reported: ReadonlySet<string> };

/** The expressions in the value of a field. */
function evaluateAll(value: unknown, pointer: string, element: string | undefined, known: Known): void {
  if (typeof value === 'string') {
    if (!(pointer in known.values) && !known.reported.has(pointer))
      checkConstant(value, pointer, known, element);
  } else if (Array.isArray(value)) {
    value.forEach((entry: unknown, i) => {
      // Most entries of large matrices are numbers.
      if (typeof entry !== 'number') evaluateAll(entry, `${pointer}/${i}`, element, known);
    });
  } else if (typeof value === 'object' && value !== null && 'entries' in value) {
    evaluateAll(value.entries, `${pointer}/entries`, element, known);
  }
}

/** @param key under which it stands, or the list that it is in */
function visit(
  value: unknown,
  key: string,
  pointer: string,
  element: string | undefined,
  known: Known,
): void {
  if (Array.isArray(value)) {
    value.forEach((entry: unknown, i) => visit(entry, key, `${pointer}/${i}`, element, known));
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  const { id, type } = value as { readonly id?: unknown; readonly type?: unknown };
  const of = typeof id === 'string' ? id : element;
  const fields = definitionsByKey.get(key)?.find((definition) => definition.type === type)?.fields ?? [];
  for (const [name, own] of Object.entries(value)) {
    const field = fields.find((one) => one.key === name);
    if (field !== undefined && holdsNumbers(field)) evaluateAll(own, `${pointer}/${name}`, of, known);
    else visit(own, name, `${pointer}/${name}`, of, known);
  }
}

/**
 * @param sections of a document whose structure is sound, by their keys
 * @param context in which all else has been evaluated
 */
export function checkUnread(sections: Readonly<Record<string, unknown>>, context: NumberContext): void {
  const reported = new Set(context.issues.map(({ pointer }) => pointer));
  for (const [key, section] of Object.entries(sections))
    visit(section, key, `/${key}`, undefined, { ...context, reported });
}
