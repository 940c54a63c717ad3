/** French texts of saved runs, which last from one session to the next, and of the disk space they use. */
import type { enKeptRuns } from '../en-kept-runs';
import type { Translated } from '../translated';

export const frKeptRuns: Translated<typeof enKeptRuns> = {
  keptRuns: {
    damaged: 'Une simulation enregistrée n’a pas pu être lue : {reason}',
    setAside: 'Elle a été mise de côté : {place}',
    deleted: '{run} a été supprimée.',
    undoDelete: 'Annuler',
    size: '{size} sur le disque',
    command: 'Simulations enregistrées…',
    title: 'Simulations enregistrées',
    help: 'Les simulations de tous les modèles sur cette machine, et l’espace disque qu’elles occupent.',
    total: 'Total',
    limit: 'Limite',
    noLimit: 'Aucune',
    free: 'Libre sur le disque',
    unknown: 'Inconnu',
    folder: 'Dossier',
    model: 'Modèle',
    run: 'Simulation',
    started: 'Début',
    bytes: 'Taille',
    why: 'Gardée car',
    pinned: 'épinglée',
    inUse: 'modèle ouvert',
    isDeleted: 'supprimée, annulation possible',
    none: 'Aucune simulation n’est enregistrée.',
    show: 'Simulations enregistrées…',
    setting: 'Modifier la limite…',
    clear: 'Supprimer les anciennes simulations…',
    clearTitle: 'Supprimer les anciennes simulations ?',
    clearMessage:
      '{number} simulation qui n’est ni épinglée ni celle d’un modèle ouvert sera supprimée définitivement, ce qui libère {size}. | {number} simulations qui ne sont ni épinglées ni celles d’un modèle ouvert seront supprimées définitivement, ce qui libère {size}.',
    clearNothing:
      'Rien à supprimer : toutes les simulations enregistrées sont épinglées ou appartiennent à un modèle ouvert.',
    clearDo: 'Supprimer',
    cleared:
      '{number} simulation supprimée ; {size} libres à présent. | {number} simulations supprimées ; {size} libres à présent.',
    removed:
      '{number} simulation a été supprimée pour rester sous {limit} : {runs} | {number} simulations ont été supprimées pour rester sous {limit} : {runs}',
    over: 'Les simulations enregistrées dépassent de {over} la limite de {limit}. Toutes sont épinglées ou appartiennent à un modèle ouvert.',
    removedRemedy: 'Épinglez les simulations à garder, supprimez-en d’autres ou relevez la limite.',
    spaceTitle: 'Espace disque insuffisant',
    spaceMessage: 'La simulation enregistrerait environ {size} ; le disque de {folder} a {free} libres.',
    spaceThin: 'Enregistrer un pas sur {every}',
    spaceRun: 'Lancer quand même',
  },
};
