/** German texts of the recovery of unsaved documents. */
import type { enRecovery } from '../en-recovery';
import type { Translated } from '../translated';

export const deRecovery: Translated<typeof enRecovery> = {
  recovery: {
    title: 'Ungespeicherte Modelle einer früheren Sitzung',
    what: 'Das Fenster oder das Programm endete, bevor diese Änderungen gespeichert waren. Wiederhergestellte Modelle öffnen sich in eigenen Reitern; bis zum Speichern wird nichts in ihre Dateien geschrieben.',
    noFile: 'Nie in einer Datei gespeichert',
    last: 'Letzte Änderung {time} · {edits}',
    edits: '{number} Änderung | {number} Änderungen',
    later: 'Später',
    recover: '{number} Modell wiederherstellen | {number} Modelle wiederherstellen',
    discardTitle: 'Änderungen an {number} Modell verwerfen? | Änderungen an {number} Modellen verwerfen?',
    discardMessage:
      'Das lässt sich nicht rückgängig machen. Dateien auf dem Datenträger bleiben unverändert.',
    none: 'Es gibt nichts wiederherzustellen.',
    command: 'Ungespeicherte Modelle wiederherstellen …',
  },
};
