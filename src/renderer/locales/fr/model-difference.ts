/** French texts of the differences between the models of two runs. */
import type { enModelDifference } from '../en-model-difference';
import type { Translated } from '../translated';

export const frModelDifference: Translated<typeof enModelDifference> = {
  modelDifference: {
    command: 'Différences entre modèles de simulations…',
    title: 'Différences entre modèles',
    help: 'Tout ce dont dépend le mouvement, tel qu’au début de chaque simulation : valeurs, champs, réglages et scripts.',
    ofRun: 'Différences avec une autre simulation…',
    present: 'Modèle actuel',
    a: 'Modèle A',
    b: 'Modèle B',
    none: 'Les deux modèles sont identiques.',
    count: '{number} différence | {number} différences',
    more: 'Les {shown} premières sur {all} sont listées.',
    what: 'Partie',
    element: 'Élément',
    field: 'Champ',
    absent: 'absent',
    line: 'ligne {line}, la première qui diffère',
    onTheWay: '{name} depuis t = {time} s',
    group: {
      parameters: 'Paramètre',
      systems: 'Système',
      interactions: 'Interaction',
      simulation: 'Simulation',
      observables: 'Observable',
      scripts: 'Script',
      changes: 'Modifié pendant la simulation',
    },
  },
};
