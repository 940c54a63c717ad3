import { MoreauError } from '@contract/errors';

/** Where the queue is. */
export class QueueAddress {
  private constructor(readonly url: URL) {}

  /**
   * @param password where the address has none
   * @throws {MoreauError} `invalid-queue`
   */
  static read(text: string, password = ''): QueueAddress {
    const url = URL.canParse(text) ? new URL(text) : null;
    if (url !== null && ['redis:', 'rediss:'].includes(url.protocol) && url.hostname !== '') {
      if (url.password === '') url.password = password;
      return new QueueAddress(url);
    }
    throw new MoreauError({
      // Not the text: it may hold a password.
      code: 'invalid-queue',
      message: 'The address of the queue cannot be read.',
      remedy: 'Write it as redis://HOST:PORT, or rediss://USER:PASSWORD@HOST:PORT if it is encrypted.',
    });
  }

  /** Without its password. */
  toString(): string {
    const { protocol, host, pathname } = this.url;
    return `${protocol}//${host}${pathname === '/' ? '' : pathname}`;
  }
}
