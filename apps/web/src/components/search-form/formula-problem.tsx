/** Explains in the language of the page why a formula is invalid, by the error codes of `@unitcell/crystal`. */
import type { CrystalError } from '@unitcell/crystal';
import { defineTexts, useTexts } from '../../i18n/texts.ts';

const texts = defineTexts('formula-problem', {
  en: {
    'formula-too-long': 'This formula has {{length}} characters; the limit is {{limit}}',
    'formula-amount': 'Position {{position}}: the amount {{found}} is not between 0 and {{limit}}',
    'formula-too-many-atoms': 'Position {{position}}: more than {{limit}} atoms of {{element}}',
    'formula-element-expected': 'Position {{position}}: an element symbol is missing here',
    'formula-unknown-element': 'Position {{position}}: “{{found}}” is not an element symbol',
    'formula-unopened-bracket': 'Position {{position}}: “{{found}}” has no opening bracket',
    'formula-wrong-bracket':
      'Position {{position}}: “{{found}}” does not match the bracket at position {{opened}}; expected “{{expected}}”',
    'formula-empty-brackets': 'Position {{position}}: the brackets are empty',
    'formula-dot-in-brackets': 'Position {{position}}: a dot cannot be inside brackets',
    'formula-unexpected':
      'Position {{position}}: unexpected “{{found}}”. A formula has symbols, amounts and brackets: Li3PS4',
    'formula-open-bracket': 'The bracket at position {{position}} is not closed: “{{expected}}” is missing',
    other: 'This formula cannot be read',
  },
  zh: {
    'formula-too-long': '化学式有 {{length}} 个字符，最多 {{limit}} 个',
    'formula-amount': '第 {{position}} 个字符：数量 {{found}} 不在 0 到 {{limit}} 之间',
    'formula-too-many-atoms': '第 {{position}} 个字符：{{element}} 原子超过 {{limit}} 个',
    'formula-element-expected': '第 {{position}} 个字符处缺少元素符号',
    'formula-unknown-element': '第 {{position}} 个字符：“{{found}}”不是元素符号',
    'formula-unopened-bracket': '第 {{position}} 个字符：“{{found}}”没有对应的左括号',
    'formula-wrong-bracket':
      '第 {{position}} 个字符：“{{found}}”与第 {{opened}} 个字符处的左括号不匹配，应为“{{expected}}”',
    'formula-empty-brackets': '第 {{position}} 个字符：括号为空',
    'formula-dot-in-brackets': '第 {{position}} 个字符：括号内不能有点号',
    'formula-unexpected':
      '第 {{position}} 个字符：不应出现“{{found}}”；化学式由元素符号、数量和括号组成，例如 Li3PS4',
    'formula-open-bracket': '第 {{position}} 个字符处的括号没有闭合，缺少“{{expected}}”',
    other: '无法识别此化学式',
  },
});

type Reason = keyof typeof texts.en;

const isReason = (reason: string): reason is Reason => Object.hasOwn(texts.en, reason);

/** Longer quotes from the input are cut. */
const MAX_CHARACTERS = 40;

export type FormulaProblem = Pick<CrystalError, 'reason' | 'parameters'>;

export function FormulaProblemText({ problem }: { readonly problem: FormulaProblem }) {
  const { t } = useTexts(texts);
  const value = (name: string): string => {
    const found = problem.parameters[name];
    return typeof found === 'string' || typeof found === 'number'
      ? String(found).slice(0, MAX_CHARACTERS)
      : '';
  };
  return t(isReason(problem.reason) ? problem.reason : 'other', {
    position: value('position'),
    opened: value('opened'),
    found: value('found'),
    expected: value('expected'),
    element: value('element'),
    length: value('length'),
    limit: value('limit'),
  });
}
