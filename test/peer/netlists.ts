/** Netlists of 2 to 60 components that ngspice and our engine run, with every kind of element. */

export interface PeerNetlist {
  readonly name: string;
  /** @param n emission coefficient of its diodes, 0 for none that is ideal */
  text(n: number): string;
  /** nodes and elements whose voltages and currents are compared */
  readonly signals: readonly string[];
  readonly hasDiodes: boolean;
  /** difference by the range of the signal; of those with diodes at the smallest n */
  readonly within: number;
  /** by steps in place of from event to event */
  readonly bySteps?: boolean;
}

const SMOOTH = 2e-5;

const smooth = (name: string, body: string, signals: string, tran: string, within = SMOOTH): PeerNetlist => ({
  name,
  text: () => `${name}\n${body}\n.tran ${tran} UIC\n.end\n`,
  signals: signals.split(' '),
  hasDiodes: false,
  within,
});

/** With diodes of the model DM, which is nearly ideal. */
const pieced = (
  name: string,
  body: string,
  signals: string,
  tran: string,
  within = 5e-3,
  bySteps = false,
): PeerNetlist => ({
  name,
  text: (n) => `${name}\n${body}\n.model DM D(IS=1e-12 N=${n})\n.tran ${tran} UIC\n.end\n`,
  signals: signals.split(' '),
  hasDiodes: true,
  within,
  bySteps,
});

const lines = (count: number, line: (k: number) => string): string =>
  Array.from({ length: count }, (_, k) => line(k + 1)).join('\n');

const SWITCH = '.model SM SW(VT=0.5 RON=10m ROFF=1meg)';
const GATE = 'VG g 0 PULSE(0 1 0 10n 10n 10u 25u)';

