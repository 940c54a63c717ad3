/** French texts of the text view. */
import type { enText } from '../en-text';
import type { Translated } from '../translated';

export const frText: Translated<typeof enText> = {
  text: {
    title: 'Texte',
    label: 'Modèle sous forme de texte',
    editor: 'Texte du modèle, JSON',
    edit: 'Modifier le texte',
    inStep: 'Le texte et le modèle concordent.',
    reading: 'Lecture de vos modifications…',
    defect: 'Ligne {line}, colonne {column} : {what} Le modèle est inchangé.',
    syntax: {
      comma: 'il manque une virgule.',
      colon: 'il manque un deux-points.',
      property: 'il manque un nom entre guillemets.',
      value: 'il manque une valeur.',
      brace: 'il manque une accolade fermante.',
      bracket: 'il manque un crochet fermant.',
      string: 'il manque un guillemet fermant.',
      number: 'le nombre est incomplet.',
      end: 'il y a du texte après la fin du modèle.',
      comment: 'JSON n’a pas de commentaires.',
      symbol: 'ceci n’est pas permis ici.',
    },
    shape: {
      object: "un objet {'{'} … {'}'} est attendu en {place}.",
      list: 'une liste [ … ] est attendue en {place}.',
      text: 'un texte entre guillemets est attendu en {place}.',
      number: 'un nombre est attendu en {place}.',
      value: 'un nombre, un texte ou une liste de ceux-ci est attendu en {place}.',
      lines: 'une liste de lignes est attendue en {place}.',
      version: 'la version du format ne peut pas être modifiée ici.',
      taken: 'le nom en {place} est déjà pris.',
      key: 'la clé « __proto__ » n’est pas permise.',
    },
    goTo: 'Y aller',
    revert: 'Abandonner vos modifications',
    divergedMessage:
      'Le modèle a été modifié ailleurs, et vos modifications du texte n’en font pas encore partie. Que voulez-vous garder ?',
    keepText: 'Mon texte, dès qu’il est valable',
    keepModel: 'Le modèle ; abandonner mon texte',
    broken: 'Le texte n’est pas un modèle valable',
    tooLongToEdit:
      'Lecture seule : un texte de plus de {limit} caractères ne peut pas être relu à chaque pause de la frappe. Modifiez-le dans les autres vues ou dans un éditeur de texte.',
    tooLongToShow: 'Non affiché : le texte a plus de {limit} caractères.',
    showElement: 'Montrer dans le graphe et l’inspecteur',
    loadFailed: 'L’éditeur de texte n’a pas pu être chargé.',
  },
};
