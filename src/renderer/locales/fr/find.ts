/** French texts of finding and replacing in the model. */
import type { enFind } from '../en-find';
import type { Translated } from '../translated';

export const frFind: Translated<typeof enFind> = {
  find: {
    title: 'Rechercher',
    label: 'Rechercher dans le modèle',
    what: 'Quoi rechercher',
    mode: { text: 'Mots, où qu’ils soient', parameter: 'Emplois d’un paramètre' },
    query: 'Rechercher dans les noms, expressions, scripts et textes',
    matchCase: 'Respecter la casse',
    parameter: 'Paramètre',
    by: 'Remplacer par',
    byParameter: 'Remplacer par un nom, un paramètre ou une valeur',
    replace: 'Remplacer ({count})',
    replaceLabel: 'Remplacer {from} par {to}',
    found: '{number} occurrence | {number} occurrences',
    tooMany: 'Les {limit} premières occurrences',
    all: 'Toutes',
    none: 'Aucune',
    results: 'Occurrences trouvées',
    tick: 'Remplacer dans {place}',
    unsure: 'peut-être',
    change: {
      rename: 'Le paramètre sera renommé {to}, ici et aux endroits cochés.',
      parameter: 'Les endroits cochés emploieront le paramètre {to}. {from} lui-même reste.',
      value: 'Les endroits cochés contiendront {to}. {from} lui-même reste.',
      refused: '{to} est le nom d’un élément ou d’une observable. Choisissez-en un autre.',
    },
    refusedNames:
      '{names} a gardé son nom : le nouveau est pris ou n’est pas valable. | Ceux-ci ont gardé leur nom, car le nouveau est pris ou n’est pas valable : {names}.',
    uses: 'Emplois de {name}…',
    usesShort: 'Rechercher et remplacer',
  },
};
