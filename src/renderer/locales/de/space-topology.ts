/** German texts of the topology of 3D bodies. */
import type { enSpaceTopology } from '../en-space-topology';
import type { Translated } from '../translated';

export const deSpaceTopology: Translated<typeof enSpaceTopology> = {
  spaceTopology: {
    noInteractions: 'Noch keine Wechselwirkungen: Jeder Körper bewegt sich für sich.',
    groups: 'Durch Gelenke verbundene Körper',
    joined: '· Gleichungen: {equations}, Geschwindigkeiten: {velocities}.',
    freedoms: '{number} Freiheitsgrad verbleibt. | {number} Freiheitsgrade verbleiben.',
    dependent: '{number} Gleichung folgt aus den anderen. | {number} Gleichungen folgen aus den anderen.',
    unranked:
      'Die verbleibenden Freiheitsgrade wurden nicht gezählt: Das erfordert Skripte, die hier nicht ausgeführt werden, oder dauert zu lange.',
    moreGroups: 'und {number} weitere Gruppe | und {number} weitere Gruppen',
    links: 'Wechselwirkungen und die Körper, die sie verbinden',
    linksLabel:
      'Besetzung der Wechselwirkungen über den Körpern: {interactions} mal {bodies}, Verbindungen: {links}',
    linksHint:
      'Zeilen sind Wechselwirkungen, Spalten Körper. Auf eine Zelle zeigen für Einzelheiten; ein Klick wählt die Wechselwirkung.',
    joints: 'ein Gelenk oder eine Relation eines Skripts',
    contacts: 'Kontakte, wo immer sich Formen berühren',
    linked: '{interaction} verbindet {body}.',
    unlinked: '{interaction} verbindet {body} nicht.',
    kind: 'Art',
    bodies: 'Körper',
    rows: 'Zeilen',
    rowsVary: 'je nach Kontakten',
    matrix: 'Blöcke von W, von Kontakt zu Kontakt',
    when: 'Beim Zeitcursor, den eine Animation bewegt; ohne Cursor am Ende des Laufs.',
    notRun: 'Das Modell starten: Die Kontakte und ihre Kopplung ändern sich mit der Zeit.',
    unknown:
      'Die Kontakte dieses Laufs sind nicht bekannt: Lagen und Geschwindigkeiten aller Körper müssen aufgezeichnet und der Schritt von ihnen aus berechenbar sein.',
    noContacts: 'Keine Kontakte bei t = {time} s.',
    atTime: '{number} Kontakt bei t = {time} s. | {number} Kontakte bei t = {time} s.',
    matrixLabel: 'Besetzung von W nach Kontakten, Blöcke ungleich null: {blocks} von {all}',
    matrixHint:
      'Auf einen Block zeigen, um zu sehen, was er koppelt; ein Klick wählt einen Körper des Kontakts seiner Zeile.',
    own: 'ein Kontakt mit sich selbst',
    shared: 'zwei Kontakte mit einem gemeinsamen Körper oder mit Körpern, die Gelenke zusammenhalten',
    manyBlocks: 'Zu viele Blöcke zum Zeichnen.',
    contact: 'Kontakt {number} von {interaction}: {pair}',
    share: 'Die Kontakte {row} und {column} haben {body} gemeinsam.',
    throughJoints: 'Die Kontakte {row} und {column} wirken über Gelenke aufeinander.',
    apart: 'Die Kontakte {row} und {column} wirken nicht aufeinander.',
    pair: 'Kontakte {row} und {column}',
    fixed: 'fest',
    between: 'Zwischen',
    number: 'Kontakte',
    actsOn: 'Wirken auf andere',
    none: 'keine',
  },
};
