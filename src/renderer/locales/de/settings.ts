/** German texts of the settings. */
import type { enSettings, settingWords } from '../en-settings';
import type { Translated } from '../translated';

/** Names and explanations of the settings. */
export const deSettingWords: Translated<typeof settingWords> = {
  'appearance.language': {
    title: 'Sprache',
    help: 'Sprache des Fensters. Titel von Elementen, Hilfeseiten und Meldungen des Rechenkerns sind englisch.',
    options: { system: 'Wie das System', en: 'English', de: 'Deutsch', fr: 'Français' },
  },
  'appearance.theme': {
    title: 'Farbschema',
    help: 'Farben des Fensters und seiner Diagramme.',
    options: { system: 'Wie das System', light: 'Hell', dark: 'Dunkel' },
  },
  'appearance.zoom': {
    title: 'Zoom',
    help: 'Größe von allem im Fenster, auch von Diagrammen und Skripten.',
  },
  'appearance.density': {
    title: 'Dichte',
    help: 'Kompakte Bedienelemente lassen mehr Platz für das Modell und seine Diagramme.',
    options: { comfortable: 'Großzügig', compact: 'Kompakt' },
  },
  'appearance.motion': {
    title: 'Bewegung der Bedienelemente',
    help: 'Reduzierte Bewegung zeigt Änderungen sofort. Animationen eines Laufs spielen in jedem Fall nur auf Befehl.',
    options: { system: 'Wie das System', reduced: 'Reduziert' },
  },
  'appearance.digits': {
    title: 'Signifikante Stellen',
    help: 'Stellen der Werte an Formeln, Cursorn und Achsen. Exporte und Datentabellen behalten alle Stellen.',
  },
  'editor.fontSize': { title: 'Schriftgröße', help: 'Größe der Skripte und des Modelltexts.' },
  'editor.wordWrap': {
    title: 'Lange Zeilen umbrechen',
    help: 'Setzt lange Zeilen von Skripten und Texten in der nächsten fort.',
  },
  'editor.minimap': {
    title: 'Textübersicht',
    help: 'Zeigt rechts eine kleine Übersicht des ganzen Skripts oder Texts.',
  },
  'editor.shortcutHints': {
    title: 'Tastenkürzel in Kurzinfos',
    help: 'Zeigt die Tasten eines Befehls, wenn der Zeiger auf seiner Schaltfläche steht.',
  },
  'editor.format': {
    title: 'Skripte formatieren',
    help: 'Wann Skripte formatiert werden. Ein Skript mit Syntaxfehlern bleibt unverändert.',
    options: {
      command: 'Auf Befehl',
      paste: 'Auf Befehl und nach dem Einfügen',
      save: 'Auf Befehl und beim Speichern',
    },
  },
  'runs.live': {
    title: 'Beim Ziehen eines Schiebereglers neu rechnen',
    help: 'Nach dem ersten Lauf rechnet das Modell bei jedem neuen Parameterwert neu. Neue Fenster beginnen mit dieser Wahl.',
  },
  'runs.askAboveMillionSteps': {
    title: 'Vor langen Läufen fragen, Millionen Schritte',
    help: 'Fragt vor dem Start eines Laufs mit mehr Schritten nach. 0 fragt nie.',
  },
  'runs.atOnce': {
    title: 'Gleichzeitig gerechnete Läufe',
    help: 'Weitere Läufe warten in einer Schlange. 0 rechnet einen je Kern.',
  },
  'runs.diskLimit': {
    title: 'Speicherplatz für gespeicherte Läufe',
    help: 'Oberhalb dieser Grenze werden die ältesten Läufe entfernt, die weder angeheftet sind noch zu einem geöffneten Modell gehören. 0 setzt keine Grenze.',
  },
  'files.onStart': {
    title: 'Beim Start anzeigen',
    help: 'Was ein neues Fenster zeigt. Ein Browser kann Dateien nicht von sich aus wieder öffnen und zeigt stattdessen die Startseite.',
    options: { example: 'Ein Beispiel', start: 'Startseite', last: 'Die zuletzt geöffneten Dateien' },
  },
  'files.autosaveInterval': {
    title: 'Änderungsprotokoll alle',
    help: 'Wie oft ungespeicherte Änderungen in ein Protokoll geschrieben werden. Nach einem Absturz lassen sie sich wiederherstellen.',
  },
  'files.backup': {
    title: 'Beim Speichern eine Sicherung behalten',
    help: 'Behält den vorherigen Stand neben der Datei, mit „.bak“ am Ende des Namens.',
  },
};

export const deSettings: Translated<typeof enSettings> = {
  settings: {
    title: 'Einstellungen',
    description: 'Änderungen gelten sofort, in allen Fenstern.',
    search: 'Einstellungen suchen',
    found: '{number} Einstellung gefunden | {number} Einstellungen gefunden',
    none: 'Keine solche Einstellung.',
    changed: 'Geändert, Standard: {value}',
    reset: 'Auf {value} zurücksetzen',
    resetAll: 'Alle zurücksetzen …',
    resetAllTitle: 'Alle Einstellungen zurücksetzen?',
    resetAllMessage:
      'Einstellungen und Tastenkürzel erhalten ihre Standardwerte. Modelle und Läufe sind nicht betroffen. Sollen die Einstellungen wieder verfügbar sein, vorher exportieren.',
    resetAllAnswer: 'Alle zurücksetzen',
    export: 'Exportieren …',
    import: 'Importieren …',
    imported: 'Importierte Einstellungen: {number}.',
    importTitle: 'Diese Einstellungen lassen sich nicht importieren',
    notSettings:
      'Die Datei ist keine Einstellungsdatei: Sie braucht ein Objekt „values“ mit Einstellungen nach Namen.',
    notJson: 'Die Datei ist kein gültiges JSON.',
    notJsonRemedy: 'Eine Datei wählen, die „Exportieren …“ in den Einstellungen geschrieben hat.',
    unknown:
      'Es gibt keine Einstellung {key}. Aus der Datei entfernen oder mit der Version importieren, die sie geschrieben hat.',
    invalid: '{key}: {problem}',
    outOfRange: 'Eine Zahl von {min} bis {max} eingeben.',
    on: 'ein',
    off: 'aus',
    sections: {
      appearance: 'Darstellung',
      editor: 'Editor',
      runs: 'Läufe',
      files: 'Dateien',
      keyboard: 'Tastatur',
    },
  },
  keys: {
    search: 'Befehle oder Tasten suchen',
    command: 'Befehl',
    shortcuts: 'Tastenkürzel',
    add: 'Tastenkürzel für {command} hinzufügen',
    remove: '{shortcut} von {command} entfernen',
    reset: 'Tastenkürzel von {command} zurücksetzen',
    resetAll: 'Alle Tastenkürzel zurücksetzen',
    press: 'Die Tasten für „{command}“ drücken. Escape bricht ab.',
    recording: 'Tasten drücken …',
    taken: '{shortcut} wird von „{command}“ verwendet.',
    takeOver: 'Stattdessen hier verwenden',
    browser:
      'Der Browser belegt {shortcut} selbst. Andere Tasten wählen; im Desktop-Fenster ist es verfügbar.',
    typing:
      '{shortcut} wird zum Tippen gebraucht. Mit Strg oder Alt kombinieren oder eine Funktionstaste verwenden.',
    refused: 'Andere Tasten wählen oder Escape drücken.',
    none: 'Kein solcher Befehl.',
    noKeys: 'keine',
    context: { graph: 'im Graphen', editor: 'im Skript' },
    gestures: 'Maus und andere Tasten',
  },
};
