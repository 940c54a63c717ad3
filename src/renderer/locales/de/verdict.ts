/** German texts of the verdicts on a run. */
import type { enVerdict } from '../en-verdict';
import type { Translated } from '../translated';

export const deVerdict: Translated<typeof enVerdict> = {
  verdict: {
    title: 'Güte des Laufs',
    label: 'Urteil: {words}',
    holds: 'erfüllt',
    fails: 'nicht erfüllt',
    unknown: 'nicht bekannt',
    solved: 'gelöst {residual}',
    solvedHelp: 'Die Gleichungen des Verfahrens sind in jedem Schritt bis auf Rundung erfüllt.',
    notSolved: 'nicht gelöst, {residual}',
    notSolvedHelp:
      'Die Gleichungen sind nicht innerhalb der Toleranz erfüllt, die Ergebnisse sind also nicht die des Modells. Einen kürzeren Schritt, den automatischen Löser oder das andere Verfahren verwenden.',
    complete: 'vollständig',
    completeHelp: 'Jedes Ereignis wurde geortet, keines verpasst.',
    completeSteps:
      'Keine Zeitfunktion schaltet innerhalb eines Schritts zweimal. Andere Ereignisse gelten am Ende des Schritts, in dem sie eintreten.',
    completeUnknown: 'Ereignisse nicht bekannt',
    missed: 'Ereignisse verpasst',
    missedHelp:
      'Ein Ereignis wurde verpasst. Die Sprungzeiten in den Einstellungen eintragen oder eine feinere Auflösung wählen.',
    passedHelp:
      'Eine Zeitfunktion schaltet innerhalb eines Schritts zweimal, der Schritt kann dies also verpassen; eine Warnung des Laufs sagt, wo. Kürzere Schritte verwenden oder ereignisgesteuert rechnen.',
    sampled: 'alle {resolution} s abgetastet',
    sampledHelp:
      'Ein Skript hat Bedingungen, die sich nicht aus seinem Quelltext ableiten lassen. Sie wurden alle {resolution} s abgetastet; kürzere Ereignisse können verpasst werden.',
    accurate: 'genau auf {error}',
    accurateHelp:
      'Durch zwei feinere Läufe gemessen: Der größte Fehler ist {error}, in {name}; zulässig ist {limit}.',
    exact: 'genau bis zur letzten Stelle',
    exactHelp:
      'Durch zwei feinere Läufe gemessen: Sie haben zu denselben Zeiten dieselben Werte, bis zur letzten Stelle.',
    inaccurate: 'Fehler {error}',
    inaccurateHelp:
      'Durch zwei feinere Läufe gemessen: Der Fehler von {name} ist {error}, über der Grenze {limit}, die das Modell zulässt (Simulation, Genauigkeit).',
    noOrderHelp:
      'Durch zwei feinere Läufe gemessen, die sich einander nicht nähern: Der Fehler von {name} ist {error}, über der Grenze {limit}, die das Modell zulässt. Die Reihenfolge der Stöße oder eine andere Entscheidung hängt vom Schritt ab. Das ereignisgesteuerte Verfahren findet sie womöglich, oder weit kürzere Schritte.',
    gains: 'gewinnt {share} Energie',
    gainsHelp:
      'Die Schritte selbst haben {share} der größten Energie des Laufs hinzugefügt, aufgezeichnet als energy.numerical; ein genauer Lauf darf {limit} gewinnen. Zurückfedernde Körper werden von jeder Projektion angehoben: Lagen gemeinsam, nur an Gelenken oder gar nicht projizieren, oder kürzere Schritte verwenden.',
    order: ', Ordnung {order}',
    parts: 'keine Stellen nach {time} s',
    partsHelp:
      'Nach t = {time} s läuft die Bewegung von der feinerer Läufe weg, und jeder noch so kleine Fehler wächst über das Zulässige hinaus, wie bei chaotischen Bewegungen. Statistischen Größen trauen, nicht einzelnen Werten.',
    notMeasured: 'Genauigkeit nicht gemessen',
    notMeasuredHelp: 'Zwei feinere Läufe messen den Fehler dieses Laufs.',
    measuring: 'Genauigkeit wird gemessen …',
    measuringHelp: 'Zwei feinere Läufe werden gerechnet, um den Fehler dieses Laufs zu messen.',
    noSignal: 'nichts zu vergleichen',
    noSignalHelp:
      'Kein Signal des Zustands ließ sich mit feineren Läufen vergleichen: Stöße liegen nur wenige Schritte auseinander, oder es gibt keinen Zustand. Einen kürzeren Schritt verwenden.',
    measure: 'Genauigkeit messen',
    halveStep: 'Schritt halbieren und starten',
    halveStepEdit: 'Schritt halbieren',
    tighten: 'Toleranzen verringern und starten',
    tightenEdit: 'Toleranzen verringern',
    errors: 'Fehler der Signale',
    errorsUntil: 'Fehler der Signale bis t = {time}',
    signal: 'Signal',
    error: 'Fehler',
    limit: 'Zulässig',
    impacts: 'Stoßzeiten',
    impactError: '{element}: {error}',
    more: '… und {count} weitere',
  },
};
