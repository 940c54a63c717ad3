/** Statements of netlists, parsed by a grammar. */
import * as ohm from 'ohm-js';
import {
  binary,
  type BinaryOperator,
  call,
  choice,
  type Formula,
  name,
  number,
  probe,
  unary,
} from './formula';
import { type Line, NetlistError, type Place } from './source';

/** A part of a statement. */
export type Item = { readonly place: Place } & (
  | { readonly kind: 'word' | 'text'; readonly text: string }
  | { readonly kind: 'formula'; readonly formula: Formula }
  /** in parentheses */
  | { readonly kind: 'group'; readonly items: readonly Item[] }
  /** `key=value`; of `v(out)=1` the group stands before the = */
  | {
      readonly kind: 'setting';
      readonly key: string;
      readonly group: readonly Item[] | null;
      readonly value: Item;
    }
);

/** A statement: its words as they are written, or what they define. */
export type Statement = { readonly line: Line; readonly place: Place; readonly head: string } & (
  | { readonly kind: 'plain'; readonly items: readonly Item[] }
  | {
      readonly kind: 'behaviour';
      readonly nodes: readonly Item[];
      readonly of: 'v' | 'i';
      readonly formula: Formula;
      readonly settings: readonly Item[];
    }
  | { readonly kind: 'parameters'; readonly definitions: readonly Definition[] }
  | {
      readonly kind: 'function';
      readonly called: string;
      readonly arguments: readonly string[];
      readonly formula: Formula;
    }
);

export interface Definition {
  readonly name: string;
  readonly formula: Formula;
  readonly place: Place;
}

const grammar = ohm.grammar(String.raw`
Netlist {
  Statement = Behaviour | Parameters | Function | Plain

  Behaviour = &caseInsensitive<"b"> word word word quantity "=" Formula Item*
  quantity = (caseInsensitive<"v"> | caseInsensitive<"i">) ~wordPart
  Parameters = (caseInsensitive<".params"> | caseInsensitive<".param">) Definition+
  Definition = name "=" Formula ","?
  Function = caseInsensitive<".func"> name "(" ListOf<name, ","> ")" "="? Formula
  Plain = Item+

  Item = (Setting | Group | Braced | Text | Word) ","?
  Setting = word Group? "=" Operand
  Operand = Group | Braced | Text | Word
  Group = "(" ","? Item* ")"
  Braced = "{" Formula "}" -- braces
         | "'" Formula "'" -- quotes
  Text = "\"" inText* "\""
  inText = ~"\"" any
  Word = word
  word = wordPart+
  wordPart = ~(space | "(" | ")" | "{" | "}" | "'" | "\"" | "=" | ",") any

  Formula = Or "?" Formula ":" Formula -- choice
          | Or
  Or = And (("||" | "|") And)*
  And = Comparison (("&&" | "&") Comparison)*
  Comparison = Sum comparison Sum -- compared
             | Sum
  comparison = "<=" | ">=" | "==" | "!=" | "<" | ">"
  Sum = Product (("+" | "-") Product)*
  Product = Signed (timesSign Signed)*
  timesSign = "*" ~"*" | "/" | "%"
  Signed = ("-" | "+" | "!") Signed -- sign
         | Power
  Power = Primary ("**" | "^") Signed -- power
        | Primary
  Primary = "(" Formula ")" -- group
          | Braced
          | number
          | Probe
          | Call
          | name
  Probe = quantityOf "(" word ("," word)? ")"
  quantityOf = (caseInsensitive<"v"> | caseInsensitive<"i">) &(space* "(")
  Call = name "(" ListOf<Formula, ","> ")"
  number = digits suffix*
  digits = mantissa exponent?
  mantissa = digit+ "." digit* -- point
           | digit+ -- whole
           | "." digit+ -- fraction
  exponent = caseInsensitive<"e"> ("+" | "-")? digit+
  suffix = letter | "_" | "%" | "\uFFFD"
  name = (letter | "_") (alnum | "_" | "." | "#")*
}`);

