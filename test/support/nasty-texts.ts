/** Texts that end comments, strings, tags and lines of many languages, for exporters to be tried with. */
import fc from 'fast-check';

/**
 * Pieces that mean something in Python, shells or XML, or that some of their readers take for the end of a
 * line.
 */
const PIECES = [
  ...[
    '\r',
    '\n',
    '\r\n',
    '\v',
    '\f',
    '\u0085',
    '\u2028',
    '\u2029',
    '\0',
    '\u001a',
    '\u001b',
    '\u007f',
    '\ufeff',
    '\ufffe',
  ],
  ...[
    '"""',
    "'''",
    '"',
    "'",
    '\\',
    '\\\\',
    '\\"',
    '\\N{BULLET}',
    '\\x',
    '\\u',
    '#',
    '"""\nraise SystemExit\n"""',
  ],
  ...[
    '&',
    '<',
    '>',
    ']]>',
    '<!--',
    '-->',
    '<?x',
    '&amp;',
    '&#0;',
    '</title>',
    '</svg>',
    '<script>',
    'href="#a"',
    'url(#a)',
  ],
  ...[
    '$x',
    '$(x)',
    '`x`',
    '${x}',
    "'\\''",
    '!',
    '~',
    '*',
    '|',
    ';',
    '\rraise SystemExit',
    '\nimport os',
    '=1+1',
    '@x',
    '-x',
  ],
  ...['\ud800', '\udc00', '\u202e', '\u2066', '\u200b', '😀', 'é', ' ', 'plain'],
];

const nastyText = (maxLength = 12): fc.Arbitrary<string> =>
  fc
    .array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ unit: 'binary', maxLength: 4 })), {
      minLength: 1,
      maxLength,
    })
    .map((pieces) => pieces.join(''))
    .filter((text) => text !== '');

/** Texts from a seed: always the same. */
export const nastyTexts = (count: number, maxLength?: number): string[] =>
  fc.sample(nastyText(maxLength), { seed: 20, numRuns: count });
