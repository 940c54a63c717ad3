/** German texts of the text view. */
import type { enText } from '../en-text';
import type { Translated } from '../translated';

export const deText: Translated<typeof enText> = {
  text: {
    title: 'Text',
    label: 'Modell als Text',
    editor: 'Text des Modells, JSON',
    edit: 'Text bearbeiten',
    inStep: 'Text und Modell stimmen überein.',
    reading: 'Änderungen werden gelesen …',
    defect: 'Zeile {line}, Spalte {column}: {what} Das Modell ist unverändert.',
    syntax: {
      comma: 'Ein Komma fehlt.',
      colon: 'Ein Doppelpunkt fehlt.',
      property: 'Ein Name in Anführungszeichen fehlt.',
      value: 'Ein Wert fehlt.',
      brace: 'Eine schließende geschweifte Klammer fehlt.',
      bracket: 'Eine schließende eckige Klammer fehlt.',
      string: 'Ein schließendes Anführungszeichen fehlt.',
      number: 'Die Zahl ist nicht vollständig.',
      end: 'Nach dem Ende des Modells steht noch Text.',
      comment: 'JSON kennt keine Kommentare.',
      symbol: 'Dies ist hier nicht zulässig.',
    },
    shape: {
      object: 'Bei {place} wird ein Objekt { … } erwartet.',
      list: 'Bei {place} wird eine Liste [ … ] erwartet.',
      text: 'Bei {place} wird ein Text in Anführungszeichen erwartet.',
      number: 'Bei {place} wird eine Zahl erwartet.',
      value: 'Bei {place} wird eine Zahl, ein Text oder eine Liste davon erwartet.',
      lines: 'Bei {place} wird eine Liste von Zeilen erwartet.',
      version: 'Die Formatversion lässt sich hier nicht ändern.',
      taken: 'Der Name bei {place} ist vergeben.',
      key: 'Der Schlüssel „__proto__“ ist nicht zulässig.',
    },
    goTo: 'Dorthin gehen',
    revert: 'Eigene Änderungen verwerfen',
    divergedMessage:
      'Das Modell wurde anderswo geändert, und die Änderungen am Text gehören noch nicht dazu. Was soll erhalten bleiben?',
    keepText: 'Mein Text, sobald er gültig ist',
    keepModel: 'Das Modell; meinen Text verwerfen',
    broken: 'Der Text ist kein gültiges Modell',
    tooLongToEdit:
      'Schreibgeschützt: Ein Text von mehr als {limit} Zeichen lässt sich nicht bei jeder Tipppause lesen. In den anderen Ansichten oder in einem Texteditor bearbeiten.',
    tooLongToShow: 'Nicht angezeigt: Der Text hat mehr als {limit} Zeichen.',
    showElement: 'In Graph und Inspektor anzeigen',
    loadFailed: 'Der Texteditor konnte nicht geladen werden.',
  },
};
