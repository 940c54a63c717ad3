/** SHA-256 of a text, at once: that of the browser answers later. */
import { sha256 as digest } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/** @returns 64 hexadecimal digits of the text in UTF-8 */
export const sha256 = (text: string): string => bytesToHex(digest(utf8ToBytes(text)));
