/**
 * Checks the units that values are shown in. Physics never reads them: their defects are warnings, and a
 * model with them runs.
 */
import type { DocumentIssue, ModelDocument } from '../document/types';
import { conversion, unitProblemWords } from './conversion';

/** Escapes one reference token. RFC 6901 §3. */
const token = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');

/** Defects of the display units of a document of sound structure. */
export function displayUnitIssues({
  displayUnits = {},
  parameters,
}: Pick<ModelDocument, 'displayUnits' | 'parameters'>): DocumentIssue[] {
  const issues: DocumentIssue[] = [];
  const warn = (
    place: string,
    words: { message: string; remedy: string },
    element: { element?: string } = {},
  ): void => {
    const pointer = `/displayUnits/${place}`;
    issues.push({ severity: 'warning', code: 'display-unit', pointer, ...element, ...words });
  };
  const check = (place: string, from: string, to: string, element: { element?: string } = {}): void => {
    const found = conversion(from, to);
    if ('problem' in found) warn(place, unitProblemWords(found.problem, from, to), element);
  };
  for (const [from, to] of Object.entries(displayUnits.units ?? {})) check(`units/${token(from)}`, from, to);
  const known = new Map(parameters.map(({ name, unit }) => [name, unit ?? '']));
  for (const [name, to] of Object.entries(displayUnits.parameters ?? {})) {
    const place = `parameters/${token(name)}`;
    const from = known.get(name);
    if (from === undefined)
      warn(place, {
        message: `A display unit is given for the parameter “${name}”, which does not exist.`,
        remedy: 'Remove it, or add a parameter of that name.',
      });
    else if (from === '' && to !== '')
      warn(
        place,
        {
          message: `The parameter “${name}” has no unit, so its value cannot be shown in “${to}”.`,
          remedy: 'Give the parameter its unit, or remove the display unit.',
        },
        { element: name },
      );
    else check(place, from, to, { element: name });
  }
  return issues;
}
