/**
 * What is asked of the text of a document, without the editor: whether it is one, and where things stand in
 * it.
 */
import type { ModelDocument } from '@engine/document/types';
import {
  findNodeAtLocation,
  getLocation,
  type Node,
  parseTree,
  printParseErrorCode,
  type ParseError,
} from 'jsonc-parser';
import { shapeDefect, type DocumentShapeDefect } from '../document/document-shape';
import { pointer, tokens } from '../document/pointer';

/** Why a text is no document. */
export type TextDefect =
  /** not JSON; `code` is the parser's own word for it */
  | { kind: 'syntax'; offset: number; length: number; code: string }
  | { kind: 'shape'; offset: number; length: number; defect: DocumentShapeDefect };

export type TextReading = { ok: true; document: ModelDocument } | { ok: false; defect: TextDefect };

/** A range of characters. */
export interface TextRange {
  offset: number;
  length: number;
}

const STRICT = { allowTrailingComma: false, disallowComments: true };

function syntaxDefect(source: string): TextDefect {
  const errors: ParseError[] = [];
  parseTree(source, errors, STRICT);
  const [error] = errors;
  return {
    kind: 'syntax',
    offset: error?.offset ?? source.length,
    length: error?.length ?? 0,
    code: error === undefined ? 'EndOfFileExpected' : printParseErrorCode(error.error),
  };
}

/** Node at a pointer, or the nearest one above it that is there. */
function nodeAt(root: Node, place: string): Node {
  const path = tokens(place);
  for (let length = path.length; length > 0; length--) {
    // jsonc-parser tells list entries by numbers.
    let node: Node | undefined = root;
    for (const token of path.slice(0, length)) {
      if (node === undefined) break;
      node = findNodeAtLocation(node, [node.type === 'array' ? Number(token) : token]);
    }
    if (node !== undefined) return node;
  }
  return root;
}

/** What is shown of a node: a plain value whole, of a section the key that names it, or its bracket. */
function shownRange(node: Node): TextRange {
  if (node.type !== 'object' && node.type !== 'array') return { offset: node.offset, length: node.length };
  const key = node.parent?.type === 'property' ? node.parent.children?.[0] : undefined;
  const named =
    node.type === 'object'
      ? node.children?.find(({ children }) => ['id', 'name'].includes(String(children?.[0]?.value)))
          ?.children?.[1]
      : undefined;
  const shown = key ?? named;
  return shown === undefined
    ? { offset: node.offset, length: 1 }
    : { offset: shown.offset, length: shown.length };
}

/** A text with what is worked out of it once. */
export class TextAnalysis {
  readonly #source: string;
  #root: Node | null | undefined;

  constructor(source: string) {
    this.#source = source;
  }

  #tree(): Node | null {
    this.#root ??= parseTree(this.#source, [], STRICT) ?? null;
    return this.#root;
  }

  /** Reads the text as a document of this version. */
  read(formatVersion: number): TextReading {
    let value: unknown;
    try {
      value = JSON.parse(this.#source);
    } catch {
      return { ok: false, defect: syntaxDefect(this.#source) };
    }
    const defect = shapeDefect(value, formatVersion);
    if (defect === null) return { ok: true, document: value as ModelDocument };
    const [range] = this.ranges([defect.pointer]);
    return { ok: false, defect: { kind: 'shape', ...(range ?? { offset: 0, length: 1 }), defect } };
  }

  /** Where the places of JSON pointers stand; the nearest place above where there is none. */
  ranges(pointers: readonly string[]): TextRange[] {
    const root = this.#tree();
    return pointers.map((place) =>
      root === null ? { offset: 0, length: 0 } : shownRange(nodeAt(root, place)),
    );
  }

  /** JSON pointer of what stands at a character. */
  pointerAt(offset: number): string {
    return pointer(...getLocation(this.#source, offset).path.filter((token) => token !== ''));
  }
}