/** Powers of ten of engineering suffixes; the unit behind them means nothing. */
const SUFFIXES: Readonly<Record<string, number>> = {
  t: 12,
  g: 9,
  k: 3,
  m: -3,
  u: -6,
  µ: -6,
  μ: -6,
  /** µ of a file in another encoding */
  '\uFFFD': -6,
  n: -9,
  p: -12,
  f: -15,
  a: -18,
};

const NUMBER = /^([+-]?(?:\d+\.?\d*|\.\d+))(?:e([+-]?\d+))?([a-zµμ\uFFFD°Ω%_]*)$/i;

/** A number as SPICE writes it, rounded once; null for anything else. */
export function numberOf(text: string): number | null {
  const found = NUMBER.exec(text);
  if (found === null) return null;
  const [, digits, exponent = '0', letters] = found;
  const suffix = letters.toLowerCase();
  if (suffix.startsWith('meg')) return Number(`${digits}e${Number(exponent) + 6}`);
  if (suffix.startsWith('mil')) return Number(`${digits}e${exponent}`) * 25.4e-6;
  const power = suffix === '' ? 0 : ((SUFFIXES as Partial<typeof SUFFIXES>)[suffix[0]] ?? 0);
  return Number(`${digits}e${Number(exponent) + power}`);
}

/** The operations below, which the declarations of the library know nothing of. */
interface Operations {
  formula(line: Line): Formula;
  item(line: Line): Item;
  definition(line: Line): Definition;
  statement(line: Line): Statement;
}
const acting = (node: unknown): Operations => node as Operations;

const placed = (node: ohm.Node, line: Line): Place => ({
  source: line.source,
  offset: line.offset + node.source.startIdx,
});

const semantics = grammar.createSemantics();

const leftToRight = (first: Formula, operators: readonly string[], rest: readonly Formula[]): Formula =>
  rest.reduce((left, right, k) => bounded(binary(operators[k] as BinaryOperator, left, right)), first);

/** Deeper formulas than any circuit has; bounds the recursions over them. */
const MAX_DEPTH = 300;
class TooDeep extends Error {}

function bounded(formula: Formula): Formula {
  if (formula.depth > MAX_DEPTH) throw new TooDeep();
  return formula;
}

const formulaOf = (node: ohm.Node, line: Line): Formula => bounded(acting(node).formula(line));
const signs = (node: ohm.Node): string[] => node.children.map(({ sourceString }) => sourceString);
const formulasOf = (node: ohm.Node, line: Line): Formula[] =>
  node.children.map((child) => formulaOf(child, line));

