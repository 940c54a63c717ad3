/** Why a text is not an expression of this language. */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError';

  /** @param remedy what would do, where that is known */
  constructor(
    message: string,
    readonly remedy: string | null = null,
  ) {
    super(message);
  }
}
