/**
 * Imported before the typesetter: it looks once, when it is loaded, whether the page is in quirks mode, which
 * is what the DOM of the tests says of itself, and would refuse to work.
 */
Object.defineProperty(document, 'compatMode', { value: 'CSS1Compat', configurable: true });
