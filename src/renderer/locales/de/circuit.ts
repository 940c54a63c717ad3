/** German texts of drawn circuits. */
import type { enCircuit } from '../en-circuit';
import type { Translated } from '../translated';

export const deCircuit: Translated<typeof enCircuit> = {
  circuit: {
    components: '{number} Bauteil | {number} Bauteile',
    pin: '{end}: {label}. Von hier ziehen, um eine Leitung zu zeichnen.',
    wire: 'Leitung {name}. Doppelklick benennt sie.',
    wireName: 'Name der Leitung',
    joinsNode: '„{name}“ ist eine andere Leitung: Beide werden ein Knoten, getrennt gezeichnet.',
    values: 'Werte von {name}',
    component: 'Bauteil',
    net: 'Leitung',
    joins: 'Verbindet',
    noEnds: 'Keine Anschlüsse sind verbunden.',
    removeEnd: '{end} von der Leitung lösen',
    noOthers: 'In der Zeichnung gibt es keinen.',
    wireFrom: 'Leitung von {id} zeichnen',
    wireHint: 'Anschlüsse nach Name, Bauteil oder Leitung suchen',
    noPins: 'Kein Anschluss dieses Namens passt.',
    keys: {
      pin: '{end}, {label}',
      pinOnWire: '{end}, {label}, an Leitung {wire}',
      choose:
        'Leitung ab {pin}? Pfeiltasten wählen einen anderen Anschluss, die Eingabetaste beginnt dort, Escape bricht ab.',
      alone: 'Kein Anschluss passt zu {from}. Escape bricht ab.',
      to: 'Von {from} nach {pin}? Pfeiltasten gehen weiter, Tippen listet Anschlüsse auf, die Eingabetaste zeichnet die Leitung, Escape bricht ab.',
    },
    edit: {
      wire: 'Leitung von {from} nach {to}',
      turn: '{name} drehen',
      mirror: '{name} spiegeln',
      cut: '{name} durchtrennen',
      lay: '{name} verlegen',
      unlay: '{name} selbst den Weg finden lassen',
      insert: '{name} in {wire} einfügen',
      node: '{from} und {to} über den Namen verbinden',
    },
    command: {
      turn: 'Bauteile drehen',
      mirror: 'Bauteile spiegeln',
      wire: 'Leitung von hier zeichnen',
      unlay: 'Leitung selbst den Weg finden lassen',
    },
  },
};
