/** French texts of the dialog that makes figures of plots. */
import type { enFigure } from '../en-figure';
import type { Translated } from '../translated';

export const frFigure: Translated<typeof enFigure> = {
  figure: {
    command: 'Exporter la figure…',
    commandOf: 'Exporter la figure : {name}…',
    commandPane: 'Exporter le diagramme de l’analyse ou de la comparaison…',
    noPaneFigure: 'Aucun diagramme d’analyse ou de comparaison n’est affiché.',
    orbit: 'Orbite périodique',
    multipliers: 'Multiplicateurs',
    exponents: 'Exposants de Lyapunov',
    diagram: 'Diagramme de {y}',
    convergence: 'Convergence',
    commandDashboard: 'Exporter la figure du tableau de bord…',
    title: 'Exporter la figure',
    export: 'Exporter',
    subject: 'Figure de',
    dashboard: 'Tout le tableau de bord',
    format: 'Format',
    style: 'Style',
    styles: {
      publication: 'Publication',
      screen: 'Comme à l’écran',
    },
    styleHelp: {
      publication:
        'Noir sur blanc, redessinée à partir des lignes enregistrées, comme par moreau export --figure. Séries temporelles, portraits et sections gardent leur zoom.',
      screen: 'Couleurs, unités et zoom de la fenêtre.',
    },
    journal: 'Largeur de',
    ownWidth: 'taille libre',
    columns: {
      one: '{publisher}, une colonne ({width} mm)',
      oneAndHalf: '{publisher}, une colonne et demie ({width} mm)',
      two: '{publisher}, deux colonnes ({width} mm)',
    },
    preview: 'La figure telle qu’elle sera',
    noPreview: 'L’aperçu de la figure s’affiche ici.',
    width: 'Largeur, mm',
    height: 'Hauteur, mm',
    dpi: 'Résolution, points par pouce',
    sizeHelp: 'Largeur et hauteur doivent être entre 0 et {most} mm.',
    dpiHelp: 'La résolution doit être entre 0 et {most} points par pouce.',
    tooLarge: 'L’image aurait trop de pixels. Réduisez sa taille ou sa résolution.',
    needsRun:
      'Aucune simulation n’est affichée. Lancez d’abord le modèle, ou choisissez le style de l’écran.',
    pixels: '{width} × {height} pixels',
  },
};
