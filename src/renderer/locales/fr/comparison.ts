/** French texts of the comparison of schemes. */
import type { enComparison } from '../en-comparison';
import type { Translated } from '../translated';

export const frComparison: Translated<typeof enComparison> = {
  comparison: {
    title: 'Comparaison des schémas',
    what: 'Simule le modèle par événements, puis par pas de temps, avec des pas successivement divisés par deux. Les différences montrent l’erreur de chaque pas et l’ordre de convergence.',
    levelsLabel: 'Longueurs de pas',
    levels: '{count} longueurs de pas',
    start: 'Comparer',
    cancel: 'Annuler',
    runs: 'Simulations comparées',
    state: 'État',
    work: 'Travail',
    wall: 'Temps écoulé',
    verdict: 'Verdict',
    verdictHelp:
      'Si les équations sont satisfaites, avec le plus grand résidu, et si aucun événement n’a été manqué',
    stepCount: '{count} pas',
    eventCount: '{count} événements',
    waiting: 'En attente',
    deleted: 'Supprimée',
    discard: 'Supprimer les simulations de cette comparaison',
    overlay: 'Afficher {run} derrière la simulation par événements',
    stale: 'Modèle modifié depuis',
    comparing: 'Comparaison…',
    wholeTime: 'Comparées de {from} à {to}, tout le temps enregistré.',
    separated:
      'Comparées jusqu’à t = {to} : ensuite les simulations divergent et diffèrent de plus de 1 % à toute longueur de pas. Elles sont enregistrées jusqu’à {recorded}.',
    endedBy: 'Comparées jusqu’à t = {to}, où s’arrête l’enregistrement de {run}.',
    leftOut: 'Omise : la simulation à h = {h} s. {why}',
    uncertified:
      'Une simulation non résolue ou incomplète ne peut pas servir de référence : ses erreurs sont tracées en croix.',
    lookedUntil: 'Seuls les chocs jusqu’à t = {time} sont comparés : le premier million.',
    differences: 'Différences avec la simulation par événements',
    measureLabel: 'Mesure de la différence',
    measure: {
      mean: 'Différence moyenne',
      awayMaximum: 'Maximale loin des chocs',
      maximum: 'Différence maximale',
      impacts: 'Instants des chocs',
    },
    measureHelp: {
      mean: 'Moyenne de la différence dans le temps : les chocs un peu tardifs comptent peu',
      awayMaximum:
        'Plus grande différence là où aucune des deux simulations n’est juste avant ou juste après un choc',
      maximum:
        'Plus grande différence de toutes : près d’un choc, elle vaut le saut, à toute longueur de pas',
      impacts: 'Plus grande différence entre les instants de chocs appariés',
    },
    relativeError: 'différence / plus grande valeur',
    timeError: 'différence des instants  [s]',
    slope: 'p = {p}',
    noSlope: 'pas de pente',
    guide: 'pente {p}',
    firstCurves: 'Le tracé montre les {shown} premières sur {all}.',
    quantity: 'Grandeur',
    orders: 'Ordre p',
    ordersHelp:
      'Observé entre longueurs de pas successives, la plus grossière d’abord : la différence décroît comme h puissance p',
    agrees: 'Concorde jusqu’à',
    agreesHelp:
      'Instant jusqu’auquel la simulation au pas le plus court reste à 1 % près de celle par événements. Des simulations d’un mouvement chaotique ne concordent qu’un temps.',
    throughout: 'la fin',
    impactTimes: 'Instants des chocs',
    impactTimesHelp:
      'Un schéma par pas de temps ne sépare pas des chocs distants de moins de quatre pas ; ils sont omis.',
    farthestContacts: 'Les {shown} contacts sur {all} dont les chocs diffèrent le plus.',
    contact: 'Contact',
    matched: 'Appariés',
    matchedHelp: 'Chocs isolés de la simulation par événements qui ont un correspondant',
    extra: 'En trop',
    extraHelp: 'Chocs de la simulation par pas de temps sans correspondant',
    meanDifference: 'Différence moyenne',
    largestDifference: 'Maximale',
    largestAt: 'À t = {time} s',
  },
};
