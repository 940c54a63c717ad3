/**
 * Whatever the texts of a model say, they stay texts in what is written of it: pictures are XML, and words of
 * the shell are words.
 */
import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import type { ModelDocument } from '@engine/document/types';
import { composedSvg } from '@figures/dashboard-picture';
import { notePicture } from '@figures/note-picture';
import { LIGHT_PLOT } from '@figures/palette';
import { tablePicture } from '@views/table/drawing';
import { xmlText } from '@figures/xml-text';
import { drawSvg, withFontNames } from '@main/export/figures/svg';
import { svgModel } from '@main/export/model/svg';
import { slurmScript } from '@main/sweep/slurm';
import { contact, model, particle } from '../engine/support/models';
import { nastyTexts } from '../support/nasty-texts';
import { sample } from '../support/prove';

/** Of each text: names of its elements in their order, and the text in them; or why it is no XML. */
const READER = `
import json, sys
from xml.etree import ElementTree
def read(text):
    try:
        root = ElementTree.fromstring(text.encode("utf-8"))
    except (ElementTree.ParseError, UnicodeEncodeError) as error:
        return {"error": repr(error)}
    return {"tags": [node.tag.split("}")[-1] for node in root.iter()], "texts": [node.text or "" for node in root.iter()]}
print(json.dumps([read(text) for text in json.load(sys.stdin)]))
`;

interface ReadXml {
  readonly error?: string;
  readonly tags?: readonly string[];
  readonly texts?: readonly string[];
}

function readXml(texts: readonly string[]): ReadXml[] {
  const input = JSON.stringify(texts.map((text) => Buffer.from(text, 'utf8').toString('utf8')));
  return JSON.parse(
    execFileSync('python3', ['-c', READER], { input, encoding: 'utf8', maxBuffer: 2 ** 28 }),
  ) as ReadXml[];
}

/** Thousands of drawings take minutes. */
const TIMEOUT_MS = sample(60_000, 1_800_000);

const TEXTS = nastyTexts(sample(80, 5000));

/** What a reader of XML gets of a text: line ends are one, and what is no character is replaced. */
const received = (text: string): string =>
  text
    .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
    .replaceAll(/\r\n?/g, '\n');

it('a text in XML is the same text for its reader', () => {
  const read = readXml(TEXTS.map((text) => `<a b="${xmlText(text)}">${xmlText(text)}</a>`));
  expect(read.map(({ texts }) => texts?.[0])).toEqual(TEXTS.map(received));
});

describe('a picture is XML with the same elements', () => {
  const theme = LIGHT_PLOT;
  const sides = { width: 300, height: 200 };
  const chart = (text: string): Promise<string> =>
    drawSvg(
      {
        animation: false,
        legend: { data: [text] },
        xAxis: { type: 'value', name: text },
        yAxis: { type: 'value', name: text },
        series: [
          {
            type: 'line',
            name: text,
            data: [
              [0, 0],
              [1, 1],
            ],
          },
        ],
      },
      sides.width,
      sides.height,
    );

  it.each<[string, (text: string) => string | Promise<string>]>([
    [
      'of a graph',
      (text) => {
        const document = model([particle('ball', 1, 0)], [contact('floor', ['ball'], [[1]], 0)]);
        const expanded: ModelDocument = {
          ...document,
          title: text,
          layout: {
            nodes: { ball: { x: 0, y: 0 }, floor: { x: 300, y: 0 } },
            groups: [
              { id: 'g', name: text, members: ['ball'] },
              { id: 'c', name: text, members: ['floor'], collapsed: true },
            ],
            notes: [
              {
                id: 'n',
                text: text.replaceAll(/[\n ]/g, '_').slice(0, 5),
                x: 0,
                y: 200,
                width: 400,
                height: 60,
              },
            ],
          },
        };
        return svgModel.write({ document: expanded, expanded } as Parameters<typeof svgModel.write>[0]).text;
      },
    ],
    [
      'of a table',
      (text) =>
        tablePicture({
          columns: [{ name: text, unit: text }],
          numbers: [0],
          values: [[1]],
          total: 1,
          style: {},
          hasNoNumbers: undefined,
          theme,
          ...sides,
        }),
    ],
    ['of a note', (text) => notePicture(text, { theme, ...sides })],
    [
      'of several plots',
      (text) =>
        composedSvg(
          [
            {
              id: 'a',
              title: text,
              box: { left: 0, top: 20, ...sides },
              content: { svg: notePicture(text, { theme, ...sides }) },
            },
          ],
          sides,
          theme,
        ),
    ],
    ['of a chart', async (text) => withFontNames(await chart(text))],
  ])(
    '%s',
    async (name, draw) => {
      const texts = name === 'of a chart' ? TEXTS.slice(0, sample(8, 1000)) : TEXTS;
      const drawings = await Promise.all(['plain', ...texts].map(async (text) => draw(text)));
      const [plain, ...read] = readXml(drawings);
      expect(plain.error).toBeUndefined();
      const isSame = ({ tags }: ReadXml): boolean =>
        // Lines of charts and tables may be cut or divided; no other elements come of that.
        name === 'of a chart'
          ? tags !== undefined &&
            [...new Set(tags)].every((tag) =>
              [
                'svg',
                'rect',
                'path',
                'g',
                'text',
                'tspan',
                'defs',
                'clipPath',
                'style',
                'circle',
                'line',
                'polyline',
                'polygon',
                'ellipse',
              ].includes(tag),
            )
          : JSON.stringify(tags) === JSON.stringify(plain.tags);
      const differing = texts.filter((_, i) => !isSame(read[i]));
      expect(differing.map((text) => JSON.stringify(text))).toEqual([]);
    },
    TIMEOUT_MS,
  );
});

it('names of files and folders are one word each in the script for Slurm', () => {
  // A file cannot have a null in its name, and names are UTF-8.
  const names = TEXTS.map((text) => Buffer.from(text.replaceAll('\0', ''), 'utf8').toString('utf8'));
  const scripts = names.map((name) => slurmScript({ job: name, out: name, folder: name, shares: 3 }));
  const said = scripts.map((script) => {
    const from = script.indexOf('cd -- ');
    const words = script.slice(from, script.indexOf('share="${', from)).replace('cd -- ', 'folder=');
    return `${words}\nprintf '%s\\0%s\\0%s\\0' "$folder" "$job" "$out"\n`;
  });
  const output = execFileSync('bash', ['-s'], { input: said.join(''), encoding: 'utf8', maxBuffer: 2 ** 28 });
  expect(output.split('\0').slice(0, -1)).toEqual(names.flatMap((name) => [name, name, name]));
  // Nothing before them belongs to the names.
  const heads = scripts.map((script) => script.slice(0, script.indexOf('cd -- ')));
  expect(new Set(heads).size).toBe(1);
  execFileSync('bash', ['-n', '-s'], { input: scripts.join('\n'), encoding: 'utf8' });
});
