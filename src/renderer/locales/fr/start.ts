/** French texts of the start page and of recent files. */
import type { enStart } from '../en-start';
import type { Translated } from '../translated';

export const frStart: Translated<typeof enStart> = {
  start: {
    command: 'Page d’accueil',
    title: 'Modéliser la dynamique non régulière',
    lead: 'Chocs, frottement, diodes et interrupteurs idéaux. Dessinez un modèle ou écrivez-le en script, lancez-le et vérifiez chaque nombre.',
    begin: 'Commencer',
    templates: 'Nouveau à partir d’un gabarit',
    template: {
      mechanism: 'Mécanisme sur un axe',
      circuit: 'Circuit',
      converter: 'Convertisseur et sa commande',
      impact: 'Choc, par ses équations',
      bodies: 'Corps dans l’espace',
      script: 'Nombreuses pièces, par un script',
    },
    recent: 'Fichiers récents',
    openRecent: 'Ouvrir un fichier récent',
    noRecent: 'Les fichiers que vous ouvrez ou enregistrez apparaissent ici.',
    clearRecent: 'Effacer la liste',
    unsaved: 'Modèles non enregistrés',
    unsavedFound: '{number} modèle est resté non enregistré. | {number} modèles sont restés non enregistrés.',
    look: 'Les examiner…',
    examples: 'Exemples',
    allExamples: 'Tous les exemples…',
    tutorials: 'Tutoriels',
    onStart: 'Au démarrage',
    back: 'Retour au modèle',
  },
};
