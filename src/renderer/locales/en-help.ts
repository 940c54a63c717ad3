/** Texts of the help pane. The pages themselves are in `docs`. */
export const enHelp = {
  help: {
    title: 'Help',
    open: 'Help',
    onThis: 'Help on what is selected',
    tutorial: 'First session',
    back: 'Back',
    forward: 'Forward',
    home: 'Contents',
    search: 'Search help',
    found: 'Pages found: {count}',
    none: 'Nothing found. Try fewer or different words.',
    waiting: 'Waiting for the engine to deliver the pages.',
    missing: 'There is no page {path}.',
    contents: 'All pages',
    notNow: '“{command}” cannot run now. {reason}',
    sections: {
      tutorials: 'Tutorials',
      'how-to': 'How to',
      reference: 'Reference',
      theory: 'Theory',
    },
  },
};
