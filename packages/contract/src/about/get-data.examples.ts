/** An answer from a fresh install; lists and texts are shortened. */

export const examples = {
  getData: {
    response: {
      compounds: 1671,
      band_structures: 25,
      phase_diagrams: 349,
      team: [
        {
          avatar: '',
          name: 'Sample Person A',
          ename: 'Sample Person A',
          title: 'Principal investigator (sample entry: replace with your own)',
        },
      ],
      developers: [{ name: 'Sample Developer A', title: 'Server and pipeline (sample entry)' }],
      news: [
        {
          title:
            'Sample news: this text comes with a fresh install. Edit seed-data/content or the database to replace it.',
          link: '/about',
        },
      ],
      milestion: [
        {
          date: '2026-01',
          content: 'Sample milestone: your group decides to run its own materials database',
        },
      ],
      advisory_board: [
        {
          avatar: '',
          name: 'Sample Adviser A',
          ename: 'Sample Adviser A',
          title: 'Crystallography (sample entry)',
        },
      ],
      publications: [
        {
          title:
            'Jain et al., Commentary: The Materials Project, APL Materials 1, 011002 (2013): source of the computed energies of the seed',
          link: 'https://doi.org/10.1063/1.4812323',
        },
      ],
      supporters: [{ name: 'Your institute (sample entry)', link: '/about', logo: '' }],
      contact: '',
      user_agreement: '<h1>User agreement</h1>\n<p>…</p>',
      privacy_policy: '<h1>Privacy policy</h1>\n<p>…</p>',
      is_sample: true,
    },
  },
} as const;
