/** What publications report about compounds as coatings. Facts in our own words, each read in the abstract of its source. */
import { parseFormula, reducedFormula } from '@unitcell/crystal';
import type { MessageKey } from '../../messages/messages.ts';

const SOURCES = {
  Aykol2016: ['Aykol et al., Nat. Commun. 7, 13779 (2016)', '10.1038/ncomms13779'],
  Cheng2022: ['Cheng, Fong, Persson, J. Mater. Chem. A (2022)', '10.1039/D2TA06051E'],
  Liang2023: ['Liang et al., Nat. Commun. 14, 146 (2023)', '10.1038/s41467-022-35667-7'],
  CommunMater2025: ['Commun. Mater. (2025), s43246-025-00870-8', '10.1038/s43246-025-00870-8'],
  Lepley2013: ['Lepley, Holzwarth, Du, Phys. Rev. B 88, 104103 (2013)', '10.1103/PhysRevB.88.104103'],
  Takada2018: ['Takada et al., ACS Energy Lett. 3, 98 (2018)', null],
} as const;

type Fact = readonly [fact: MessageKey, source: keyof typeof SOURCES, formulas: readonly string[]];

const FACTS: readonly Fact[] = [
  ['coatings.literature.lowers-resistance', 'Takada2018', ['LiNbO3']],
  ['coatings.literature.deposited', 'Liang2023', ['Li3PO4']],
  ['coatings.literature.amorphous-film', 'CommunMater2025', ['Li3PO4']],
  ['coatings.literature.stable-to-lithium', 'Lepley2013', ['Li3PO4']],
  ['coatings.literature.barrier', 'Aykol2016', ['WO3', 'LiAl5O8', 'ZrP2O7']],
  [
    'coatings.literature.scavenger',
    'Aykol2016',
    ['Sc2O3', 'Li2CaGeO4', 'LiBO2', 'Li3NbO4', 'Mg3(BO3)2', 'Li2MgSiO4'],
  ],
  ['coatings.literature.best-for-LiCoO2', 'Aykol2016', ['Li2SrSiO4', 'Li2CaSiO4', 'CaIn2O4']],
  ['coatings.literature.best-for-LiMn2O4', 'Aykol2016', ['Li2GeO3', 'Li4NiTeO6', 'Li2MnO3']],
  ['coatings.literature.common', 'Aykol2016', ['Al2O3', 'ZnO', 'MgO', 'ZrO2']],
  [
    'coatings.literature.amorphous',
    'Cheng2022',
    ['Li3B11O18', 'LiZr2(PO4)3', 'LiB3O5', 'LiPO3', 'LiSb3O8', 'LiAlSiO4', 'LiTaSiO5'],
  ],
];

export interface LiteratureFact {
  readonly fact: MessageKey;
  readonly reference: string;
  readonly doi: string | null;
}

const BY_FORMULA = new Map<string, LiteratureFact[]>();
for (const [fact, source, formulas] of FACTS)
  for (const formula of formulas) {
    const stored = reducedFormula(parseFormula(formula));
    const [reference, doi] = SOURCES[source];
    BY_FORMULA.set(stored, [...(BY_FORMULA.get(stored) ?? []), { fact, reference, doi }]);
  }

/** The facts about compounds of this formula (in stored form), experiments first. */
export const literatureOf = (formulaReduced: string): readonly LiteratureFact[] =>
  BY_FORMULA.get(formulaReduced) ?? [];
