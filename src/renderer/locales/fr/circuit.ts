/** French texts of drawn circuits. */
import type { enCircuit } from '../en-circuit';
import type { Translated } from '../translated';

export const frCircuit: Translated<typeof enCircuit> = {
  circuit: {
    components: '{number} composant | {number} composants',
    pin: '{end} : {label}. Glissez d’ici pour tracer un fil.',
    wire: 'Fil {name}. Double-cliquez pour le nommer.',
    wireName: 'Nom du fil',
    joinsNode: '« {name} » est un autre fil : les deux ne font plus qu’un nœud, dessiné en deux parties.',
    values: 'Valeurs de {name}',
    component: 'Composant',
    net: 'Fil',
    joins: 'Relie',
    noEnds: 'Aucune broche n’est reliée.',
    removeEnd: 'Détacher {end} du fil',
    noOthers: 'Il n’y en a pas dans le schéma.',
    wireFrom: 'Tracer un fil depuis {id}',
    wireHint: 'Rechercher une broche par nom, composant ou fil',
    noPins: 'Aucune broche de ce nom ne convient.',
    keys: {
      pin: '{end}, {label}',
      pinOnWire: '{end}, {label}, sur le fil {wire}',
      choose: 'Fil depuis {pin} ? Flèches : autre broche ; Entrée : commencer ici ; Échap : abandonner.',
      alone: 'Aucune broche ne convient à {from}. Échap : abandonner.',
      to: 'De {from} à {pin} ? Flèches : continuer ; frappe : liste des broches ; Entrée : tracer le fil ; Échap : abandonner.',
    },
    edit: {
      wire: 'Relier {from} à {to}',
      turn: 'Tourner {name}',
      mirror: 'Retourner {name}',
      cut: 'Couper {name}',
      lay: 'Placer {name}',
      unlay: 'Laisser {name} trouver son chemin',
      insert: 'Insérer {name} dans {wire}',
      node: 'Joindre {from} et {to} par leur nom',
    },
    command: {
      turn: 'Tourner les composants',
      mirror: 'Retourner les composants',
      wire: 'Tracer un fil d’ici',
      unlay: 'Laisser le fil trouver son chemin',
    },
  },
};
