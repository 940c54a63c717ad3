/** Models to begin with: each an example without its story. */

interface Template {
  id: 'mechanism' | 'circuit' | 'converter' | 'impact' | 'bodies' | 'script';
  example: string;
}

export const TEMPLATES: readonly Template[] = [
  { id: 'mechanism', example: 'friction-belt-drawn' },
  { id: 'circuit', example: 'half-wave-rectifier' },
  { id: 'converter', example: 'buck-voltage-mode' },
  { id: 'impact', example: 'bouncing-ball' },
  { id: 'bodies', example: 'box-tower' },
  { id: 'script', example: 'bead-column' },
];
