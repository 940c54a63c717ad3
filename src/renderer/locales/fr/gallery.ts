/** French texts of the examples gallery. */
import type { enGallery } from '../en-gallery';
import type { Translated } from '../translated';

export const frGallery: Translated<typeof enGallery> = {
  gallery: {
    title: 'Exemples',
    description: 'Chaque exemple s’ouvre comme un nouveau modèle, que vous pouvez modifier et enregistrer.',
    open: 'Ouvrir',
    search: 'Rechercher un exemple',
    topics: 'Domaines',
    all: 'Tous',
    found: '{number} exemple | {number} exemples',
    explain: 'Expliquer',
    explainOne: 'Expliquer {title}',
    back: 'Tous les exemples',
    source: 'Sources',
    aboutModel: 'À propos de ce modèle',
    bare: 'Le modèle n’a pas encore de description. Ajoutez-en une dans son inspecteur.',
    group: {
      circuits: 'Circuits',
      mechanics: 'Mécanique avec chocs',
      space: 'Corps 3D',
      control: 'Modes glissants et commande',
      biology: 'Biologie',
      smooth: 'Systèmes réguliers',
      other: 'Autres',
    },
  },
};
