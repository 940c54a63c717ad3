/** German texts of saved runs, which last from one session to the next, and of the disk space they use. */
import type { enKeptRuns } from '../en-kept-runs';
import type { Translated } from '../translated';

export const deKeptRuns: Translated<typeof enKeptRuns> = {
  keptRuns: {
    damaged: 'Ein gespeicherter Lauf konnte nicht gelesen werden: {reason}',
    setAside: 'Er wurde beiseitegelegt: {place}',
    deleted: '{run} wurde gelöscht.',
    undoDelete: 'Rückgängig',
    size: '{size} auf dem Datenträger',
    command: 'Gespeicherte Läufe …',
    title: 'Gespeicherte Läufe',
    help: 'Läufe aller Modelle auf diesem Rechner und der Speicherplatz, den sie belegen.',
    total: 'Gesamt',
    limit: 'Grenze',
    noLimit: 'Keine',
    free: 'Frei auf dem Datenträger',
    unknown: 'Nicht bekannt',
    folder: 'Ordner',
    model: 'Modell',
    run: 'Lauf',
    started: 'Gestartet',
    bytes: 'Größe',
    why: 'Behalten, weil',
    pinned: 'angeheftet',
    inUse: 'Modell geöffnet',
    isDeleted: 'gelöscht, kann rückgängig gemacht werden',
    none: 'Es sind keine Läufe gespeichert.',
    show: 'Gespeicherte Läufe …',
    setting: 'Grenze ändern …',
    clear: 'Alte Läufe löschen …',
    clearTitle: 'Alte Läufe löschen?',
    clearMessage:
      '{number} Lauf, der weder angeheftet ist noch zu einem geöffneten Modell gehört, wird endgültig gelöscht; das gibt {size} frei. | {number} Läufe, die weder angeheftet sind noch zu einem geöffneten Modell gehören, werden endgültig gelöscht; das gibt {size} frei.',
    clearNothing:
      'Es gibt nichts zu löschen: Alle gespeicherten Läufe sind angeheftet oder gehören zu geöffneten Modellen.',
    clearDo: 'Löschen',
    cleared:
      '{number} Lauf gelöscht; {size} sind jetzt frei. | {number} Läufe gelöscht; {size} sind jetzt frei.',
    removed:
      '{number} Lauf wurde entfernt, um {limit} einzuhalten: {runs} | {number} Läufe wurden entfernt, um {limit} einzuhalten: {runs}',
    over: 'Gespeicherte Läufe überschreiten die Grenze von {limit} um {over}. Alle sind angeheftet oder gehören zu geöffneten Modellen.',
    removedRemedy: 'Läufe, die erhalten bleiben sollen, anheften, andere löschen oder die Grenze erhöhen.',
    spaceTitle: 'Nicht genug Platz auf dem Datenträger',
    spaceMessage:
      'Der Lauf würde etwa {size} aufzeichnen; auf dem Datenträger von {folder} sind {free} frei.',
    spaceThin: 'Einen von {every} Schritten aufzeichnen',
    spaceRun: 'Trotzdem starten',
  },
};
