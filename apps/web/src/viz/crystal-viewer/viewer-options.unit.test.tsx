import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { renderInApp } from '../../testing/render.tsx';
import type { Repeats } from './scene.ts';
import { ViewerOptions } from './viewer-options.tsx';

const nothing = (): void => undefined;

function Options() {
  const [repeats, setRepeats] = useState<Repeats>([1, 1, 1]);
  return (
    <>
      <ViewerOptions
        cells={['given']}
        cell="given"
        onCell={nothing}
        repeats={repeats}
        onRepeats={setRepeats}
        scheme="element"
        schemes={['element']}
        onScheme={nothing}
        projection="orthographic"
        onProjection={nothing}
        onLook={nothing}
        onPicture={nothing}
        onGltf={nothing}
        onFile={nothing}
      />
      <output>{repeats.join(' × ')}</output>
    </>
  );
}

it('the number of cells can be deleted and typed again', async () => {
  await renderInApp(<Options />);
  const user = userEvent.setup();
  const box = screen.getAllByRole<HTMLInputElement>('spinbutton')[0]!;
  await user.type(box, '{Backspace}3');
  expect([box.value, screen.getByRole('status').textContent]).toEqual(['3', '3 × 1 × 1']);
});
