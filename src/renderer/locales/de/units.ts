/** German texts of the units that values are shown in. */
import type { enUnits } from '../en-units';
import type { Translated } from '../translated';

export const deUnits: Translated<typeof enUnits> = {
  units: {
    command: 'Anzeigeeinheiten …',
    title: 'Anzeigeeinheiten',
    help: 'Werte werden in diesen Einheiten angezeigt. Das Modell, seine Läufe und Datendateien behalten die Einheiten des Modells.',
    edit: '{unit} in {shown} anzeigen',
    editNoParameter: '{name} wie andere Werte seiner Einheit anzeigen',
    menuOf: 'Einheit von {name}, angezeigt in {unit}',
    show: '{unit} anzeigen als',
    ofModel: 'wie im Modell',
    onlyParameter: 'Nur {name}',
    other: 'Andere Einheit …',
    writtenIn: 'geschrieben in {unit}',
    expressionsIn: 'Ausdrücke werden in {unit} geschrieben.',
    unit: 'Einheit des Modells',
    uses: 'Von',
    andMore: '{names} und {count} weitere',
    time: 'Zeit',
    shownAs: 'Angezeigt in',
    shownOf: 'Einheit, in der {unit} angezeigt wird',
    reset: '{unit} wie im Modell anzeigen',
    resetParameter: '{name} wie andere Werte seiner Einheit anzeigen',
    parameters: 'Einzelne Parameter',
    noParameter: 'kein solcher Parameter',
    choose: 'Um einen einzelnen Parameter in einer anderen Einheit anzuzeigen, auf seine Einheit klicken.',
    trouble: '{message} {remedy}',
  },
};