semantics.addOperation<Formula>('formula(line)', {
  Formula_choice(this: ohm.Node, c, _q, a, _c, b) {
    const { line } = this.args as { line: Line };
    return choice(formulaOf(c, line), formulaOf(a, line), formulaOf(b, line));
  },
  Or(this: ohm.Node, first, operators, rest) {
    const { line } = this.args as { line: Line };
    return leftToRight(
      formulaOf(first, line),
      signs(operators).map(() => '||'),
      formulasOf(rest, line),
    );
  },
  And(this: ohm.Node, first, operators, rest) {
    const { line } = this.args as { line: Line };
    return leftToRight(
      formulaOf(first, line),
      signs(operators).map(() => '&&'),
      formulasOf(rest, line),
    );
  },
  Comparison_compared(this: ohm.Node, a, operator, b) {
    const { line } = this.args as { line: Line };
    return binary(operator.sourceString as BinaryOperator, formulaOf(a, line), formulaOf(b, line));
  },
  Sum(this: ohm.Node, first, operators, rest) {
    const { line } = this.args as { line: Line };
    return leftToRight(formulaOf(first, line), signs(operators), formulasOf(rest, line));
  },
  Product(this: ohm.Node, first, operators, rest) {
    const { line } = this.args as { line: Line };
    return leftToRight(formulaOf(first, line), signs(operators), formulasOf(rest, line));
  },
  Signed_sign(this: ohm.Node, sign, value) {
    const { line } = this.args as { line: Line };
    const inner = formulaOf(value, line);
    return sign.sourceString === '+' ? inner : unary(sign.sourceString as '-' | '!', inner);
  },
  Power_power(this: ohm.Node, a, _operator, b) {
    const { line } = this.args as { line: Line };
    return binary('^', formulaOf(a, line), formulaOf(b, line));
  },
  Primary_group(this: ohm.Node, _open, inner, _close) {
    return formulaOf(inner, (this.args as { line: Line }).line);
  },
  Braced_braces(this: ohm.Node, _open, inner, _close) {
    return formulaOf(inner, (this.args as { line: Line }).line);
  },
  Braced_quotes(this: ohm.Node, _open, inner, _close) {
    return formulaOf(inner, (this.args as { line: Line }).line);
  },
  Probe(this: ohm.Node, quantity, _open, first, _comma, second, _close) {
    const { line } = this.args as { line: Line };
    const names = [first.sourceString, ...signs(second)];
    return probe(quantity.sourceString.trim().toLowerCase() as 'v' | 'i', names, placed(this, line));
  },
  Call(this: ohm.Node, called, _open, list, _close) {
    const { line } = this.args as { line: Line };
    return call(called.sourceString, formulasOf(list.asIteration(), line), placed(this, line));
  },
  number(this: ohm.Node, _digits, _suffix) {
    return number(numberOf(this.sourceString) ?? NaN);
  },
  name(this: ohm.Node, _first, _rest) {
    return name(this.sourceString, placed(this, (this.args as { line: Line }).line));
  },
});

const itemOf = (node: ohm.Node, line: Line): Item => acting(node).item(line);

semantics.addOperation<Item>('item(line)', {
  Item(this: ohm.Node, item, _comma) {
    return itemOf(item, (this.args as { line: Line }).line);
  },
  Setting(this: ohm.Node, key, group, _equals, value) {
    const { line } = this.args as { line: Line };
    const [inner] = group.children.map((child) => itemOf(child, line));
    return {
      kind: 'setting',
      key: key.sourceString.toLowerCase(),
      group: inner?.kind === 'group' ? inner.items : null,
      value: itemOf(value, line),
      place: placed(this, line),
    };
  },
  Group(this: ohm.Node, _open, _comma, items, _close) {
    const { line } = this.args as { line: Line };
    const inner = items.children.map((child) => itemOf(child, line));
    return { kind: 'group', items: inner, place: placed(this, line) };
  },
  Braced(this: ohm.Node, inner) {
    const { line } = this.args as { line: Line };
    return { kind: 'formula', formula: formulaOf(inner, line), place: placed(this, line) };
  },
  Text(this: ohm.Node, _open, inner, _close) {
    const { line } = this.args as { line: Line };
    return { kind: 'text', text: inner.sourceString, place: placed(this, line) };
  },
  word(this: ohm.Node, _parts) {
    const { line } = this.args as { line: Line };
    return { kind: 'word', text: this.sourceString, place: placed(this, line) };
  },
});

