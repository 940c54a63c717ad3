/**
 * Whatever the texts of a model say, its script for Siconos has the same statements, by Python's own parser.
 */
import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import type { ModelDocument } from '@engine/document/types';
import { siconosScript } from '@engine/siconos/script';
import { nastyTexts } from '../../support/nasty-texts';
import { sample } from '../../support/prove';
import { contact, model, particle } from '../support/models';

/**
 * Of each source in a list: its statements by their kinds, those inside of others in brackets, without the
 * docstring.
 */
const READER = `
import ast, json, sys
def statements(body):
    return [type(one).__name__ + str([statements(getattr(one, part)) for part in ("body", "orelse") if isinstance(getattr(one, part, None), list)]) for one in body]
def read(source):
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError) as error:
        return {"error": repr(error)}
    if not (isinstance(tree.body[0], ast.Expr) and isinstance(tree.body[0].value, ast.Constant)):
        return {"error": "no docstring"}
    return {"statements": "".join(statements(tree.body[1:]))}
print(json.dumps([read(source) for source in json.load(sys.stdin)]))
`;

interface ReadSource {
  readonly error?: string;
  readonly statements?: string;
}

function readSources(sources: readonly string[]): ReadSource[] {
  // As a file has them: in UTF-8, where no surrogate stands alone.
  const input = JSON.stringify(sources.map((source) => Buffer.from(source, 'utf8').toString('utf8')));
  return JSON.parse(
    execFileSync('python3', ['-c', READER], { input, encoding: 'utf8', maxBuffer: 2 ** 28 }),
  ) as ReadSource[];
}

/** A model that says the text wherever one can stand, in a function that has no Python, too. */
function saying(text: string): ModelDocument {
  const inComment = text
    .replaceAll('*/', '* /')
    .replaceAll(/import\s*\(/g, 'import')
    .replaceAll(/<!--|-->/g, '');
  const document = model(
    [particle('ball', 1, 1, { fExt: { function: 'push' } })],
    [contact('floor', ['ball'], [[1]], 0.5)],
  );
  return {
    ...document,
    title: text,
    description: text,
    references: [text],
    parameters: [{ name: 'm', value: 2, unit: text.slice(0, 40) || '1', description: text }],
    observables: [{ name: 'twice', expression: '2*m', unit: text.slice(0, 40), description: text }],
    scripts: [
      {
        name: 'forces.ts',
        role: 'functions',
        source: [
          `/* ${inComment} */ export const push = (t, out) => { /* ${inComment} */ out[0] = t; };`,
          `export const spare = (t, out) => { /* ${inComment} */ out.set([t].concat(Object.keys({})));`,
          `/* ${inComment} */ };`,
        ],
      },
    ],
    layout: { nodes: {}, notes: [{ id: 'note', text, x: 0, y: 0, width: 100, height: 100 }] },
  };
}

function written(text: string): string {
  const script = siconosScript(saying(text));
  if (!script.ok) throw new Error(script.issues[0].message);
  return script.text;
}

it(
  'a text of a model cannot become a statement',
  () => {
    const texts = [
      ...[
        'a unit\rraise SystemExit',
        'x\u2028y',
        'x\u0085y',
        '"""\nraise SystemExit\n"""',
        '""""',
        'ends in \\',
        'null \0',
      ],
      ...nastyTexts(sample(24, 10_000)),
    ];
    const [plain, ...read] = readSources(['plain', ...texts].map(written));
    expect(plain.error).toBeUndefined();
    expect(plain.statements?.length).toBeGreaterThan(300);
    const differing = texts.filter((_, i) => read[i].statements !== plain.statements);
    expect(differing.map((text) => JSON.stringify(text))).toEqual([]);
  },
  sample(60_000, 1_800_000),
);
