/** German texts of the differences between the models of two runs. */
import type { enModelDifference } from '../en-model-difference';
import type { Translated } from '../translated';

export const deModelDifference: Translated<typeof enModelDifference> = {
  modelDifference: {
    command: 'Unterschiede zwischen Modellen von Läufen …',
    title: 'Unterschiede zwischen Modellen',
    help: 'Alles, wovon die Bewegung abhängt, zum Start jedes Laufs: Werte, Felder, Einstellungen und Skripte.',
    ofRun: 'Unterschiede zu einem anderen Lauf …',
    present: 'Aktuelles Modell',
    a: 'Modell A',
    b: 'Modell B',
    none: 'Die beiden Modelle sind gleich.',
    count: '{number} Unterschied | {number} Unterschiede',
    more: 'Die ersten {shown} von {all} sind aufgeführt.',
    what: 'Teil',
    element: 'Element',
    field: 'Feld',
    absent: 'fehlt',
    line: 'Zeile {line}, die erste abweichende',
    onTheWay: '{name} ab t = {time} s',
    group: {
      parameters: 'Parameter',
      systems: 'System',
      interactions: 'Wechselwirkung',
      simulation: 'Simulation',
      observables: 'Observable',
      scripts: 'Skript',
      changes: 'Während des Laufs geändert',
    },
  },
};
