/** English texts of the examples gallery. */
export const enGallery = {
  gallery: {
    title: 'Examples',
    description: 'Each example opens as a new model that you can change and save.',
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
    bare: 'The model has no description yet. Add one in its inspector.',
    group: {
      circuits: 'Circuits',
      mechanics: 'Mechanics with impacts',
      space: '3D bodies',
      control: 'Sliding modes and control',
      biology: 'Biology',
      smooth: 'Smooth systems',
      other: 'Others',
    },
  },
};
