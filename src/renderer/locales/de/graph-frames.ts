/** German texts of groups and notes of the graph. */
import type { enGraphFrames } from '../en-graph-frames';
import type { Translated } from '../translated';

export const deGraphFrames: Translated<typeof enGraphFrames> = {
  graphFrames: {
    newGroup: 'Gruppe',
    groupLabel: 'Gruppe {name}, {number} Mitglied | Gruppe {name}, {number} Mitglieder',
    collapsedLabel: '{group}, zugeklappt',
    members: '{number} Knoten | {number} Knoten',
    noteLabel: 'Notiz: {text}',
    noteName: 'Notiz „{text}“',
    emptyNote: 'leer',
    notePlaceholder: 'Notiz schreiben. Markdown und $Formeln$ sind möglich.',
    noteInput: 'Text der Notiz',
    nameInput: 'Name der Gruppe',
    bar: 'Gruppe oder Notiz',
    menu: 'Aktionen am Graphen',
    colours: 'Farbe',
    resize: 'Ziehen ändert die Größe. Tasten: Alt mit Umschalt und Pfeiltasten.',
    colour: {
      grey: 'Grau',
      blue: 'Blau',
      green: 'Grün',
      yellow: 'Gelb',
      red: 'Rot',
      purple: 'Violett',
    },
    edit: {
      group: 'Gruppieren',
      join: 'Zu {name} hinzufügen',
      ungroup: 'Gruppierung aufheben',
      leave: 'Aus der Gruppe nehmen',
      collapse: '{name} zuklappen',
      expand: '{name} aufklappen',
      colour: 'Farbe ändern',
      note: 'Notiz hinzufügen',
      write: 'Notiz schreiben',
      resize: 'Größe der Notiz ändern',
    },
    command: {
      group: 'Auswahl gruppieren',
      ungroup: 'Gruppierung aufheben',
      leave: 'Aus der Gruppe nehmen',
      collapse: 'Gruppe zuklappen',
      expand: 'Gruppe aufklappen',
      rename: 'Gruppe umbenennen oder Notiz schreiben',
      note: 'Notiz hinzufügen',
      colour: 'Farbe der Gruppe oder Notiz: {colour}',
    },
  },
};
