/** German texts of the start page and of recent files. */
import type { enStart } from '../en-start';
import type { Translated } from '../translated';

export const deStart: Translated<typeof enStart> = {
  start: {
    command: 'Startseite',
    title: 'Nichtglatte Dynamik modellieren',
    lead: 'Stöße, Reibung, ideale Dioden und Schalter. Ein Modell zeichnen oder als Skript schreiben, rechnen und jede Zahl prüfen.',
    begin: 'Beginnen',
    templates: 'Neu aus einer Vorlage',
    template: {
      mechanism: 'Mechanismus auf einer Achse',
      circuit: 'Schaltung',
      converter: 'Stromrichter mit Regelung',
      impact: 'Stoß, durch seine Gleichungen',
      bodies: 'Körper im Raum',
      script: 'Viele Teile, durch ein Skript',
    },
    recent: 'Zuletzt verwendete Dateien',
    openRecent: 'Zuletzt verwendete öffnen',
    noRecent: 'Hier erscheinen geöffnete und gespeicherte Dateien.',
    clearRecent: 'Liste leeren',
    unsaved: 'Ungespeicherte Modelle',
    unsavedFound: '{number} Modell blieb ungespeichert. | {number} Modelle blieben ungespeichert.',
    look: 'Durchsehen …',
    examples: 'Beispiele',
    allExamples: 'Alle Beispiele …',
    tutorials: 'Einführungen',
    onStart: 'Beim Start',
    back: 'Zurück zum Modell',
  },
};
