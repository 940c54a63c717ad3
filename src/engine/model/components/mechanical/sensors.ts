/** Meters of motions and forces, whose values are signals for control. */
import { type MechanicalComponent, signalOut } from '../component';
import type { Measure } from '../mechanism';
import { type MechanicalDomain, mechanical, MOTIONS, pin, twoFlanges } from './domains';

const NAMES = {
  translational: ['PositionSensor', 'SpeedSensor', 'ForceSensor'],
  rotational: ['AngleSensor', 'RotarySpeedSensor', 'TorqueSensor'],
} as const;

const WORDS = {
  translational: [
    ['sensor', 'encoder', 'LVDT', 'displacement', 'Wegaufnehmer', 'Positionssensor', 'capteur de position'],
    ['sensor', 'velocity', 'Geschwindigkeitssensor', 'capteur de vitesse'],
    ['sensor', 'load cell', 'strain gauge', 'Kraftsensor', 'Kraftmessdose', 'capteur d’effort'],
  ],
  rotational: [
    ['sensor', 'encoder', 'resolver', 'Drehgeber', 'Winkelsensor', 'codeur'],
    ['sensor', 'tachometer', 'tacho', 'rpm', 'Drehzahlsensor', 'tachymètre'],
    ['sensor', 'torque meter', 'Drehmomentsensor', 'couplemètre'],
  ],
} as const;

const FACE = 'M-16 -16H16V16H-16ZM0 16V20';
const SOURCE = 'Åström and Murray 2008, §3';

/** Position or velocity of a flange, against a second one where that is joined. */
const sensorOf = (domain: MechanicalDomain, of: 'position' | 'velocity'): MechanicalComponent => {
  const quantity = MOTIONS[domain][of];
  const kind = of === 'position' ? 0 : 1;
  const label = quantity.description.toLowerCase();
  return {
    definition: mechanical(domain, {
      type: NAMES[domain][kind],
      title: `${quantity.description} sensor`,
      summary: `Measures the ${label} of a flange, against that of a second one where that is joined. It has no mass and no force, and its value is a signal for control.`,
      pins: [
        pin(domain, 'a', 'What is measured', -40),
        { ...pin(domain, 'b', 'Against what', 40), isFree: true },
        signalOut('out', 'Signal', 0, 20),
      ],
      symbol: {
        width: 40,
        height: 18,
        lines: [`M-40 0H-16M16 0H40${FACE}`],
        texts: [
          {
            x: 0,
            y: 0,
            text: quantity.name === 'phi' ? 'φ' : quantity.name === 'omega' ? 'ω' : quantity.name,
          },
        ],
      },
      quantities: [quantity],
      words: [...WORDS[domain][kind]],
      equations: [`y = ${SYMBOLS[quantity.name]}_a - ${SYMBOLS[quantity.name]}_b`],
      fields: [],
      source: SOURCE,
    }),
    assemble(_fields, mechanism) {
      const terms = [{ flange: mechanism.flange('a'), factor: 1 }];
      if (mechanism.isWired('b')) terms.push({ flange: mechanism.flange('b'), factor: -1 });
      const measures: Measure[] = [{ of, combination: { terms, offset: 0 }, factor: 1 }];
      mechanism.record(quantity.name, measures);
      mechanism.sense('out', measures);
    },
  };
};

const SYMBOLS: Readonly<Record<string, string>> = { x: 'x', v: 'v', phi: '\\varphi', omega: '\\omega' };

export const positionSensor = sensorOf('translational', 'position');
export const speedSensor = sensorOf('translational', 'velocity');
export const angleSensor = sensorOf('rotational', 'position');
export const rotarySpeedSensor = sensorOf('rotational', 'velocity');

/** The force in a stiff spring with damping, which is what a load cell is. */
const forceSensorOf = (domain: MechanicalDomain): MechanicalComponent => {
  const { force } = MOTIONS[domain];
  const isAngle = domain === 'rotational';
  return {
    definition: mechanical(domain, {
      type: NAMES[domain][2],
      title: `${force.description} sensor`,
      summary: `Measures the ${force.description.toLowerCase()} between its flanges, positive where they are pulled apart, as a load cell does: by a stiff spring with some damping. Its value is a signal for control.`,
      pins: [...twoFlanges(domain), signalOut('out', 'Signal', 0, 20)],
      symbol: {
        width: 40,
        height: 18,
        lines: [`M-40 0H-16M16 0H40${FACE}`],
        texts: [{ x: 0, y: 0, text: isAngle ? 'τ' : 'F' }],
      },
      quantities: [force],
      words: [...WORDS[domain][2]],
      equations: ['y = k s + c \\dot s'],
      fields: [
        {
          ...{
            key: 'stiffness',
            kind: 'number',
            min: 0,
            exclusiveMin: true,
            label: 'Stiffness',
            symbol: 'k',
          },
          ...{ unit: isAngle ? 'N m/rad' : 'N/m', required: true, initial: 1e5, help: 'Of its spring.' },
        },
        {
          ...{
            key: 'damping',
            kind: 'number',
            min: 0,
            label: 'Damping',
            symbol: 'c',
            required: false,
            default: 0,
          },
          ...{ unit: isAngle ? 'N m s/rad' : 'N s/m', help: 'Beside the spring.' },
        },
      ],
      source: SOURCE,
    }),
    assemble(fields, mechanism) {
      const [k, c] = [fields.number('stiffness'), fields.number('damping')];
      const combination = {
        terms: [
          { flange: mechanism.flange('b'), factor: 1 },
          { flange: mechanism.flange('a'), factor: -1 },
        ],
        offset: 0,
      };
      mechanism.spring(combination, k, 0);
      if (c !== 0) mechanism.damper(combination, c);
      const measures: Measure[] = [{ of: 'position', combination, factor: k }];
      if (c !== 0) measures.push({ of: 'velocity', combination, factor: c });
      mechanism.record(force.name, measures);
      mechanism.sense('out', measures);
    },
  };
};

export const forceSensor = forceSensorOf('translational');
export const torqueSensor = forceSensorOf('rotational');
