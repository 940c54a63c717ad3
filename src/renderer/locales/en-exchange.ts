/** English texts of models and data that go out and come in. */
export const enExchange = {
  exchange: {
    exportModel: 'Export model…',
    exportTitle: 'Export model',
    exportHelp: 'The model in another form. The file of the model itself is not changed.',
    format: 'Format',
    formats: {
      'siconos-python': 'Siconos script (Python)',
      json: 'Model document (JSON)',
      svg: 'Picture of the graph (SVG)',
    },
    formatHelp: {
      'siconos-python':
        'Builds and runs the model in Siconos, and writes its states to a table. Parameters stay variables.',
      json: 'The canonical text of the document, for other programs.',
      svg: 'Systems, interactions and what links them, as vectors.',
    },
    expand: 'Spell out what builder scripts make',
    writing: 'Being written…',
    asIs: 'Everything in the model is written.',
    differs: 'Left out or different',
    refused: 'This model cannot be written so',
    save: 'Save…',
    saved: '{name} was written.',
  },
};
