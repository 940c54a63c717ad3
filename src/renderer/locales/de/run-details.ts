/** German texts of what is known of a run. */
import type { enRunDetails } from '../en-run-details';
import type { Translated } from '../translated';

export const deRunDetails: Translated<typeof enRunDetails> = {
  runDetails: {
    command: 'Einzelheiten des Laufs …',
    title: 'Einzelheiten von {run}',
    model: 'Modell',
    group: 'Gruppe',
    state: 'Zustand',
    scheme: 'Verfahren',
    step: 'Zeitschritt',
    span: 'Simulierte Zeit',
    spanOf: 'von {t0} s bis {reached} s von {tEnd} s',
    started: 'Gestartet',
    took: 'Rechenzeit',
    steps: 'Schritte',
    events: 'Ereignisse',
    rows: 'Aufgezeichnete Zeilen',
    bytes: 'Auf dem Datenträger',
    certificate: 'Schlechtestes Residuum',
    version: 'Rechenkern',
    parameters: 'Parameter',
    changes: 'Änderungen während des Laufs',
    noChanges: 'Während des Laufs wurde kein Parameter geändert.',
  },
};
