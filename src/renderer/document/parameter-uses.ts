/** Every use of a parameter, and what it is replaced by: another name, another parameter, a value. */
import type { Expression, ModelDocument } from '@engine/document/types';
import type { Catalogue } from '@engine/model/definition';
import { parseNumber } from '../components/numbers';
import { asOperand, namesInExpression, replaceRanges } from './expression-names';
import { expressionPlaces, writePlace } from './expression-places';
import { pointer } from './pointer';
import { scriptReplacement, type ScriptUse, scriptUses } from './script-parameters';

/** A place that can be found and replaced. */
export interface ParameterUse {
  readonly key: string;
  /** of the text it stands in; of a script, of the script itself */
  readonly pointer: string;
  /** the text it stands in: an expression, or a line of a script */
  readonly text: string;
  /** in that text */
  readonly start: number;
  readonly end: number;
  /** false where it may be something else */
  readonly isSure: boolean;
  /** place in a script, 1-based */
  readonly at?: { readonly line: number; readonly column: number };
  /** the use in the whole source of the script */
  readonly script?: ScriptUse;
}

/** Uses of a parameter in expressions and scripts; its own definition is none. */
export function parameterUses(
  document: ModelDocument,
  catalogue: Catalogue | null,
  name: string,
): ParameterUse[] {
  const inExpressions = expressionPlaces(document, catalogue).flatMap(({ pointer: place, text, own }) =>
    namesInExpression(text)
      // A name before a point is that of an element.
      .filter((found) => found.name === name && own?.has(name) !== true && text[found.end] !== '.')
      .map(({ start, end }): ParameterUse => ({
        key: `${place}:${start}`,
        pointer: place,
        text,
        start,
        end,
        isSure: true,
      })),
  );
  const inScripts = document.scripts.flatMap(({ source, role }, index) => {
    const place = pointer('scripts', index);
    return scriptUses(source.join('\n'), name, catalogue, role === 'builder').map((use): ParameterUse => {
      const before = source.join('\n').slice(0, use.start).split('\n');
      const column = before.at(-1)?.length ?? 0;
      const line = before.length;
      return {
        key: `${place}:${use.start}`,
        pointer: place,
        text: source[line - 1] ?? '',
        start: column,
        end: column + use.end - use.start,
        isSure: use.isSure,
        at: { line, column: column + 1 },
        script: use,
      };
    });
  });
  return [...inExpressions, ...inScripts];
}

/** Replaces uses in a draft. @param by a name, or a value as it is written */
export function replaceUses(
  draft: ModelDocument,
  uses: readonly ParameterUse[],
  from: string,
  by: string,
): void {
  const byPlace = new Map<string, ParameterUse[]>();
  for (const use of uses) byPlace.set(use.pointer, [...(byPlace.get(use.pointer) ?? []), use]);
  for (const [place, found] of byPlace) {
    const [first] = found;
    if (first?.script !== undefined) {
      const script = draft.scripts[Number(place.split('/')[2])];
      if (script === undefined) continue;
      const source = script.source.join('\n');
      const ranges = found.flatMap(({ script: use }) =>
        use === undefined ? [] : [{ ...use, by: scriptReplacement(use, from, asOperand(by)) }],
      );
      script.source = replaceRanges(source, ranges).split('\n');
    } else if (first !== undefined) {
      const operand = asOperand(by);
      const next = replaceRanges(
        first.text,
        found.map(({ start, end }) => ({ start, end, by: operand })),
      );
      // Alone in its field, a value needs no parentheses, and a number is one.
      const value: Expression = next === operand ? parseNumber(by) : next;
      writePlace(draft, place, value);
    }
  }
}

/**
 * Uses as a value takes their place: in scripts the whole member `p.name` goes, and only a number is sure to
 * mean the same there.
 */
export function valueUses(
  document: ModelDocument,
  uses: readonly ParameterUse[],
  by: string,
): ParameterUse[] {
  const isNumber = typeof parseNumber(by) === 'number';
  return uses.map((use) => {
    if (use.script === undefined) return use;
    const script = document.scripts[Number(use.pointer.split('/')[2])];
    const before = (script?.source.join('\n') ?? '').slice(0, use.script.start);
    const object = /[A-Za-z_$][\w$]*!?\.$/.exec(before)?.[0];
    // A name that a pattern takes out cannot be a value, nor can a text in brackets.
    if (use.script.form !== 'plain' || object === undefined) return { ...use, isSure: false };
    const { start } = use.script;
    return {
      ...use,
      start: Math.max(0, use.start - object.length),
      isSure: use.isSure && isNumber,
      script: { ...use.script, start: start - object.length },
    };
  });
}