semantics.addOperation<Statement>('statement(line)', {
  Behaviour(this: ohm.Node, _b, head, first, second, quantity, _equals, formula, settings) {
    const { line } = this.args as { line: Line };
    return {
      kind: 'behaviour',
      line,
      place: placed(head, line),
      head: head.sourceString,
      nodes: [itemOf(first, line), itemOf(second, line)],
      of: quantity.sourceString.toLowerCase() as 'v' | 'i',
      formula: formulaOf(formula, line),
      settings: settings.children.map((child) => itemOf(child, line)),
    };
  },
  Parameters(this: ohm.Node, head, definitions) {
    const { line } = this.args as { line: Line };
    return {
      kind: 'parameters',
      line,
      place: placed(this, line),
      head: head.sourceString.toLowerCase(),
      definitions: definitions.children.map((child) => acting(child).definition(line)),
    };
  },
  Function(this: ohm.Node, head, called, _open, names, _close, _equals, formula) {
    const { line } = this.args as { line: Line };
    return {
      kind: 'function',
      line,
      place: placed(this, line),
      head: head.sourceString.toLowerCase(),
      called: called.sourceString.toLowerCase(),
      arguments: names.asIteration().children.map((child) => child.sourceString.toLowerCase()),
      formula: formulaOf(formula, line),
    };
  },
  Plain(this: ohm.Node, items) {
    const { line } = this.args as { line: Line };
    const all = items.children.map((child) => itemOf(child, line));
    const [first] = all;
    const head = first.kind === 'word' ? first.text : '';
    return { kind: 'plain', line, place: first.place, head, items: all.slice(1) };
  },
});

semantics.addOperation<Definition>('definition(line)', {
  Definition(this: ohm.Node, named, _equals, formula, _comma) {
    const { line } = this.args as { line: Line };
    return {
      name: named.sourceString.toLowerCase(),
      formula: formulaOf(formula, line),
      place: placed(this, line),
    };
  },
});

/** Parentheses and signs in a row that a recursion would follow. */
const MAX_NESTING = 100;

/** @throws {NetlistError} `netlist-syntax` at the place from which it cannot be read */
export function parseStatement(line: Line): Statement {
  const tooDeep = (): NetlistError =>
    new NetlistError('netlist-depth', 'This statement is nested too deeply.', 'Write it in parts.', {
      source: line.source,
      offset: line.offset,
    });
  if (nesting(line.text) > MAX_NESTING) throw tooDeep();
  const match = grammar.match(line.text, 'Statement');
  if (match.failed()) {
    // Written in a way of its own, which is not read: that is not what is wrong.
    const other = /^\s*[EG]\S*\s.*?\b(table|laplace|freq)\b/i.exec(line.text);
    if (other !== null)
      throw new NetlistError(
        'netlist-element',
        `“${other[1]}” of a controlled source is not modelled.`,
        'Write what it does as a formula of a B source, or by elements of its own.',
        { source: line.source, offset: line.offset },
      );
    const at = match.getRightmostFailurePosition();
    const offset = line.offset + at;
    const found = at >= line.text.trimEnd().length ? 'the end of the line' : `“${line.text[at]}”`;
    throw new NetlistError(
      'netlist-syntax',
      `This cannot be read: ${found} stands where ${expected(match)} would do.`,
      'Correct the statement.',
      { source: line.source, offset },
    );
  }
  try {
    return acting(semantics(match)).statement(line);
  } catch (error) {
    if (hasCause(error, TooDeep)) throw tooDeep();
    throw error;
  }
}

/** Ohm wraps what its actions throw. */
function hasCause(error: unknown, type: typeof TooDeep): boolean {
  for (let e: unknown = error; e instanceof Error; e = e.cause) if (e instanceof type) return true;
  return false;
}

/** The deepest recursion that its brackets, signs, powers and choices can lead to. */
function nesting(text: string): number {
  let [depth, deepest, run] = [0, 0, 0];
  for (const character of text) {
    if ('({'.includes(character)) depth++;
    if (')}'.includes(character)) depth--;
    if ('-+!'.includes(character)) run++;
    else if (character !== ' ') run = 0;
    deepest = Math.max(deepest, depth, run);
  }
  return Math.max(deepest, text.split(/\^|\*\*|\?/).length - 1);
}

function expected(match: ohm.MatchResult): string {
  // Its declarations leave this method out.
  const all = (match as unknown as { getRightmostFailures(): unknown[] }).getRightmostFailures().map(String);
  const distinct = [...new Set(all)].filter((one) => !one.startsWith('not ') && one !== 'a space');
  if (distinct.length === 0 || distinct.length > 6) return 'something else';
  return distinct.join(' or ');
}
