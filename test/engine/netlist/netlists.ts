/** Netlists of every kind of element, each a circuit by itself. */
const END = '.tran 1u 1m\n.end\n';

/** Bodies by what they show; a title and the end are put around them. */
export const bodies: Readonly<Record<string, string>> = {
  resistor: 'V1 a 0 10\nR1 a 0 4.7k\n',
  'resistor by a setting': 'V1 a 0 DC 10\nR1 a 0 R=1meg tc1=0.01\n',
  capacitor: 'V1 a 0 10\nR1 a b 1k\nC1 b 0 47uF IC=2.5\n',
  inductor: 'V1 a 0 10\nR1 a b 1\nL1 b 0 10mH ic=0.1\n',
  'coupled inductors': 'V1 a 0 SIN(0 1 50)\nL1 a 0 1m\nL2 b 0 4m\nK1 L1 L2 0.98\nR1 b 0 10\n',
  sine: 'V1 a 0 SIN(1 2 50 0 0 90)\nR1 a 0 1\n',
  'delayed, damped sine': 'V1 a 0 SIN(1 2 50 1m 100)\nR1 a 0 1\n',
  pulse: 'I1 0 a PULSE(0 5 1u 2u 3u 10u 20u)\nR1 a 0 1\n',
  'pulses in number': 'V1 a 0 PULSE 0 5 0 1u 1u 10u 20u 3\nR1 a 0 1\n',
  'points of time': 'V1 a 0 PWL(0 0 1u 5 2u 5 2u 1)\nR1 a 0 1\n',
  exponential: 'V1 a 0 EXP(0 1 1u 2u 5u 1u)\nR1 a 0 1\n',
  'frequency modulation': 'V1 a 0 SFFM(0 1 1k 2 100)\nR1 a 0 1\n',
  'amplitude modulation': 'V1 a 0 AM(1 0.5 100 1k 0)\nR1 a 0 1\n',
  'controlled by voltage': 'V1 a 0 1\nR1 a 0 1\nE1 b 0 a 0 2\nR2 b 0 1\nG1 0 c a 0 3\nR3 c 0 1\n',
  'controlled by current': 'V1 a 0 1\nR1 a 0 1\nF1 b 0 V1 2\nR2 b 0 1\nH1 c 0 V1 3\nR3 c 0 1\n',
  'sums of controls': 'V1 a 0 1\nR1 a 0 1\nB1 b 0 V=2*v(a) - v(b, a)/4 + sin(time)\nR2 b 0 1\n',
  'current of a formula': 'V1 a 0 1\nR1 a 0 1\nB1 0 b I={i(V1)*2 + 1}\nR2 b 0 1\n',
  polynomial: 'V1 a 0 1\nR1 a 0 1\nE1 b 0 POLY(2) a 0 b 0 0.5 2 0.25\nR2 b 0 1\n',
  'value of a formula': 'E1 b 0 VALUE={sin(2*pi*50*time)}\nR2 b 0 1\n',
  diode: 'V1 a 0 SIN(0 5 50)\nD1 a b DM 2\nR1 b 0 1k\n.model DM D(IS=1e-14 RS=0.1 N=1.2)\n',
  'forward voltage': 'V1 a 0 5\nD1 a b DM\nR1 b 0 1k\n.model DM D(Ron=10m Vfwd=0.6)\n',
  Zener: 'V1 a 0 5\nR1 a b 1k\nD1 0 b DZ\n.model DZ D BV=3.3\n',
  switch:
    'V1 a 0 5\nVC c 0 PULSE(0 1 0 1n 1n 10u 20u)\nS1 a b c 0 SM ON\nR1 b 0 1\n.model SM SW(VT=0.5 RON=1m ROFF=1meg)\n',
  'switch with hysteresis':
    'V1 a 0 5\nVC c 0 SIN(0 1 1k)\nS1 a b c 0 SM ON\nR1 b 0 1\n.model SM SW(VT=0.5 VH=0.2 RON=1m)\n',
  'switch by current': 'V1 a 0 5\nR1 a 0 1\nW1 a b V1 WM\nR2 b 0 1\n.model WM CSW IT=1 RON=2\n',
  subcircuits:
    'V1 in 0 5\nX1 in out half R=2k\nX2 out 0 half\n.subckt half a b params: R=1k\nX1 a m quarter R={R/2}\nX2 m b quarter R={R/2}\n.ends\n.subckt quarter a b R=1\nR1 a b {R}\n.ends\n',
  parameters: '.param U=5 R={2*half(U)}\n.func half(x) {x/2}\nV1 a 0 {U}\nR1 a 0 {R}\n',
  'initial voltages': 'V1 a 0 5\nR1 a b 1k\nC1 b c 1u\nC2 c 0 1u\n.ic v(b)=3 v(c)=1\n',
  'odd names': 'V+ in+ 0 5\nR-1 in+ 1 1k\nR2 1 gnd 1k\n',
};

/** The whole netlist. */
export const netlist = (body: string): string => `A circuit\n${body}${END}`;
