/** German texts of the equations of a drawing. */
import type { enEquations } from '../en-equations';
import type { Translated } from '../translated';

export const deEquations: Translated<typeof enEquations> = {
  equations: {
    title: 'Gleichungen',
    none: 'Nichts ist gezeichnet. Hier werden Bauteile zu Gleichungen.',
    broken:
      'Die Zeichnung hat Fehler: siehe Probleme. Sobald sie behoben sind, stehen hier ihre Gleichungen.',
    copy: 'Als LaTeX kopieren',
    copied: 'Die Gleichungen sind als LaTeX in der Zwischenablage.',
    row: 'Zeile',
    law: 'Gesetz',
    while: 'Solange',
    always: 'immer',
    plain: 'In einfache Elemente umwandeln',
    edit: { plain: 'Zeichnung in einfache Elemente umwandeln' },
    more: 'und {number} weitere Einträge',
  },
};
