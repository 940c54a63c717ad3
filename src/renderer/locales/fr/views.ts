/** French texts of the kinds of views. */
import type { viewWords } from '@views/words';
import type { Translated } from '../translated';

export const frViews: Translated<typeof viewWords> = {
  attractor: {
    title: 'Attracteur',
    label:
      'Trajectoire dans l’espace de {x}, {y} et {z}. Les flèches la tournent, plus et moins zooment, 0 rétablit la vue initiale.',
    curveHelp:
      'Une ligne sur ce nombre est tracée : celles où la courbe entre dans une nouvelle cellule de l’espace, plus fine qu’un pixel. Aucune partie de la courbe n’est omise.',
    camera: 'Caméra',
    axis: 'Axe {axis}',
    axisIs: 'Axe {axis} : {name}',
  },
  basins: {
    noBasins: 'Le modèle n’a pas d’analyse de bassins. Ajoutez-en une sous Analyses.',
  },
  bifurcation: {
    title: 'Diagramme de bifurcation',
    label:
      'Diagramme de bifurcation de {y} selon {parameter}. Les flèches déplacent, plus et moins zooment, 0 montre tout.',
    noAnalyses: 'Le modèle n’a ni balayage ni branche. Ajoutez-en sous Analyses.',
    noAnalysisChosen: 'Choisissez une analyse dans le menu de ce tracé.',
  },
  certificate: {
    title: 'Certificat dans le temps',
    label: 'Pires résidus au cours du temps. Les flèches déplacent, plus et moins zooment, 0 montre tout.',
    stretches: 'Le pire pas de chaque tronçon est tracé : aucun pic n’est perdu.',
    unavailable:
      'Le certificat dans le temps n’est pas disponible : la simulation a été interrompue, ou enregistrée par une version antérieure.',
    residuals: {
      dynamics: 'équations du mouvement',
      complementarity: 'lois',
      coneViolation: 'cônes',
      energyDrift: 'bilan d’énergie',
      limit: 'limite',
    },
    residualHelp: {
      dynamics: 'Résidu des équations du mouvement, relatif au plus grand de leurs termes jusque-là',
      complementarity:
        'Violation de la complémentarité et des autres lois, relative aux plus grandes valeurs jusque-là',
      coneViolation: 'De combien écarts, forces et impulsions sortent de l’ensemble admissible, en relatif',
      energyDrift: 'Défaut du bilan d’énergie, relatif à la plus grande énergie jusque-là',
    },
  },
  energyLedger: {
    title: 'Bilan d’énergie',
    label:
      'Énergie au cours du temps : {names}. Les flèches déplacent, plus et moins zooment, 0 montre tout.',
    ledgerSums: 'Sommes et plus grandes pertes',
    lostUntil: 'Prélevé jusqu’à la fin du temps visible',
    largestLosses: 'Plus grandes pertes en un seul choc',
    cursorThere: 'Y place le curseur',
    cursorAt: 'Curseur à t = {t}, {name}',
    noEnergy: 'Le modèle n’a pas de corps : aucune énergie n’est définie.',
    lossesBetween:
      'Un pas sur {every} seulement est enregistré : les sommes omettent l’énergie que prennent les contacts aux pas intermédiaires.',
  },
  heatMap: {
    title: 'Carte de chaleur',
    label: '{quantity} selon {x} et {y}. Les flèches déplacent, plus et moins zooment, 0 montre tout.',
    noHeatMap:
      'Le modèle n’a pas de balayage sur une grille de deux paramètres. Ajoutez-en un sous Analyses.',
    noQuantity: 'Ce balayage n’a ni mesures ni section : ajoutez l’une d’elles sous Analyses.',
    noValue: 'aucune',
    noPeriod: 'Vide : le mouvement ne se répète pas en moins de la moitié des points enregistrés.',
    colourIs: 'Couleur : {name}',
    direction: 'Sens',
  },
  indexSets: {
    title: 'Ensembles d’indices',
    label: 'États au cours du temps de {names}. Les flèches déplacent, plus et moins zooment, 0 montre tout.',
    lanes: 'États dans le temps visible',
    laneSummary: '{name} : {shares} ; changements {changes}, chocs {impacts}.',
    shareOf: '{state} {share} % du temps',
    stateChanges: 'Changements',
    impactCount: 'Chocs',
    noRowsYet: 'Rien n’a encore été enregistré.',
    lanesMerged: 'Un tronçon qui couvre de nombreuses lignes montre tous leurs états.',
  },
  matrix: {
    title: 'Problème à un pas',
    label:
      'Matrice du problème à un pas. {facts}. Les flèches déplacent, plus et moins zooment, 0 montre tout.',
    matrixRows: 'Lignes et leur solution',
    matrixRow: 'Ligne',
    matrixColumn: 'Colonne',
    matrixEquation: 'w = W z + q des lignes actives',
    matrixMarket: 'Exporter W en Matrix Market…',
    positive: 'positif',
    negative: 'négatif',
    nonZero: '{part} % non nuls',
    symmetric: 'symétrique',
    notSymmetric: 'non symétrique',
    condition: 'κ {value}',
    leastEigenvalue: 'plus petite valeur propre {value}',
    pinTime: 'Rester à cet instant',
    unpinTime: 'Suivre à nouveau le curseur',
    noActiveRows:
      'Au pas qui part de t = {time}, la {number} ligne du modèle est inactive. | Au pas qui part de t = {time}, les {number} lignes du modèle sont toutes inactives.',
    noProblem: {
      noRows: 'Rien n’a encore été enregistré.',
      notRecorded: 'L’état à cet instant est inconnu : {names} ne sont pas enregistrés.',
      noInitialState: 'L’état de {names} ne peut pas servir d’état initial.',
      noTimeStepping: 'Ce modèle n’admet pas le schéma par pas de temps : {names}',
      failed: 'Le pas à cet instant n’a pas pu être refait.',
    },
  },
  phasePortrait: {
    title: 'Portrait de phase',
    label:
      'Portrait de phase : {y} en fonction de {x}. Les flèches déplacent, plus et moins zooment, 0 montre tout.',
  },
  returnMap: {
    title: 'Application de retour',
    label:
      'Chaque valeur de {signal} sur la section {section} en fonction de la précédente, avec la diagonale. Plus et moins zooment, 0 montre tout.',
    signal: 'Signal',
    signalIs: 'Signal : {name}',
    cobweb: 'Toile d’araignée des derniers retours',
    eachPoint: 'Chaque point est une valeur sur la section en fonction de la précédente.',
    tooFew: 'La simulation a moins de deux points de la section « {section} ».',
    onlyLatest: 'Seuls les {number} derniers points sont tracés.',
  },
  section: {
    label:
      'Section de Poincaré {section} : {y} en fonction de {x}. Les flèches déplacent, plus et moins zooment, 0 montre tout.',
    startOnClick:
      'Cliquez pour lancer une trajectoire de là. Désactivé, un clic place le curseur au point le plus proche',
    startOnClickShort: 'Lancer au clic',
    startAt: 'Lancer une trajectoire à des valeurs données…',
    distance: 'Distance de Hausdorff aux simulations comparées',
    distanceIs:
      'Distance de Hausdorff à {run} : {distance} des étendues ({there} à l’aller, {back} au retour).',
  },
  spectrum: {
    title: 'Spectre',
    label: 'Spectre de {signals}. Les flèches déplacent, plus et moins zooment, 0 montre tout.',
    spectrumWindow: 'Fenêtre',
    spectrumWindows: {
      rectangular: 'Rectangulaire',
      hann: 'Hann',
      blackman: 'Blackman',
      flatTop: 'À sommet plat',
    },
    spectrumQuantity: 'Grandeur',
    spectrumQuantities: { amplitude: 'Amplitude', density: 'Densité de puissance' },
    logarithmic: 'Axe logarithmique',
    visibleSpan: 'Prendre l’intervalle visible des séries temporelles',
    wholeSpan: 'Prendre toute la simulation',
    frequency: 'f',
    resolution: '{samples} échantillons · Δf {resolution} Hz',
    resolutionHelp:
      'Écart entre les raies spectrales : plus l’intervalle de temps est long, plus il est fin.',
    resampledHelp:
      'Les lignes n’étant pas équidistantes, elles ont été interpolées. La valeur est l’écart entre les raies spectrales.',
    averagedHelp: 'Chaque échantillon est la moyenne de {mean} lignes.',
    tooShort: 'Trop peu d’échantillons pour un spectre, ou des valeurs non finies.',
    selectionSpectrum: 'Prendre l’intervalle sélectionné',
  },
  table: {
    title: 'Table',
    tableHelp:
      'Valeurs dans les unités d’affichage. Exportez les données pour tous les chiffres de toutes les lignes.',
    row: 'ligne',
    rows: '{number} ligne | {number} lignes',
    firstRow: 'Première ligne',
    lastRow: 'Dernière ligne',
    trajectory: 'Trajectoire',
    copyRows: 'Copier les lignes visibles',
    copiedRows: '{number} ligne a été copiée. | {number} lignes ont été copiées.',
  },
  timeSeries: {
    title: 'Séries temporelles',
    label: 'Séries temporelles de {signals}. Les flèches déplacent, plus et moins zooment, 0 montre tout.',
    changes: 'Paramètres modifiés pendant la simulation',
  },
};
