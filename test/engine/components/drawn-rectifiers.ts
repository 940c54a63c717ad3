/** Random rectifiers: phases, diodes and loads of all sorts. */
import type { Random } from '../support/random';
import type { Part } from './drawn';

export const FREQUENCY = 50;

/** Parts between the wires `p` and `m` that the diodes feed. */
function load(random: Random): Part[] {
  const R = 10 ** random.uniform(1, 3);
  const kind = random.integer(0, 4);
  if (kind === 0) return [['R1', 'Resistor', ['p', 'm'], { resistance: R }]];
  if (kind === 1)
    return [
      ['L1', 'Inductor', ['p', 'q'], { inductance: random.uniform(0.001, 0.05) }],
      ['R1', 'Resistor', ['q', 'm'], { resistance: R }],
    ];
  if (kind === 2)
    return [
      ['R1', 'Resistor', ['p', 'q'], { resistance: 0.1 * R }],
      ['E1', 'VoltageSource', ['q', 'm'], { voltage: random.uniform(20, 80) }],
    ];
  const v0 = random.chance(0.5) ? 0 : random.uniform(0, 100);
  const C: Part = ['C1', 'Capacitor', [kind === 3 ? 'p' : 'q', 'm'], { capacitance: 1e-4, v0 }];
  const R1: Part = ['R1', 'Resistor', [kind === 3 ? 'p' : 'q', 'm'], { resistance: R }];
  return kind === 3 ? [C, R1] : [C, R1, ['L1', 'Inductor', ['p', 'q'], { inductance: 0.01 }]];
}

export function rectifier(random: Random): Part[] {
  const phases = random.integer(1, 3);
  const isBridge = random.chance(0.7);
  const isOffset = random.chance(0.3);
  const hasSnubbers = random.chance(0.25);
  const diode = {
    ...(random.chance(0.3) ? { forwardVoltage: 0.8 } : {}),
    ...(random.chance(0.3) ? { onResistance: 0.05 } : {}),
  };
  const star = isBridge || random.chance(0.5) ? 'star' : 'm';
  const parts = load(random);
  // One phase of a bridge comes back by a second pair of diodes.
  const legs = isBridge && phases === 1 ? 2 : phases;
  for (let k = 0; k < legs; k++) {
    const node = `x${k}`;
    if (k < phases) {
      const phase = (2 * Math.PI * k) / phases + (isOffset ? random.uniform(0, 1) : 0);
      const inner = random.uniform(0, 1);
      const first = inner < 0.3 ? node : `u${k}`;
      parts.push([`V${k}`, 'SineVoltage', [first, star], { amplitude: 100, frequency: FREQUENCY, phase }]);
      const second = inner < 0.6 ? node : `w${k}`;
      if (first !== node) parts.push([`La${k}`, 'Inductor', [first, second], { inductance: 0.002 }]);
      if (first !== node && second !== node)
        parts.push([`Ra${k}`, 'Resistor', [second, node], { resistance: 0.5 }]);
    } else parts.push([`Ra${k}`, 'Resistor', ['star', node], { resistance: 0.1 }]);
    parts.push([`Du${k}`, 'Diode', [node, 'p'], diode]);
    if (hasSnubbers) parts.push([`Su${k}`, 'Resistor', [node, 'p'], { resistance: 1e4 }]);
    if (!isBridge) continue;
    parts.push([`Dl${k}`, 'Diode', ['m', node], diode]);
    if (hasSnubbers) parts.push([`Sl${k}`, 'Resistor', ['m', node], { resistance: 1e4 }]);
  }
  if (!isBridge) parts.push(['F1', 'Diode', ['m', 'p'], diode]);
  if (!isBridge && star !== 'm') parts.push(['Rs', 'Resistor', ['star', 'm'], { resistance: 0.2 }]);
  // The wire `m` is ground.
  return parts.map(([id, type, nodes, fields]): Part => {
    const named = nodes.map((node) => (node === 'm' ? '0' : node));
    return fields === undefined ? [id, type, named] : [id, type, named, fields];
  });
}
