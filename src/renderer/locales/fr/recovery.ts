/** French texts of the recovery of unsaved documents. */
import type { enRecovery } from '../en-recovery';
import type { Translated } from '../translated';

export const frRecovery: Translated<typeof enRecovery> = {
  recovery: {
    title: 'Modèles non enregistrés d’une session antérieure',
    what: 'La fenêtre ou le programme s’est fermé avant que ces modifications soient enregistrées. Les modèles récupérés s’ouvrent chacun dans son onglet ; rien n’est écrit dans leurs fichiers avant que vous enregistriez.',
    noFile: 'Jamais enregistré dans un fichier',
    last: 'Dernière modification {time} · {edits}',
    edits: '{number} modification | {number} modifications',
    later: 'Plus tard',
    recover: 'Récupérer {number} modèle | Récupérer {number} modèles',
    discardTitle:
      'Abandonner les modifications de {number} modèle ? | Abandonner les modifications de {number} modèles ?',
    discardMessage: 'Cela ne peut pas être annulé. Les fichiers sur le disque ne sont pas modifiés.',
    none: 'Il n’y a rien à récupérer.',
    command: 'Récupérer des modèles non enregistrés…',
  },
};
