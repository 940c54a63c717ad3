/**
 * Texts in XML, such as SVG: what means something there is written as what it is, and what XML does not have
 * is left out.
 */

/** All but the characters of XML 1.0, https://www.w3.org/TR/xml/#charsets. */
const NOT_IN_XML = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A drawing that another library has made, without characters that no reader of XML takes. */
export const xmlCharacters = (xml: string): string => xml.replaceAll(NOT_IN_XML, '\uFFFD');

/** A text between tags, or between the quotes of an attribute. */
export const xmlText = (text: string): string =>
  xmlCharacters(text).replaceAll(/[&<>"']/g, (character) => ENTITIES[character]);
