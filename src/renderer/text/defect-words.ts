/** What is wrong with a text, in words. */
import { text, type TextKey } from '../i18n';
import type { TextDefect } from './analysis';

const SYNTAX: Readonly<Record<string, TextKey>> = {
  CommaExpected: 'text.syntax.comma',
  ColonExpected: 'text.syntax.colon',
  PropertyNameExpected: 'text.syntax.property',
  ValueExpected: 'text.syntax.value',
  CloseBraceExpected: 'text.syntax.brace',
  CloseBracketExpected: 'text.syntax.bracket',
  UnexpectedEndOfString: 'text.syntax.string',
  UnexpectedEndOfNumber: 'text.syntax.number',
  InvalidNumberFormat: 'text.syntax.number',
  EndOfFileExpected: 'text.syntax.end',
  InvalidCommentToken: 'text.syntax.comment',
  UnexpectedEndOfComment: 'text.syntax.comment',
};

/** Line, column, what is wrong there, and what holds meanwhile. */
export function defectWords(
  defect: TextDefect,
  { lineNumber, column }: { lineNumber: number; column: number },
): string {
  const what =
    defect.kind === 'syntax'
      ? text(SYNTAX[defect.code] ?? 'text.syntax.symbol')
      : text(`text.shape.${defect.defect.expected}`, { place: defect.defect.pointer || '/' });
  return text('text.defect', { line: lineNumber, column, what });
}
