/** French texts of groups and notes of the graph. */
import type { enGraphFrames } from '../en-graph-frames';
import type { Translated } from '../translated';

export const frGraphFrames: Translated<typeof enGraphFrames> = {
  graphFrames: {
    newGroup: 'Groupe',
    groupLabel: 'groupe {name}, {number} membre | groupe {name}, {number} membres',
    collapsedLabel: '{group}, replié',
    members: '{number} nœud | {number} nœuds',
    noteLabel: 'note : {text}',
    noteName: 'note « {text} »',
    emptyNote: 'vide',
    notePlaceholder: 'Écrivez une note. Markdown et $formules$ sont reconnus.',
    noteInput: 'Texte de la note',
    nameInput: 'Nom du groupe',
    bar: 'Groupe ou note',
    menu: 'Actions sur le graphe',
    colours: 'Couleur',
    resize: 'Glissez pour changer la taille. Clavier : Alt avec Maj et les flèches.',
    colour: {
      grey: 'Gris',
      blue: 'Bleu',
      green: 'Vert',
      yellow: 'Jaune',
      red: 'Rouge',
      purple: 'Violet',
    },
    edit: {
      group: 'Grouper',
      join: 'Ajouter à {name}',
      ungroup: 'Dégrouper',
      leave: 'Retirer du groupe',
      collapse: 'Replier {name}',
      expand: 'Déplier {name}',
      colour: 'Changer la couleur',
      note: 'Ajouter une note',
      write: 'Écrire une note',
      resize: 'Changer la taille de la note',
    },
    command: {
      group: 'Grouper la sélection',
      ungroup: 'Dégrouper',
      leave: 'Retirer du groupe',
      collapse: 'Replier le groupe',
      expand: 'Déplier le groupe',
      rename: 'Renommer le groupe ou écrire la note',
      note: 'Ajouter une note',
      colour: 'Couleur du groupe ou de la note : {colour}',
    },
  },
};
