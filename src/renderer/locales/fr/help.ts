/** French texts of the help pane. */
import type { enHelp } from '../en-help';
import type { Translated } from '../translated';

export const frHelp: Translated<typeof enHelp> = {
  help: {
    title: 'Aide',
    open: 'Aide',
    onThis: 'Aide sur la sélection',
    tutorial: 'Première session',
    back: 'Précédent',
    forward: 'Suivant',
    home: 'Sommaire',
    search: 'Rechercher dans l’aide',
    found: 'Pages trouvées : {count}',
    none: 'Rien trouvé. Essayez moins de mots, ou d’autres.',
    waiting: 'En attente des pages, que le moteur fournit.',
    missing: 'Il n’y a pas de page {path}.',
    contents: 'Toutes les pages',
    notNow: '« {command} » n’est pas possible maintenant. {reason}',
    sections: {
      tutorials: 'Tutoriels',
      'how-to': 'Guides pratiques',
      reference: 'Référence',
      theory: 'Théorie',
    },
  },
};
