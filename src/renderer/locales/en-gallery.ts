/** English texts of the examples gallery. */
export const enGallery = {
  gallery: {
    title: 'Examples',
    description: 'Each opens as a new model that you can change and save.',
    open: 'Open',
    search: 'Search examples',
    topics: 'Fields',
    all: 'All',
    found: '{number} example | {number} examples',
    explain: 'Explain',
    explainOne: 'Explain {title}',
    back: 'All examples',
    source: 'Sources',
    aboutModel: 'About this model',
    bare: 'The model has no description yet. Its inspector has a field for it.',
    group: {
      circuits: 'Circuits',
      mechanics: 'Mechanics with impacts',
      space: 'Bodies in space',
      control: 'Sliding modes and control',
      biology: 'Biology',
      smooth: 'Smooth systems',
      other: 'Others',
    },
  },
};
