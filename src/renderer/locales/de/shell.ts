/** German texts of notifications, status bar and layout. */
import type { enShell } from '../en-shell';
import type { Translated } from '../translated';

export const deShell: Translated<typeof enShell> = {
  notices: {
    label: 'Mitteilungen',
    unread: '{number} ungelesene Mitteilung | {number} ungelesene Mitteilungen',
    none: 'Keine Mitteilungen in dieser Sitzung.',
    copy: 'Alle kopieren',
    copied: 'Die Mitteilungen wurden kopiert.',
    notCopied: 'In die Zwischenablage konnte nicht geschrieben werden.',
    clear: 'Alle entfernen',
    forget: 'Aus der Liste entfernen',
    repeated: '{count}-mal wiederholt',
    level: { info: 'Hinweis:', warning: 'Warnung:', error: 'Fehler:' },
  },
  docks: {
    label: 'Anordnung',
    panes: {
      side: 'Parameter und Läufe',
      model: 'Modell',
      lower: 'Einzelheiten',
      plots: 'Diagramme',
    },
    parts: {
      label: 'Teile des Fensters',
      show: '{part} anzeigen; andere weichen',
      parameters: 'Parameter',
      runs: 'Läufe',
      model: 'Modell',
      lower: 'Einzelheiten',
      plots: 'Diagramme',
    },
    show: 'Ein- oder ausblenden: {pane}',
    presets: 'Anordnungen',
    preset: {
      modelling: 'Anordnung: Modellieren',
      running: 'Anordnung: Rechnen',
      scripting: 'Anordnung: Skripte',
      presenting: 'Anordnung: Vorführen',
    },
    presetShort: {
      modelling: 'Modellieren',
      running: 'Rechnen',
      scripting: 'Skripte',
      presenting: 'Vorführen',
    },
    reset: 'Anordnung zurücksetzen',
    maximise: 'Bereich maximieren',
    restore: 'Bereiche wiederherstellen',
    lastPane: 'Mindestens ein Bereich bleibt geöffnet.',
    moveSide: 'Parameter und Läufe auf die andere Seite verschieben',
    moveLower: 'Einzelheiten verschieben: unter das Modell, unter alles, nach rechts',
    onlyOne: '{pane}: füllt das Fenster.',
  },
};
