/** French texts of the tour of the window. */
import type { enTour } from '../en-tour';
import type { Translated } from '../translated';

export const frTour: Translated<typeof enTour> = {
  tour: {
    command: 'Visite en cinq minutes',
    label: 'Visite de la fenêtre',
    place: '{step} sur {count}',
    back: 'Précédent',
    next: 'Suivant',
    skip: 'Quitter la visite',
    done: 'Terminé',
    step: {
      model: {
        title: 'Un modèle : systèmes et interactions',
        text: 'Voici une bille au-dessus d’un sol. Les boîtes sont ce qui se meut, les formes rondes ce qui agit entre elles : cliquez sur l’une d’elles, et ses équations et ses valeurs s’affichent dessous. « Ajouter » en crée d’autres ici ; glissez de port à port pour les lier.',
      },
      parameters: {
        title: 'Les nombres ont un nom',
        text: 'Tapez une valeur ou glissez une réglette. L’interrupteur activé, le modèle est relancé pendant que vous glissez. Tout champ du modèle accepte une expression de ces noms.',
      },
      run: {
        title: 'Lancez-le',
        text: 'La flèche à côté du bouton offre davantage : départ en pause, autres réglages, ralenti. Le carré met fin aussitôt à une simulation, quoi que fasse un script.',
      },
      plots: {
        title: 'Regardez',
        text: 'La molette zoome, glisser déplace, un double clic montre tout à nouveau, un clic y place le curseur de tous les tracés. « Ajouter un tracé » offre portraits de phase, sections de Poincaré, spectres, énergie, animations et plus encore.',
      },
      certificate: {
        title: 'Sachez que c’est juste',
        text: 'Chaque simulation est vérifiée par un code qui ne sait rien du solveur : ses équations sont-elles satisfaites, un événement a-t-il été manqué, quelle est la précision de chaque signal. Cliquez dessus pour voir les chiffres.',
      },
      script: {
        title: 'Écrivez ce qui ne se dessine pas',
        text: 'Forces, lois, commandes et modèles entiers en TypeScript, avec complétion et dérivées automatiques. « Texte » est le même modèle en JSON. Les trois sont des vues d’un seul modèle, et Annuler fonctionne dans chacune.',
      },
      analyses: {
        title: 'Mesurez sa dynamique',
        text: 'Diagrammes de bifurcation, bassins d’attraction, orbites périodiques, multiplicateurs de Floquet et exposants de Lyapunov à travers les chocs se calculent ici pendant que vous travaillez.',
      },
      everything: {
        title: 'Tout le reste',
        text: 'Chaque commande a un nom et se trouve ici ; la plupart ont un raccourci. « Exporter la figure » et « Exporter les données » emportent les résultats. L’aide contient tutoriels, guides pratiques et théorie, même hors ligne.',
      },
    },
  },
};