export const peerNetlists: readonly PeerNetlist[] = [
  smooth('Divider', 'V1 a 0 10\nR1 a b 1k\nR2 b 0 3k', 'v(b) i(V1)', '1u 1m'),
  smooth('Charging', 'V1 a 0 5\nR1 a b 1k\nC1 b 0 1u', 'v(b) i(V1)', '2u 5m'),
  smooth('Coil', 'V1 a 0 5\nR1 a b 10\nL1 b 0 10m IC=0.2', 'v(b) i(V1)', '2u 5m'),
  smooth('Resonance', 'V1 a 0 SIN(0 1 1k)\nR1 a b 10\nL1 b c 10m\nC1 c 0 2.2u', 'v(c) i(V1)', '1u 5m'),
  smooth(
    'Edges',
    'V1 a 0 PULSE(0 5 0.1m 20u 30u 0.4m 1m)\nR1 a b 100\nL1 b c 10m\nC1 c 0 1u',
    'v(c) v(b)',
    '1u 3m',
    1e-4,
  ),
  smooth(
    'Ladder',
    `V1 n0 0 SIN(0 1 200)\n${lines(10, (k) => `R${k} n${k - 1} n${k} 1k\nC${k} n${k} 0 0.1u`)}`,
    'v(n3) v(n10)',
    '5u 10m',
  ),
  smooth(
    'Long ladder',
    `V1 n0 0 SIN(0 1 100)\n${lines(29, (k) => `R${k} n${k - 1} n${k} 100\nC${k} n${k} 0 10n`)}\nR30 n29 0 1k`,
    'v(n10) v(n29)',
    '10u 20m',
  ),
  smooth(
    'Two windings',
    'V1 a 0 SIN(0 10 50)\nR0 a p 1\nL1 p 0 10m\nL2 s 0 40m\nK1 L1 L2 0.95\nR1 s 0 50',
    'v(s) i(V1)',
    '10u 40m',
  ),
  smooth(
    'Three windings',
    'V1 a 0 SIN(0 10 50)\nR0 a p 1\nL1 p 0 10m\nL2 s 0 20m\nL3 u 0 5m\nK1 L1 L2 0.9\nK2 L2 L3 0.9\nK3 L1 L3 0.85\nR1 s 0 50\nR2 u 0 20',
    'v(s) v(u) i(V1)',
    '10u 40m',
  ),
  smooth(
    'Amplifier',
    'V1 a 0 SIN(0 1 1k)\nR1 a b 1k\nC1 b 0 0.1u\nE1 c 0 b 0 -5\nR2 c d 1k\nC2 d 0 0.1u',
    'v(c) v(d)',
    '1u 4m',
  ),
  smooth(
    'Gyrator',
    'I1 0 a SIN(0 1m 500)\nR0 a 0 10k\nG1 a 0 b 0 1m\nG2 0 b a 0 1m\nC1 b 0 0.1u\nR1 b 0 100k',
    'v(a) v(b)',
    '2u 8m',
  ),
  smooth(
    'Mirror',
    'V1 a 0 SIN(1 0.5 1k)\nR1 a b 1k\nVM b 0 0\nF1 0 c VM 2\nR2 c 0 1k\nC1 c 0 0.1u',
    'v(c) i(VM)',
    '1u 4m',
  ),
  smooth(
    'Transresistance',
    'V1 a 0 SIN(0 1 1k)\nR1 a b 1k\nC1 b 0 0.1u\nH1 c 0 V1 2k\nR2 c d 1k\nC2 d 0 47n',
    'v(c) v(d) i(V1)',
    '1u 4m',
    1e-4,
  ),
  smooth(
    'Formula of time',
    'B1 a 0 V=2*sin(6283*time) + 0.5*cos(18850*time)\nR1 a b 1k\nC1 b 0 47n',
    'v(a) v(b)',
    '0.5u 3m',
    1e-4,
  ),
  smooth(
    'Sums',
    'V1 a 0 SIN(0 1 1k)\nR1 a b 1k\nC1 b 0 0.1u\nB1 c 0 V=2*v(a) - v(b)/2 + 0.5\nR2 c d 1k\nC2 d 0 47n',
    'v(c) v(d)',
    '1u 4m',
  ),
  smooth(
    'Polynomial',
    'V1 a 0 SIN(0 1 1k)\nR1 a b 1k\nC1 b 0 0.1u\nE1 c 0 POLY(2) a 0 b 0 0.5 2 -1\nR2 c 0 1k',
    'v(c)',
    '1u 4m',
  ),
  smooth(
    'Points',
    'V1 a 0 PWL(0 0 1m 5 1.5m 5 2m -3 4m 0)\nR1 a b 1k\nC1 b 0 0.1u',
    'v(a) v(b)',
    '1u 5m',
    1e-4,
  ),
  smooth(
    'Exponentials',
    'V1 a 0 EXP(0 5 0.2m 0.3m 2m 0.5m)\nR1 a b 1k\nC1 b 0 0.1u',
    'v(a) v(b)',
    '1u 5m',
    1e-4,
  ),
  smooth(
    'Modulated frequency',
    'V1 a 0 SFFM(0 1 2k 3 200)\nR1 a b 1k\nC1 b 0 47n',
    'v(a) v(b)',
    '0.5u 5m',
    1e-4,
  ),
  smooth('Delayed sine', 'V1 a 0 SIN(1 2 1k 0.5m 300)\nR1 a b 1k\nC1 b 0 47n', 'v(a) v(b)', '0.5u 5m', 1e-4),
  smooth(
    'Pulses of current',
    'I1 0 a PULSE(0 1m 0.1m 10u 10u 0.2m 0.5m)\nR1 a 0 1k\nC1 a b 0.1u\nR2 b 0 2k',
    'v(a) v(b)',
    '0.5u 2m',
    1e-4,
  ),
  smooth(
    'Sub-circuits',
    'V1 a 0 SIN(0 1 1k)\nX1 a b low R=1k\nX2 b c low R=2k C=47n\nR9 c 0 10k\n.subckt low p q R=1 C=0.1u\nR1 p q {R}\nC1 q 0 {C}\n.ends',
    'v(b) v(c)',
    '1u 4m',
  ),
  smooth(
    'Nested',
    '.param base=1k\nV1 a 0 SIN(0 1 500)\nX1 a b two R={base}\nR9 b 0 {5*base}\n.subckt two p q R=1\nX1 p m one R={R}\nX2 m q one R={R/2}\n.ends\n.subckt one p q R=1\nR1 p q {R}\nC1 q 0 {100u/R}\n.ends',
    'v(b)',
    '2u 8m',
  ),
  smooth('Charged', 'C1 a 0 1u IC=5\nC2 b 0 2.2u IC=-1\nR1 a b 1k\nR2 b 0 10k', 'v(a) v(b)', '2u 5m'),
  smooth('Ringing', 'L1 a 0 10m IC=0.1\nC1 a 0 1u IC=2\nR1 a 0 1k', 'v(a)', '0.5u 2m', 1e-4),
  smooth(
    'Twenty meshes',
    `V1 n0 0 SIN(0 1 1k)\n${lines(19, (k) => `L${k} n${k - 1} n${k} 1m\nC${k} n${k} 0 0.1u\nR${k} n${k} 0 5k`)}\nR20 n19 0 100`,
    'v(n5) v(n19)',
    '0.5u 2m',
    2e-4,
  ),
  pieced('Half wave', 'V1 a 0 SIN(0 10 50)\nD1 a b DM\nR1 b 0 1k', 'v(b)', '10u 40m'),
  pieced('Peak', 'V1 a 0 SIN(0 10 50)\nD1 a b DM\nR1 b 0 1k\nC1 b 0 47u', 'v(b)', '10u 60m'),
  pieced(
    'Bridge',
    'V1 a b SIN(0 10 50)\nD1 a p DM\nD2 b p DM\nD3 0 a DM\nD4 0 b DM\nR1 p 0 1k',
    'v(p)',
    '10u 40m',
  ),
  pieced(
    'Centre tap',
    'V1 a 0 SIN(0 10 50)\nV2 b 0 SIN(0 10 50 0 0 180)\nRA a s 1\nRB b u 1\nD1 s p DM\nD2 u p DM\nR1 p 0 1k\nC1 p 0 100u',
    'v(p)',
    '10u 60m',
  ),
  pieced(
    'Doubler',
    'V1 a 0 SIN(0 10 50)\nR0 a s 1\nC1 s m 100u\nD1 0 m DM\nD2 m o DM\nC2 o 0 100u\nR1 o 0 10k',
    'v(o) v(m)',
    '10u 100m',
    1e-2,
  ),
  pieced(
    'Three phases',
    'VA a n SIN(0 10 50)\nRN n 0 100k\nVB b n SIN(0 10 50 0 0 120)\nVC c n SIN(0 10 50 0 0 240)\nD1 a p DM\nD2 b p DM\nD3 c p DM\nD4 0 a DM\nD5 0 b DM\nD6 0 c DM\nR1 p 0 100',
    'v(p)',
    '5u 40m',
    3e-2,
    true,
  ),
  pieced(
    'Series resistance',
    'V1 a 0 SIN(0 10 50)\nD1 a b DR\nR1 b 0 100\n.model DR D(IS=1e-12 N=0.01 RS=5)\nD2 a c DM\nR2 c 0 100',
    'v(b) v(c)',
    '10u 40m',
  ),
  pieced(
    'Clipper',
    'V1 a 0 SIN(0 10 50)\nR1 a b 1k\nD1 b u DM\nVU u 0 3\nD2 l b DM\nVL l 0 -2\nR2 b 0 100k',
    'v(b)',
    '10u 40m',
  ),
  pieced(
    'Freewheel',
    'V1 a 0 PULSE(0 10 0 1u 1u 0.5m 1m)\nRS a s 1\nL1 s b 10m\nR1 b 0 10\nD1 0 s DM',
    'v(b) i(L1)',
    '1u 4m',
    1e-2,
  ),
  pieced(
    'Highest of three',
    'V1 a 0 SIN(0 5 50)\nV2 b 0 SIN(0 5 70)\nV3 c 0 SIN(1 3 110)\nD1 a o DM\nD2 b o DM\nD3 c o DM\nR1 o m 1k\nVM m 0 -10',
    'v(o)',
    '5u 40m',
    5e-3,
  ),
  pieced(
    'Multiplier',
    `V1 n0 0 SIN(0 10 1k)\nR0 n0 s 10\nC1 s a1 1u\nC2 0 b1 1u\nC3 a1 a2 1u\nC4 b1 b2 1u\nD1 0 a1 DM\nD2 a1 b1 DM\nD3 b1 a2 DM\nD4 a2 b2 DM\nR1 b2 0 100k`,
    'v(b1) v(b2)',
    '1u 10m',
    2e-2,
    true,
  ),
  smooth(
    'Switched',
    `${SWITCH}\n${GATE}\nV1 a 0 5\nS1 a b g 0 SM\nRS b c 10\nR1 c 0 100\nC1 c 0 0.1u`,
    'v(b)',
    '20n 100u',
    2e-3,
  ),
  smooth(
    'Switched by current',
    '.model WM CSW(IT=5m RON=10 ROFF=1meg)\nV1 a 0 SIN(0 10 1k)\nR1 a 0 1k\nV2 c 0 5\nW1 c d V1 WM\nR2 d 0 1k\nC2 d 0 10n',
    'v(d)',
    '0.2u 2m',
    2e-3,
  ),
  pieced(
    'Buck',
    `${SWITCH}\n${GATE}\nV1 a 0 20\nS1 a s g 0 SM\nD1 0 s DM\nL1 s o 200u\nC1 o 0 10u\nR1 o 0 10`,
    'v(o)',
    '50n 1m',
  ),
  pieced(
    'Boost',
    `${SWITCH}\n${GATE}\nV1 a 0 10\nL1 a s 200u\nS1 s 0 g 0 SM\nD1 s o DM\nC1 o 0 20u\nR1 o 0 20`,
    'v(o)',
    '50n 1m',
  ),
  pieced(
    'Buck-boost',
    `${SWITCH}\n${GATE}\nV1 a 0 10\nS1 a s g 0 SM\nL1 s 0 200u\nD1 o s DM\nC1 o 0 20u\nR1 o 0 20`,
    'v(o)',
    '50n 1m',
  ),
];
