/** German texts of finding and replacing in the model. */
import type { enFind } from '../en-find';
import type { Translated } from '../translated';

export const deFind: Translated<typeof enFind> = {
  find: {
    title: 'Suchen',
    label: 'Im Modell suchen',
    what: 'Was gesucht wird',
    mode: { text: 'Text überall', parameter: 'Verwendungen eines Parameters' },
    query: 'In Namen, Ausdrücken, Skripten und Texten suchen',
    matchCase: 'Groß-/Kleinschreibung beachten',
    parameter: 'Parameter',
    by: 'Ersetzen durch',
    byParameter: 'Ersetzen durch einen Namen, einen Parameter oder einen Wert',
    replace: 'Ersetzen ({count})',
    replaceLabel: '{from} durch {to} ersetzen',
    found: '{number} Stelle | {number} Stellen',
    tooMany: 'Die ersten {limit} Stellen',
    all: 'Alle',
    none: 'Keine',
    results: 'Gefundene Stellen',
    tick: 'Ersetzen bei {place}',
    unsure: 'vielleicht',
    change: {
      rename: 'Der Parameter wird in {to} umbenannt, hier und an den angekreuzten Stellen.',
      parameter: 'Die angekreuzten Stellen verwenden den Parameter {to}. {from} selbst bleibt.',
      value: 'Die angekreuzten Stellen enthalten {to}. {from} selbst bleibt.',
      refused: '{to} ist der Name eines Elements oder einer Observablen. Einen anderen wählen.',
    },
    refusedNames:
      '{names} behielt den Namen: Der neue ist vergeben oder nicht gültig. | Diese behielten ihre Namen, weil die neuen vergeben oder nicht gültig sind: {names}.',
    uses: 'Verwendungen von {name} …',
    usesShort: 'Suchen und ersetzen',
  },
};
