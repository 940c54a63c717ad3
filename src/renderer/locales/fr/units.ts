/** French texts of the units that values are shown in. */
import type { enUnits } from '../en-units';
import type { Translated } from '../translated';

export const frUnits: Translated<typeof enUnits> = {
  units: {
    command: 'Unités d’affichage…',
    title: 'Unités d’affichage',
    help: 'Les valeurs sont affichées dans ces unités. Le modèle, ses simulations et les fichiers de données gardent celles du modèle.',
    edit: 'Afficher {unit} en {shown}',
    editNoParameter: 'Afficher {name} comme les autres valeurs de son unité',
    menuOf: 'Unité de {name}, affichée en {unit}',
    show: 'Afficher {unit} en',
    ofModel: 'comme dans le modèle',
    onlyParameter: 'Seulement {name}',
    other: 'Autre unité…',
    writtenIn: 'écrit en {unit}',
    expressionsIn: 'Les expressions sont écrites en {unit}.',
    unit: 'Unité du modèle',
    uses: 'De',
    andMore: '{names} et {count} de plus',
    time: 'temps',
    shownAs: 'Affichée en',
    shownOf: 'Unité dans laquelle {unit} est affichée',
    reset: 'Afficher {unit} comme dans le modèle',
    resetParameter: 'Afficher {name} comme les autres valeurs de son unité',
    parameters: 'Paramètres particuliers',
    noParameter: 'aucun paramètre de ce nom',
    choose: 'Pour afficher un seul paramètre dans une autre unité, cliquez sur son unité.',
    trouble: '{message} {remedy}',
  },
};
