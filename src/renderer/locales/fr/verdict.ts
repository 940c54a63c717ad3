/** French texts of the verdicts on a run. */
import type { enVerdict } from '../en-verdict';
import type { Translated } from '../translated';

export const frVerdict: Translated<typeof enVerdict> = {
  verdict: {
    title: 'Qualité de la simulation',
    label: 'Verdict : {words}',
    holds: 'satisfait',
    fails: 'non satisfait',
    unknown: 'inconnu',
    solved: 'résolue {residual}',
    solvedHelp: 'Les équations du schéma sont satisfaites à chaque pas, aux arrondis près.',
    notSolved: 'non résolue, {residual}',
    notSolvedHelp:
      'Les équations ne sont pas satisfaites à la tolérance près : les résultats ne sont donc pas ceux du modèle. Prenez un pas plus court, le solveur automatique ou l’autre schéma.',
    complete: 'complète',
    completeHelp: 'Chaque événement a été localisé ; aucun n’a été manqué.',
    completeSteps:
      'Aucune fonction du temps ne commute deux fois dans un pas. Les autres événements sont pris au bout du pas où ils ont lieu.',
    completeUnknown: 'événements inconnus',
    missed: 'événements manqués',
    missedHelp:
      'Un événement a été manqué. Entrez les instants de saut dans les réglages, ou choisissez une résolution plus fine.',
    passedHelp:
      'Une fonction du temps commute deux fois dans un pas, qui peut donc le manquer ; un avertissement de la simulation dit où. Prenez des pas plus courts, ou lancez par événements.',
    sampled: 'échantillonnée à {resolution} s',
    sampledHelp:
      'Un script a des conditions qui ne se déduisent pas de son code source. Elles ont été échantillonnées toutes les {resolution} s ; des événements plus courts peuvent être manqués.',
    accurate: 'précise à {error}',
    accurateHelp:
      'Mesuré par deux simulations plus fines : la plus grande erreur est {error}, sur {name} ; {limit} est permis.',
    exact: 'précise au dernier chiffre',
    exactHelp:
      'Mesuré par deux simulations plus fines : elles ont les mêmes valeurs, au dernier chiffre près, aux mêmes instants.',
    inaccurate: 'erreur de {error}',
    inaccurateHelp:
      'Mesuré par deux simulations plus fines : l’erreur de {name} est {error}, au-dessus de {limit}, que le modèle permet (Simulation, Précision).',
    noOrderHelp:
      'Mesuré par deux simulations plus fines, qui ne se rapprochent pas l’une de l’autre : l’erreur de {name} est {error}, au-dessus de {limit}, que le modèle permet. L’ordre des chocs, ou une autre décision, diffère d’un pas à l’autre. Le schéma par événements peut le trouver, ou des pas bien plus courts.',
    gains: 'gagne {share} d’énergie',
    gainsHelp:
      'Les pas eux-mêmes ont ajouté {share} de la plus grande énergie de la simulation, comme energy.numerical ; {limit} est ce qu’une simulation précise peut gagner. Les corps qui rebondissent sont soulevés à chaque projection : projetez les positions combinées, les liaisons seules ou rien, ou prenez des pas plus courts.',
    order: ', ordre {order}',
    parts: 'aucun chiffre après {time} s',
    partsHelp:
      'Après t = {time} s, le mouvement s’écarte de celui des simulations plus fines, et toute erreur, si petite soit-elle, dépasse ce qui est permis, comme dans les mouvements chaotiques. Fiez-vous à ses statistiques, non à des valeurs isolées.',
    notMeasured: 'précision non mesurée',
    notMeasuredHelp: 'Deux simulations plus fines mesurent l’erreur de celle-ci.',
    measuring: 'mesure de la précision…',
    measuringHelp: 'Deux simulations plus fines sont en cours pour mesurer l’erreur de celle-ci.',
    noSignal: 'rien à comparer',
    noSignalHelp:
      'Aucun signal de l’état n’a pu être comparé à des simulations plus fines : les chocs ne sont séparés que de quelques pas, ou il n’y a pas d’état. Prenez un pas plus court.',
    measure: 'Mesurer la précision',
    halveStep: 'Diviser le pas par deux et lancer',
    halveStepEdit: 'Diviser le pas par deux',
    tighten: 'Abaisser les tolérances et lancer',
    tightenEdit: 'Abaisser les tolérances',
    errors: 'Erreurs des signaux',
    errorsUntil: 'Erreurs des signaux jusqu’à t = {time}',
    signal: 'Signal',
    error: 'Erreur',
    limit: 'Permis',
    impacts: 'Instants des chocs',
    impactError: '{element} : {error}',
    more: '… et {count} de plus',
  },
};
