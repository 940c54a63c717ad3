/** German texts of the help pane. The pages themselves are in `docs`. */
import type { enHelp } from '../en-help';
import type { Translated } from '../translated';

export const deHelp: Translated<typeof enHelp> = {
  help: {
    title: 'Hilfe',
    open: 'Hilfe',
    onThis: 'Hilfe zur Auswahl',
    tutorial: 'Erste Sitzung',
    back: 'Zurück',
    forward: 'Vor',
    home: 'Inhalt',
    search: 'Hilfe durchsuchen',
    found: 'Gefundene Seiten: {count}',
    none: 'Nichts gefunden. Weniger oder andere Wörter versuchen.',
    waiting: 'Warten darauf, dass der Rechenkern die Seiten liefert.',
    missing: 'Es gibt keine Seite {path}.',
    contents: 'Alle Seiten',
    notNow: '„{command}“ ist jetzt nicht ausführbar. {reason}',
    sections: {
      tutorials: 'Einführungen',
      'how-to': 'Anleitungen',
      reference: 'Referenz',
      theory: 'Theorie',
    },
  },
};
