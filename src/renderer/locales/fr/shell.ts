/** French texts of notifications, status bar and layout. */
import type { enShell } from '../en-shell';
import type { Translated } from '../translated';

export const frShell: Translated<typeof enShell> = {
  notices: {
    label: 'Notifications',
    unread: '{number} notification non lue | {number} notifications non lues',
    none: 'Aucune notification dans cette session.',
    copy: 'Tout copier',
    copied: 'Les notifications ont été copiées.',
    notCopied: 'Impossible d’écrire dans le presse-papiers.',
    clear: 'Tout effacer',
    forget: 'Retirer de la liste',
    repeated: 'Répétée {count} fois',
    level: { info: 'Note :', warning: 'Avertissement :', error: 'Erreur :' },
  },
  docks: {
    label: 'Disposition',
    panes: {
      side: 'Paramètres et simulations',
      model: 'Modèle',
      lower: 'Détails',
      plots: 'Tracés',
    },
    parts: {
      label: 'Parties de la fenêtre',
      show: 'Afficher {part} ; les autres laissent la place',
      parameters: 'Paramètres',
      runs: 'Simulations',
      model: 'Modèle',
      lower: 'Détails',
      plots: 'Tracés',
    },
    show: 'Afficher ou masquer : {pane}',
    presets: 'Dispositions',
    preset: {
      modelling: 'Disposition : modélisation',
      running: 'Disposition : simulation',
      scripting: 'Disposition : scripts',
      presenting: 'Disposition : présentation',
    },
    presetShort: {
      modelling: 'Modélisation',
      running: 'Simulation',
      scripting: 'Scripts',
      presenting: 'Présentation',
    },
    reset: 'Rétablir la disposition',
    maximise: 'Agrandir le volet',
    restore: 'Restaurer les volets',
    lastPane: 'Au moins un volet reste ouvert.',
    moveSide: 'Placer paramètres et simulations de l’autre côté',
    moveLower: 'Déplacer les détails : sous le modèle, sous l’ensemble, à droite',
    onlyOne: '{pane} occupe toute la fenêtre.',
  },
};
