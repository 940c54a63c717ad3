/** German texts of runs for several initial values side by side. */
import type { enInitialValues } from '../en-initial-values';
import type { Translated } from '../translated';

export const deInitialValues: Translated<typeof enInitialValues> = {
  initialValues: {
    command: 'Für mehrere Anfangswerte starten …',
    title: 'Für mehrere Anfangswerte starten',
    help: 'Das Modell bleibt, wie es ist. Höchstens {most} Läufe: Jeder wird in jedem Diagramm gezeichnet, und mehr Kurven lassen sich nicht unterscheiden.',
    nothing:
      'Kein System des Modells hat hier Anfangswerte als Zahlen. Anfangswerte von Systemen, die ein Bauskript erzeugt, stehen im Skript: stattdessen einen Parameter variieren.',
    component: 'Anfangswert',
    table: 'Mehrere, als Tabelle',
    values: 'Werte',
    listHelp: 'Eine Liste wie 0.2, 0.5, 0.8 oder von:bis:Anzahl wie 0.2:0.8:4.',
    tableHelp:
      'Die erste Zeile nennt Anfangswerte wie ball.q0[0] ball.v0[0]; jede weitere Zeile ist ein Lauf. Zeilen lassen sich aus einer Tabellenkalkulation einfügen.',
    bad: 'Bis zu {most} Zahlen eingeben, wie 0.2, 0.5 oder 0.2:0.8:4.',
    problem: {
      empty: 'In der ersten Zeile die Anfangswerte nennen und für jeden Lauf eine Zeile mit Zahlen angeben.',
      many: 'Es gibt mehr als {most} Zeilen mit Zahlen. In mehreren Gruppen starten.',
      unknown: 'Kein System hat einen Anfangswert namens {name}. Namen sehen aus wie ball.q0[0].',
      columns: 'Zeile {line} und die erste Zeile passen nicht zusammen: Je Name ist eine Zahl nötig.',
      number: 'Zeile {line} enthält etwas, das keine Zahl ist.',
    },
    group: 'Name der Gruppe',
    groupOf: 'Anfangswerte von {what}',
    groupOfTable: 'Anfangswerte aus einer Tabelle',
    overlay: 'Alle in den Diagrammen anzeigen',
    notStarted:
      '{number} Lauf von „{group}“ wurde nicht gestartet. | {number} Läufe von „{group}“ wurden nicht gestartet.',
  },
};
