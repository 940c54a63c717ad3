/** Settings of an integrator, problem, solver or section, by the keys of its definition's fields. */
import type { ElementDefinition } from '../model/definition';
import type { FieldReader } from '../model/field-reader';

export interface ElementSettings {
  readonly type: string;
  /** numbers and integers, defaults included */
  readonly numbers: Readonly<Record<string, number>>;
  /** choices, defaults included */
  readonly choices: Readonly<Record<string, string>>;
  /** texts and names of other elements, defaults included */
  readonly texts: Readonly<Record<string, string>>;
  /** keys that the document gives itself */
  readonly given: ReadonlySet<string>;
}

/** Reads all fields of a definition; those of settings are numbers, choices and texts. */
export function readSettings(definition: ElementDefinition, fields: FieldReader): ElementSettings {
  const numbers: Record<string, number> = {};
  const choices: Record<string, string> = {};
  const texts: Record<string, string> = {};
  const given = new Set<string>();
  for (const { key, kind } of definition.fields) {
    if (fields.has(key)) given.add(key);
    if (kind === 'choice') choices[key] = fields.choice(key);
    else if (kind === 'text' || kind === 'reference') texts[key] = fields.text(key);
    else numbers[key] = fields.number(key);
  }
  return { type: definition.type, numbers, choices, texts, given };
}
