/** English texts of finding and replacing in the model. */
export const enFind = {
  find: {
    title: 'Find',
    label: 'Find in model',
    what: 'What to find',
    mode: { text: 'Words anywhere', parameter: 'Uses of a parameter' },
    query: 'Find in names, expressions, scripts, texts',
    matchCase: 'Match case',
    parameter: 'Parameter',
    by: 'Replace with',
    byParameter: 'Replace with a name, a parameter or a value',
    replace: 'Replace ({count})',
    replaceLabel: 'Replace {from} with {to}',
    found: '{number} place | {number} places',
    tooMany: 'The first {limit} places',
    all: 'All',
    none: 'None',
    results: 'Places found',
    tick: 'Replace at {place}',
    unsure: 'perhaps',
    change: {
      rename: 'The parameter will be renamed to {to}, here and in the ticked places.',
      parameter: 'The ticked places will use the parameter {to}. {from} itself stays.',
      value: 'The ticked places will hold {to}. {from} itself stays.',
      refused: '{to} is the name of an element or observable. Choose another one.',
    },
    refusedNames:
      '{names} kept its name: the new one is taken or not valid. | These kept their names because the new ones are taken or not valid: {names}.',
    uses: 'Uses of {name}…',
    usesShort: 'Find and replace',
  },
} as const;
