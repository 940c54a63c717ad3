/** French texts of the settings and their dialog. */
import type { enSettings, settingWords } from '../en-settings';
import type { Translated } from '../translated';

/** Names and explanations of the settings, in French. */
export const frSettingWords: Translated<typeof settingWords> = {
  'appearance.language': {
    title: 'Langue',
    help: 'Langue de la fenêtre. Les titres des éléments, les pages d’aide et les messages du moteur sont en anglais.',
    options: { system: 'Suivre le système', en: 'English', de: 'Deutsch', fr: 'Français' },
  },
  'appearance.theme': {
    title: 'Thème',
    help: 'Couleurs de la fenêtre et de ses tracés.',
    options: { system: 'Suivre le système', light: 'Clair', dark: 'Sombre' },
  },
  'appearance.zoom': {
    title: 'Zoom',
    help: 'Taille de tout ce qui est dans la fenêtre, tracés et scripts compris.',
  },
  'appearance.density': {
    title: 'Densité',
    help: 'Des commandes compactes laissent plus de place au modèle et à ses tracés.',
    options: { comfortable: 'Confortable', compact: 'Compacte' },
  },
  'appearance.motion': {
    title: 'Mouvement des commandes',
    help: 'Réduit, il montre aussitôt les changements. Dans les deux cas, les animations d’une simulation ne jouent que si vous les lancez.',
    options: { system: 'Suivre le système', reduced: 'Réduit' },
  },
  'appearance.digits': {
    title: 'Chiffres significatifs',
    help: 'Chiffres des valeurs à côté des formules, des curseurs et des axes. Exportations et tables de données gardent tous les chiffres.',
  },
  'editor.fontSize': {
    title: 'Taille de police',
    help: 'Taille des scripts et du texte du modèle.',
  },
  'editor.wordWrap': {
    title: 'Couper les lignes longues',
    help: 'Poursuit sur la ligne suivante une ligne longue de script ou de texte.',
  },
  'editor.minimap': {
    title: 'Aperçu du texte',
    help: 'Affiche à droite un petit aperçu de tout le script ou de tout le texte.',
  },
  'editor.shortcutHints': {
    title: 'Raccourcis dans les infobulles',
    help: 'Affiche les touches d’une commande au survol de son bouton.',
  },
  'editor.format': {
    title: 'Mise en forme des scripts',
    help: 'Quand mettre en forme les scripts. Un script dont la syntaxe est fautive reste inchangé.',
    options: {
      command: 'Sur commande',
      paste: 'Sur commande et après un collage',
      save: 'Sur commande et à l’enregistrement',
    },
  },
  'runs.live': {
    title: 'Relancer pendant qu’une réglette bouge',
    help: 'Après la première simulation, le modèle est relancé à chaque nouvelle valeur d’un paramètre. Les nouvelles fenêtres partent de ce choix.',
  },
  'runs.askAboveMillionSteps': {
    title: 'Demander avant les longues simulations, millions de pas',
    help: 'Demande confirmation avant une simulation de plus de pas que cela. 0 ne demande jamais.',
  },
  'runs.atOnce': {
    title: 'Simulations calculées en même temps',
    help: 'Les suivantes attendent dans une file. 0 en calcule une par cœur.',
  },
  'runs.diskLimit': {
    title: 'Espace disque des simulations enregistrées',
    help: 'Au-delà de cette limite, les plus anciennes simulations qui ne sont ni épinglées ni celles d’un modèle ouvert sont supprimées. 0 : pas de limite.',
  },
  'files.onStart': {
    title: 'Au démarrage, afficher',
    help: 'Ce qu’affiche une nouvelle fenêtre. Un navigateur ne peut pas rouvrir lui-même des fichiers et affiche à la place la page d’accueil.',
    options: { example: 'Un exemple', start: 'Page d’accueil', last: 'Les derniers fichiers ouverts' },
  },
  'files.autosaveInterval': {
    title: 'Journal des modifications toutes les',
    help: 'À quel rythme les modifications non enregistrées sont écrites dans un journal. Après un plantage, vous pouvez les récupérer.',
  },
  'files.backup': {
    title: 'Garder une sauvegarde à l’enregistrement',
    help: 'Garde la version précédente à côté du fichier, son nom suivi de « .bak ».',
  },
};

/** French texts of the settings. */
export const frSettings: Translated<typeof enSettings> = {
  settings: {
    title: 'Préférences',
    description: 'Les changements prennent effet aussitôt, dans toutes les fenêtres.',
    search: 'Rechercher une préférence',
    found: '{number} préférence trouvée | {number} préférences trouvées',
    none: 'Aucune préférence ne correspond.',
    changed: 'Modifiée, à l’origine {value}',
    reset: 'Rétablir {value}',
    resetAll: 'Tout rétablir…',
    resetAllTitle: 'Rétablir toutes les préférences ?',
    resetAllMessage:
      'Préférences et raccourcis reprennent leurs valeurs par défaut. Modèles et simulations ne sont pas touchés. Exportez d’abord les préférences si vous pensez les reprendre un jour.',
    resetAllAnswer: 'Tout rétablir',
    export: 'Exporter…',
    import: 'Importer…',
    imported: 'Préférences importées : {number}.',
    importTitle: 'Ces préférences ne peuvent pas être importées',
    notSettings:
      'Ce n’est pas un fichier de préférences : il y faut un objet « values » avec les préférences par nom.',
    notJson: 'Le fichier n’est pas du JSON valable.',
    notJsonRemedy: 'Choisissez un fichier écrit par « Exporter… » dans les préférences.',
    unknown:
      'Il n’y a pas de préférence {key}. Retirez-la du fichier, ou importez-le avec la version qui l’a écrit.',
    invalid: '{key} : {problem}',
    outOfRange: 'Entrez un nombre de {min} à {max}.',
    on: 'activé',
    off: 'désactivé',
    sections: {
      appearance: 'Apparence',
      editor: 'Éditeur',
      runs: 'Simulations',
      files: 'Fichiers',
      keyboard: 'Clavier',
    },
  },
  keys: {
    search: 'Rechercher une commande ou des touches',
    command: 'Commande',
    shortcuts: 'Raccourcis',
    add: 'Ajouter un raccourci à {command}',
    remove: 'Retirer {shortcut} de {command}',
    reset: 'Rétablir les raccourcis de {command}',
    resetAll: 'Rétablir tous les raccourcis',
    press: 'Appuyez sur les touches de « {command} ». Échap annule.',
    recording: 'Appuyez…',
    taken: '{shortcut} sert déjà à « {command} ».',
    takeOver: 'L’employer plutôt ici',
    browser:
      'Le navigateur se réserve {shortcut}. Choisissez d’autres touches ; dans l’application de bureau, il est disponible.',
    typing: '{shortcut} sert à la frappe. Combinez-le avec Ctrl ou Alt, ou prenez une touche de fonction.',
    refused: 'Choisissez d’autres touches, ou appuyez sur Échap.',
    none: 'Aucune commande ne correspond.',
    noKeys: 'aucun',
    context: { graph: 'dans le graphe', editor: 'dans le script' },
    gestures: 'Souris et autres touches',
  },
};
