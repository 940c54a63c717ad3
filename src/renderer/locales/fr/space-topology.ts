/** French texts of the topology of 3D bodies. */
import type { enSpaceTopology } from '../en-space-topology';
import type { Translated } from '../translated';

export const frSpaceTopology: Translated<typeof enSpaceTopology> = {
  spaceTopology: {
    noInteractions: 'Aucune interaction : chaque corps se meut seul.',
    groups: 'Corps reliés par des liaisons',
    joined: '· équations : {equations}, vitesses : {velocities}.',
    freedoms: 'Il reste {number} degré de liberté. | Il reste {number} degrés de liberté.',
    dependent: '{number} équation découle des autres. | {number} équations découlent des autres.',
    unranked:
      'Les degrés de liberté restants n’ont pas été comptés : il y faudrait des scripts, qui ne sont pas exécutés ici, ou trop de temps.',
    moreGroups: 'et {number} autre groupe | et {number} autres groupes',
    links: 'Interactions et corps liés',
    linksLabel: 'Structure des interactions par corps : {interactions} × {bodies}, liens : {links}',
    linksHint:
      'Lignes : interactions ; colonnes : corps. Survolez une case pour les détails ; cliquez pour sélectionner l’interaction.',
    joints: 'une liaison ou une relation d’un script',
    contacts: 'des contacts, partout où des formes se touchent',
    linked: '{interaction} lie {body}.',
    unlinked: '{interaction} ne lie pas {body}.',
    kind: 'Type',
    bodies: 'Corps',
    rows: 'Lignes',
    rowsVary: 'selon les contacts fermés',
    matrix: 'Blocs de W, de contact à contact',
    when: 'Au curseur de temps, qu’une animation déplace ; sans curseur, à la fin de la simulation.',
    notRun: 'Lancez le modèle : les contacts et leur couplage changent avec le temps.',
    unknown:
      'Les contacts de cette simulation sont inconnus : les positions et vitesses de tous les corps doivent être enregistrées, et le pas qui en part calculable.',
    noContacts: 'Aucun contact à t = {time} s.',
    atTime: '{number} contact à t = {time} s. | {number} contacts à t = {time} s.',
    matrixLabel: 'Structure de W par contacts, blocs non nuls : {blocks} sur {all}',
    matrixHint:
      'Survolez un bloc pour voir ce qu’il couple ; cliquez pour sélectionner un corps du contact de sa ligne.',
    own: 'un contact avec lui-même',
    shared: 'deux contacts qui partagent un corps, ou des corps tenus par des liaisons',
    manyBlocks: 'Trop de blocs pour les dessiner.',
    contact: 'Contact {number} de {interaction} : {pair}',
    share: 'Les contacts {row} et {column} partagent {body}.',
    throughJoints: 'Les contacts {row} et {column} agissent l’un sur l’autre à travers des liaisons.',
    apart: 'Les contacts {row} et {column} n’agissent pas l’un sur l’autre.',
    pair: 'Contacts {row} et {column}',
    fixed: 'fixe',
    between: 'Entre',
    number: 'Contacts',
    actsOn: 'Agissent sur d’autres',
    none: 'aucun',
  },
};
