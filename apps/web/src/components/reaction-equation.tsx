/** A balanced equation as the server writes it (`0.5 Li2O + FeO → …`), typeset. */
import { Formula } from './formula.tsx';

const TERM = /^(?:([\d.]+) )?(.+)$/;

function Side({ text }: { readonly text: string }) {
  return text.split(' + ').map((term, index) => {
    const [, amount = '', formula = term] = TERM.exec(term) ?? [];
    return (
      <span key={term}>
        {index > 0 && ' + '}
        {amount !== '' && `${amount} `}
        <Formula text={formula} />
      </span>
    );
  });
}

export function ReactionEquation({ text }: { readonly text: string }) {
  const [left = '', right] = text.split(' → ');
  return (
    <>
      <Side text={left} />
      {right !== undefined && (
        <>
          {' → '}
          <Side text={right} />
        </>
      )}
    </>
  );
}
