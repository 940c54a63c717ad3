/** German texts of the dialog that makes figures of plots. */
import type { enFigure } from '../en-figure';
import type { Translated } from '../translated';

export const deFigure: Translated<typeof enFigure> = {
  figure: {
    command: 'Abbildung exportieren …',
    commandOf: 'Abbildung exportieren: {name} …',
    commandPane: 'Diagramm der Analyse oder des Vergleichs exportieren …',
    noPaneFigure: 'Es ist kein Diagramm einer Analyse oder eines Vergleichs zu sehen.',
    orbit: 'Periodischer Orbit',
    multipliers: 'Multiplikatoren',
    exponents: 'Lyapunov-Exponenten',
    diagram: 'Diagramm von {y}',
    convergence: 'Konvergenz',
    commandDashboard: 'Abbildung des Dashboards exportieren …',
    title: 'Abbildung exportieren',
    export: 'Exportieren',
    subject: 'Abbildung von',
    dashboard: 'Das ganze Dashboard',
    format: 'Format',
    style: 'Stil',
    styles: {
      publication: 'Veröffentlichung',
      screen: 'Wie auf dem Bildschirm',
    },
    styleHelp: {
      publication:
        'Schwarz auf Weiß, aus den aufgezeichneten Zeilen neu gezeichnet, wie mit moreau export --figure. Zeitverläufe, Porträts und Schnitte behalten ihren Zoom.',
      screen: 'Farben, Einheiten und Zoom wie im Fenster.',
    },
    journal: 'Breite von',
    ownWidth: 'eigene Größe',
    columns: {
      one: '{publisher}, eine Spalte ({width} mm)',
      oneAndHalf: '{publisher}, anderthalb Spalten ({width} mm)',
      two: '{publisher}, zwei Spalten ({width} mm)',
    },
    preview: 'Die Abbildung, wie sie wird',
    noPreview: 'Hier ist zu sehen, wie die Abbildung wird.',
    width: 'Breite, mm',
    height: 'Höhe, mm',
    dpi: 'Auflösung, Punkte je Zoll',
    sizeHelp: 'Breite und Höhe müssen zwischen 0 und {most} mm liegen.',
    dpiHelp: 'Die Auflösung muss zwischen 0 und {most} Punkten je Zoll liegen.',
    tooLarge: 'Das Bild hätte zu viele Pixel. Größe oder Auflösung verringern.',
    needsRun: 'Es ist kein Lauf zu sehen. Zuerst das Modell starten oder den Bildschirmstil wählen.',
    pixels: '{width} × {height} Pixel',
  },
};
