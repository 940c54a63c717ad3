/** French texts of runs for several initial values side by side. */
import type { enInitialValues } from '../en-initial-values';
import type { Translated } from '../translated';

export const frInitialValues: Translated<typeof enInitialValues> = {
  initialValues: {
    command: 'Lancer pour plusieurs valeurs initiales…',
    title: 'Lancer pour plusieurs valeurs initiales',
    help: 'Le modèle reste tel quel. Au plus {most} simulations : chacune est tracée dans tous les tracés, et davantage de courbes ne se distinguent plus.',
    nothing:
      'Aucun système du modèle n’a ici de valeurs initiales numériques. Celles des systèmes d’un script constructeur sont dans le script : faites plutôt varier un paramètre.',
    component: 'Valeur initiale',
    table: 'Plusieurs, en tableau',
    values: 'Valeurs',
    listHelp: 'Une liste comme 0.2, 0.5, 0.8, ou de:à:nombre comme 0.2:0.8:4.',
    tableHelp:
      'La première ligne nomme des valeurs initiales, comme ball.q0[0] ball.v0[0] ; chaque ligne suivante est une simulation. On peut coller des lignes d’un tableur.',
    bad: 'Entrez au plus {most} nombres, comme 0.2, 0.5 ou 0.2:0.8:4.',
    problem: {
      empty: 'Nommez les valeurs initiales en première ligne, et donnez une ligne de nombres par simulation.',
      many: 'Il y a plus de {most} lignes de nombres. Lancez-les en plusieurs groupes.',
      unknown: 'Aucun système n’a de valeur initiale {name}. Les noms ont la forme ball.q0[0].',
      columns: 'La ligne {line} ne correspond pas à la première : il faut un nombre par nom.',
      number: 'La ligne {line} contient autre chose qu’un nombre.',
    },
    group: 'Nom du groupe',
    groupOf: 'Valeurs initiales de {what}',
    groupOfTable: 'Valeurs initiales d’un tableau',
    overlay: 'Les afficher toutes dans les tracés',
    notStarted:
      '{number} simulation de « {group} » n’a pas été lancée. | {number} simulations de « {group} » n’ont pas été lancées.',
  },
};
