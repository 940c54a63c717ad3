/** French texts of the equations of a drawing. */
import type { enEquations } from '../en-equations';
import type { Translated } from '../translated';

export const frEquations: Translated<typeof enEquations> = {
  equations: {
    title: 'Équations',
    none: 'Rien n’est dessiné. Les composants deviennent ici des équations.',
    broken: 'Le schéma a des erreurs : voir Problèmes. Ses équations apparaîtront ici une fois corrigé.',
    copy: 'Copier en LaTeX',
    copied: 'Les équations sont dans le presse-papiers, en LaTeX.',
    row: 'Ligne',
    law: 'Loi',
    while: 'Tant que',
    always: 'toujours',
    plain: 'Convertir en éléments simples',
    edit: { plain: 'Convertir le schéma en éléments simples' },
    more: 'et {number} termes de plus',
  },
};
