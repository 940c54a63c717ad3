/** German texts of the comparison of schemes. */
import type { enComparison } from '../en-comparison';
import type { Translated } from '../translated';

export const deComparison: Translated<typeof enComparison> = {
  comparison: {
    title: 'Vergleich der Verfahren',
    what: 'Rechnet das Modell ereignisgesteuert und mit dem Zeitschrittverfahren bei fortgesetzt halbierten Schritten. Die Abweichungen zeigen den Fehler jeder Schrittweite und die Konvergenzordnung.',
    levelsLabel: 'Schrittweiten',
    levels: '{count} Schrittweiten',
    start: 'Vergleichen',
    cancel: 'Abbrechen',
    runs: 'Verglichene Läufe',
    state: 'Zustand',
    work: 'Aufwand',
    wall: 'Rechenzeit',
    verdict: 'Urteil',
    verdictHelp:
      'Ob die Gleichungen erfüllt sind, mit dem größten Residuum, und ob kein Ereignis verpasst wurde',
    stepCount: '{count} Schritte',
    eventCount: '{count} Ereignisse',
    waiting: 'Wartet',
    deleted: 'Gelöscht',
    discard: 'Läufe dieses Vergleichs löschen',
    overlay: '{run} hinter dem ereignisgesteuerten Lauf anzeigen',
    stale: 'Modell seither geändert',
    comparing: 'Wird verglichen …',
    wholeTime: 'Verglichen von {from} bis {to}, die ganze aufgezeichnete Zeit.',
    separated:
      'Verglichen bis t = {to}: Danach laufen die Läufe auseinander und weichen bei jeder Schrittweite um mehr als 1 % ab. Aufgezeichnet sind sie bis {recorded}.',
    endedBy: 'Verglichen bis t = {to}, wo die Aufzeichnung von {run} endet.',
    leftOut: 'Ausgelassen: der Lauf mit h = {h} s. {why}',
    uncertified:
      'Ein Lauf, der nicht gelöst oder nicht vollständig ist, taugt nicht als Referenz: Seine Fehler sind als Kreuze gezeichnet.',
    lookedUntil: 'Nur Stöße bis t = {time} werden verglichen: die erste Million.',
    differences: 'Abweichungen vom ereignisgesteuerten Lauf',
    measureLabel: 'Maß der Abweichung',
    measure: {
      mean: 'Mittlere Abweichung',
      awayMaximum: 'Größte abseits von Stößen',
      maximum: 'Größte Abweichung',
      impacts: 'Stoßzeiten',
    },
    measureHelp: {
      mean: 'Zeitlicher Mittelwert der Abweichung: Stöße, die etwas zu spät kommen, fallen kaum ins Gewicht',
      awayMaximum: 'Größte Abweichung, wo keiner der Läufe kurz vor oder kurz nach einem Stoß ist',
      maximum:
        'Größte Abweichung überhaupt: Neben einem Stoß ist sie bei jeder Schrittweite so groß wie der Sprung',
      impacts: 'Größte Abweichung zwischen den Zeiten einander zugeordneter Stöße',
    },
    relativeError: 'Abweichung / größter Wert',
    timeError: 'Abweichung der Zeiten  [s]',
    slope: 'p = {p}',
    noSlope: 'keine Steigung',
    guide: 'Steigung {p}',
    firstCurves: 'Das Diagramm zeigt die ersten {shown} von {all}.',
    quantity: 'Größe',
    orders: 'Ordnung p',
    ordersHelp:
      'Beobachtet zwischen aufeinanderfolgenden Schrittweiten, die gröbste zuerst: Die Abweichung nimmt ab wie h hoch p',
    agrees: 'Stimmt überein bis',
    agreesHelp:
      'Zeit, bis zu der der Lauf mit dem kürzesten Schritt innerhalb von 1 % des ereignisgesteuerten bleibt. Läufe einer chaotischen Bewegung stimmen nur eine Zeit lang überein.',
    throughout: 'zum Ende',
    impactTimes: 'Stoßzeiten',
    impactTimesHelp:
      'Das Zeitschrittverfahren kann Stöße im Abstand von weniger als vier Schritten nicht trennen; sie sind ausgelassen.',
    farthestContacts: 'Die {shown} von {all} Kontakten, deren Stöße am meisten abweichen.',
    contact: 'Kontakt',
    matched: 'Zugeordnet',
    matchedHelp: 'Einzelne Stöße des ereignisgesteuerten Laufs, die eine Entsprechung haben',
    extra: 'Zusätzlich',
    extraHelp: 'Stöße des Zeitschrittlaufs ohne Entsprechung',
    meanDifference: 'Mittlere Abweichung',
    largestDifference: 'Größte',
    largestAt: 'Bei t = {time} s',
  },
};
