/** Says why values of one unit are not shown in another, and what to do. */
import type { UnitProblem } from './conversion';

/** Sentence and remedy. @param from the model's unit @param to the one that is to be shown */
export function unitProblemWords(
  problem: UnitProblem,
  from: string,
  to: string,
): { message: string; remedy: string } {
  const ofModel = 'unit' in problem && problem.unit === from;
  switch (problem.kind) {
    case 'unknown':
      return {
        message: ofModel
          ? `The model’s unit “${from}” is not known, so its values cannot be shown in “${to}”.`
          : `“${to}” is not a unit that is known; values in “${from}” are shown as they are.`,
        remedy:
          problem.instead === undefined
            ? ofModel
              ? 'Write a unit of SI there, such as N s/m, or remove the display unit.'
              : 'Write units such as mm, kN, °/s or N/mm², with spaces between factors.'
            : `Write ${problem.instead}, with a space between the factors.`,
      };
    case 'offset':
      return {
        message: `“${problem.unit}” has another zero than its quantity; only units that differ by a factor can be shown.`,
        remedy: ofModel ? 'Give temperatures in K, or remove the display unit.' : 'Show temperatures in K.',
      };
    case 'incompatible':
      return {
        message: `“${to}” is a unit of another quantity than “${from}”; values are shown in “${from}”.`,
        remedy: `Choose a unit that “${from}” can be converted into.`,
      };
  }
}
