/** German texts of kinds of views. */
import type { viewWords } from '@views/words';
import type { Translated } from '../translated';

const keys = 'Pfeiltasten verschieben, Plus und Minus zoomen, 0 zeigt alles.';

export const deViews: Translated<typeof viewWords> = {
  attractor: {
    title: 'Attraktor',
    label:
      'Trajektorie im Raum von {x}, {y} und {z}. Pfeiltasten drehen, Plus und Minus zoomen, 0 stellt die Anfangsansicht wieder her.',
    curveHelp:
      'So viele Zeilen kommen auf eine gezeichnete: Gezeichnet werden jene, in denen die Kurve eine neue Zelle des Raums betritt, feiner als ein Pixel. Kein Teil der Kurve fehlt.',
    camera: 'Kamera',
    axis: 'Achse {axis}',
    axisIs: 'Achse {axis}: {name}',
  },
  basins: {
    noBasins: 'Das Modell hat keine Analyse von Einzugsgebieten. Unter Analysen eine hinzufügen.',
  },
  bifurcation: {
    title: 'Verzweigungsdiagramm',
    label: `Verzweigungsdiagramm von {y} über {parameter}. ${keys}`,
    noAnalyses: 'Das Modell hat keinen Parameterdurchlauf und keinen Zweig. Unter Analysen einen hinzufügen.',
    noAnalysisChosen: 'Im Menü dieses Diagramms eine Analyse wählen.',
  },
  certificate: {
    title: 'Zertifikat über der Zeit',
    label: `Schlechteste Residuen über der Zeit. ${keys}`,
    stretches: 'Von jedem Abschnitt ist der schlechteste Schritt gezeichnet, keine Spitze geht verloren.',
    unavailable:
      'Das Zertifikat über der Zeit ist nicht verfügbar: Der Lauf wurde unterbrochen oder von einer früheren Version gespeichert.',
    residuals: {
      dynamics: 'Bewegungsgleichungen',
      complementarity: 'Gesetze',
      coneViolation: 'Kegel',
      energyDrift: 'Energiebilanz',
      limit: 'Grenze',
    },
    residualHelp: {
      dynamics: 'Residuum der Bewegungsgleichungen, relativ zum bis dahin größten ihrer Terme',
      complementarity:
        'Verletzung der Komplementarität und anderer Gesetze, relativ zu den bis dahin größten Werten',
      coneViolation: 'Wie weit Spalte, Kräfte und Kraftstöße außerhalb der zulässigen Menge liegen, relativ',
      energyDrift: 'Fehlbetrag der Energiebilanz, relativ zur bis dahin größten Energie',
    },
  },
  energyLedger: {
    title: 'Energiebilanz',
    label: `Energie über der Zeit: {names}. ${keys}`,
    ledgerSums: 'Summen und größte Verluste',
    lostUntil: 'Bis zum Ende der sichtbaren Zeit aufgenommen',
    largestLosses: 'Größte Verluste einzelner Stöße',
    cursorThere: 'Setzt den Cursor dorthin',
    cursorAt: 'Cursor auf t = {t}, {name}',
    noEnergy: 'Das Modell hat keine Körper, daher ist keine Energie definiert.',
    lossesBetween:
      'Nur einer von {every} Schritten ist aufgezeichnet: In den Summen fehlt die Energie, die Kontakte in den Schritten dazwischen aufnehmen.',
  },
  heatMap: {
    title: 'Heatmap',
    label: `{quantity} über {x} und {y}. ${keys}`,
    noHeatMap:
      'Das Modell hat keinen Durchlauf über ein Raster zweier Parameter. Unter Analysen einen hinzufügen.',
    noQuantity:
      'Dieser Durchlauf hat weder Messgrößen noch einen Schnitt: Unter Analysen eines davon hinzufügen.',
    noValue: 'kein Wert',
    noPeriod: 'Leer: Die Bewegung wiederholt sich nicht innerhalb der Hälfte der aufgezeichneten Punkte.',
    colourIs: 'Farbe: {name}',
    direction: 'Richtung',
  },
  indexSets: {
    title: 'Indexmengen',
    label: `Zustände über der Zeit von {names}. ${keys}`,
    lanes: 'Zustände in der sichtbaren Zeit',
    laneSummary: '{name}: {shares}; Wechsel {changes}, Stöße {impacts}.',
    shareOf: '{state} {share} % der Zeit',
    stateChanges: 'Wechsel',
    impactCount: 'Stöße',
    noRowsYet: 'Noch ist nichts aufgezeichnet.',
    lanesMerged: 'Ein Abschnitt, der viele Zeilen umfasst, zeigt jeden Zustand darunter.',
  },
  matrix: {
    title: 'Einschrittproblem',
    label: `Matrix des Einschrittproblems. {facts}. ${keys}`,
    matrixRows: 'Zeilen und ihre Lösung',
    matrixRow: 'Zeile',
    matrixColumn: 'Spalte',
    matrixEquation: 'w = W z + q der aktiven Zeilen',
    matrixMarket: 'W als Matrix Market exportieren …',
    positive: 'positiv',
    negative: 'negativ',
    nonZero: '{part} % ungleich null',
    symmetric: 'symmetrisch',
    notSymmetric: 'nicht symmetrisch',
    condition: 'κ {value}',
    leastEigenvalue: 'kleinster Eigenwert {value}',
    pinTime: 'Bei dieser Zeit bleiben',
    unpinTime: 'Wieder dem Cursor folgen',
    noActiveRows:
      'Im Schritt ab t = {time} ist die {number} Zeile des Modells inaktiv. | Im Schritt ab t = {time} sind alle {number} Zeilen des Modells inaktiv.',
    noProblem: {
      noRows: 'Noch ist nichts aufgezeichnet.',
      notRecorded: 'Der Zustand zu dieser Zeit ist unbekannt: {names} sind nicht aufgezeichnet.',
      noInitialState: 'Der Zustand von {names} kann nicht als Anfangszustand dienen.',
      noTimeStepping: 'Dieses Modell lässt das Zeitschrittverfahren nicht zu: {names}',
      failed: 'Der Schritt zu dieser Zeit ließ sich nicht wiederholen.',
    },
  },
  phasePortrait: {
    title: 'Phasenporträt',
    label: `Phasenporträt: {y} über {x}. ${keys}`,
  },
  returnMap: {
    title: 'Wiederkehrabbildung',
    label:
      'Jeder Wert von {signal} am Schnitt {section} über dem vorherigen, mit der Diagonalen. Plus und Minus zoomen, 0 zeigt alles.',
    signal: 'Signal',
    signalIs: 'Signal: {name}',
    cobweb: 'Spinnwebdiagramm der letzten Rückkehren',
    eachPoint: 'Jeder Punkt ist ein Wert am Schnitt über dem vorherigen.',
    tooFew: 'Der Lauf hat weniger als zwei Punkte des Schnitts „{section}“.',
    onlyLatest: 'Nur die letzten {number} Punkte sind gezeichnet.',
  },
  section: {
    label: `Poincaré-Schnitt {section}: {y} über {x}. ${keys}`,
    startOnClick:
      'Ein Klick startet dort eine Trajektorie. Wenn ausgeschaltet, setzt ein Klick den Cursor auf den nächsten Punkt',
    startOnClickShort: 'Bei Klick starten',
    startAt: 'Trajektorie bei gegebenen Werten starten …',
    distance: 'Hausdorff-Abstand von den verglichenen Läufen',
    distanceIs: 'Hausdorff-Abstand von {run}: {distance} der Ausdehnung ({there} hin, {back} zurück).',
  },
  spectrum: {
    title: 'Spektrum',
    label: `Spektrum von {signals}. ${keys}`,
    spectrumWindow: 'Fenster',
    spectrumWindows: {
      rectangular: 'Rechteck',
      hann: 'Hann',
      blackman: 'Blackman',
      flatTop: 'Flat-Top',
    },
    spectrumQuantity: 'Größe',
    spectrumQuantities: { amplitude: 'Amplitude', density: 'Leistungsdichte' },
    logarithmic: 'Logarithmische Achse',
    visibleSpan: 'Sichtbare Spanne des Zeitverlaufs verwenden',
    wholeSpan: 'Ganzen Lauf verwenden',
    frequency: 'f',
    resolution: '{samples} Abtastwerte · Δf {resolution} Hz',
    resolutionHelp: 'Abstand der Spektrallinien: je länger die Zeitspanne, desto feiner.',
    resampledHelp:
      'Die Zeilen sind nicht gleichabständig und wurden daher interpoliert. Der Wert ist der Abstand der Spektrallinien.',
    averagedHelp: 'Jeder Abtastwert ist der Mittelwert von {mean} Zeilen.',
    tooShort: 'Zu wenige Abtastwerte für ein Spektrum, oder Werte, die nicht endlich sind.',
    selectionSpectrum: 'Ausgewählte Spanne verwenden',
  },
  table: {
    title: 'Tabelle',
    tableHelp: 'Werte in Anzeigeeinheiten. Alle Stellen aller Zeilen liefert der Datenexport.',
    row: 'Zeile',
    rows: '{number} Zeile | {number} Zeilen',
    firstRow: 'Erste Zeile',
    lastRow: 'Letzte Zeile',
    trajectory: 'Trajektorie',
    copyRows: 'Sichtbare Zeilen kopieren',
    copiedRows: '{number} Zeile wurde kopiert. | {number} Zeilen wurden kopiert.',
  },
  timeSeries: {
    title: 'Zeitverlauf',
    label: `Zeitverlauf von {signals}. ${keys}`,
    changes: 'Während des Laufs geänderte Parameter',
  },
};
