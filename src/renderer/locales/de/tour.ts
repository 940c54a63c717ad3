/** German texts of the tour of the window. */
import type { enTour } from '../en-tour';
import type { Translated } from '../translated';

export const deTour: Translated<typeof enTour> = {
  tour: {
    command: 'Rundgang in fünf Minuten',
    label: 'Rundgang durch das Fenster',
    place: '{step} von {count}',
    back: 'Zurück',
    next: 'Weiter',
    skip: 'Rundgang beenden',
    done: 'Fertig',
    step: {
      model: {
        title: 'Ein Modell besteht aus Systemen und Wechselwirkungen',
        text: 'Dies ist ein Ball über einem Boden. Kästen sind, was sich bewegt, runde Knoten, was dazwischen wirkt: Ein Klick zeigt darunter Gleichungen und Werte. „Hinzufügen“ setzt neue hierher; Ziehen von Anschluss zu Anschluss verbindet sie.',
      },
      parameters: {
        title: 'Zahlen haben Namen',
        text: 'Einen Wert eintippen oder am Schieberegler ziehen. Ist der Schalter an, rechnet das Modell beim Ziehen neu. Jedes Feld des Modells nimmt einen Ausdruck dieser Namen an.',
      },
      run: {
        title: 'Rechnen',
        text: 'Der Pfeil neben der Schaltfläche bietet mehr: angehalten starten, mit anderen Einstellungen starten, Zeitlupe. Das Quadrat beendet einen Lauf sofort, was immer ein Skript tut.',
      },
      plots: {
        title: 'Ansehen',
        text: 'Das Mausrad zoomt, Ziehen verschiebt, ein Doppelklick zeigt wieder alles, ein Klick setzt den Cursor aller Diagramme dorthin. „Diagramm hinzufügen“ bietet Phasenporträts, Poincaré-Schnitte, Spektren, Energie, Animationen und mehr.',
      },
      certificate: {
        title: 'Wissen, dass es stimmt',
        text: 'Jeder Lauf wird von Code geprüft, der den Löser nicht kennt: ob die Gleichungen erfüllt sind, ob ein Ereignis verpasst wurde und wie genau jedes Signal ist. Ein Klick zeigt die Zahlen.',
      },
      script: {
        title: 'Schreiben, was sich nicht zeichnen lässt',
        text: 'Kräfte, Gesetze, Regelungen und ganze Modelle in TypeScript, mit Vervollständigung und selbsttätig gebildeten Ableitungen. „Text“ ist dasselbe Modell als JSON. Alle drei sind Ansichten eines Modells, und „Rückgängig“ wirkt in jeder.',
      },
      analyses: {
        title: 'Die Dynamik vermessen',
        text: 'Verzweigungsdiagramme, Einzugsgebiete, periodische Orbits, Floquet-Multiplikatoren und Lyapunov-Exponenten über Stöße hinweg werden hier neben der Arbeit berechnet.',
      },
      everything: {
        title: 'Alles Weitere',
        text: 'Jeder Befehl hat einen Namen und ist hier zu finden; die meisten haben Tasten. „Abbildung exportieren“ und „Daten exportieren“ geben die Ergebnisse aus. Die Hilfe bietet Einführungen, Anleitungen und die Theorie, auch ohne Netz.',
      },
    },
  },
};
