/** French texts of what is known of a run. */
import type { enRunDetails } from '../en-run-details';
import type { Translated } from '../translated';

export const frRunDetails: Translated<typeof enRunDetails> = {
  runDetails: {
    command: 'Détails de la simulation…',
    title: 'Détails de {run}',
    model: 'Modèle',
    group: 'Groupe',
    state: 'État',
    scheme: 'Schéma',
    step: 'Pas de temps',
    span: 'Temps simulé',
    spanOf: 'de {t0} s à {reached} s sur {tEnd} s',
    started: 'Début',
    took: 'Temps de calcul',
    steps: 'Pas',
    events: 'Événements',
    rows: 'Lignes enregistrées',
    bytes: 'Sur le disque',
    certificate: 'Pire résidu',
    version: 'Moteur',
    parameters: 'Paramètres',
    changes: 'Changements pendant la simulation',
    noChanges: 'Aucun paramètre n’a été modifié pendant la simulation.',
  },
};
