/** Blocks that are not linear, and are laws, memories, or products with what is known. */
import type { FieldReader } from '../../field-reader';
import type { Circuit, SignalPart } from '../circuit';
import { type ComponentType, signalIn } from '../component';
import { block, give, number, OUTPUT_PIN, plain } from './block';
import { areLimits } from './limits';

const FAMILY = 'Control';

export const product: ComponentType = {
  definition: block(
    {
      type: 'Product',
      title: 'Product',
      summary:
        'The product of two signals. One of them is a constant, or on or off as the output of a modulator, and the other may be any; or both are expressions of time.',
      family: FAMILY,
      words: ['multiply', 'times', 'modulate', 'mixer', 'chopper', 'Multiplikation', 'Produkt', 'produit'],
      equations: ['y = a b'],
      fields: [],
      source: 'Åström and Murray 2008, §5',
      pins: [signalIn('a', 'First factor', -40, -20), signalIn('b', 'Second factor', -40, 20), OUTPUT_PIN],
    },
    { texts: [{ x: 0, y: 0, text: '×' }] },
  ),
  stamp(_fields: FieldReader, circuit: Circuit) {
    give(circuit, [circuit.product('a', 'b')]);
  },
};

export const sign: ComponentType = {
  definition: block(
    {
      type: 'SignRelay',
      title: 'Relay without hysteresis',
      summary:
        'Its upper output while its input is positive, its lower one while that is negative, and what is between where it stays at zero: sliding-mode control without chattering.',
      family: FAMILY,
      words: [
        'sign',
        'sgn',
        'sliding mode',
        'ideal relay',
        'switching surface',
        'Vorzeichen',
        'Gleitregelung',
      ],
      equations: ['y \\in \\{y_u\\}\\;(u > 0), \\quad [y_l, y_u]\\;(u = 0), \\quad \\{y_l\\}\\;(u < 0)'],
      fields: [
        number('lower', 'Lower output', 'y_l', 'Of a negative input.', { initial: -1 }),
        number('upper', 'Upper output', 'y_u', 'Of a positive input.', { initial: 1 }),
      ],
      source: 'Acary and Brogliato 2008, §1',
    },
    { lines: ['M-20 12H0V-12H20'] },
  ),
  stamp(fields: FieldReader, circuit: Circuit) {
    const u = circuit.input('u');
    if (!areLimits(fields)) return;
    const [lower, upper] = [fields.number('lower'), fields.number('upper')];
    const branch = circuit.relay(circuit.node(), circuit.ground, [u], lower, upper);
    const parts: SignalPart[] = ['((', { sum: [u] }, `) > 0 ? ${plain(upper)} : ${plain(lower)})`];
    give(circuit, [{ branch, of: 'v', factor: 1 }], parts);
  },
};

export const quantiser: ComponentType = {
  definition: block(
    {
      type: 'Rounding',
      title: 'Quantiser',
      summary: 'Its input in whole numbers of steps: the resolution of a converter or an encoder.',
      family: FAMILY,
      words: ['round', 'resolution', 'ADC', 'encoder', 'bits', 'LSB', 'Quantisierer', 'Auflösung', 'Rundung'],
      equations: ['y = \\Delta \\,\\mathrm{round}(u / \\Delta)'],
      fields: [
        {
          ...{ key: 'step', kind: 'number', min: 0, exclusiveMin: true, label: 'Step', symbol: '\\Delta' },
          ...{ unit: '', required: true, initial: 0.1, help: 'From one value of the output to the next.' },
        },
      ],
      source: 'Åström and Wittenmark 1997, §9',
    },
    { lines: ['M-20 14H-12V6H-4V0H4V-6H12V-14H20'] },
  ),
  stamp(fields: FieldReader, circuit: Circuit) {
    const step = plain(fields.number('step'));
    const u: SignalPart = { sum: [circuit.input('u')] };
    const [up, down]: SignalPart[][] = [[], []];
    const [above, below]: SignalPart[][] = [[], []];
    const y = circuit.memory(
      [`${step}*round(`, u, `/${step})`],
      [
        { when: above, to: up },
        { when: below, to: down },
      ],
    );
    // A step at least, and more where its input has jumped.
    const own: SignalPart = { sum: [y] };
    above.push(u, ' - ', own, ` - 0.5*${step}`);
    below.push(own, ' - ', u, ` - 0.5*${step}`);
    up.push(`${step}*max(round(`, u, `/${step}), round(`, own, `/${step}) + 1)`);
    down.push(`${step}*min(round(`, u, `/${step}), round(`, own, `/${step}) - 1)`);
    give(circuit, [y]);
  },
};
