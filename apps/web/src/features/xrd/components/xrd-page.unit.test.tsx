import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { xrdIdentify, xrdReceive } from '@unitcell/contract/xrd';
import { expect, it } from 'vitest';
import answers from '../../../testing/answers.json';
import { renderInApp } from '../../../testing/render.tsx';
import { serve } from '../../../testing/serve.ts';
import { Page } from './xrd-page.tsx';

const received = xrdReceive.answer.parse(answers.xrdReceive);
const sigmas = received.y.map((y) => 2 * Math.sqrt(y));
const refused = { error: 'true', message: 'Not here.', code: 'x' };

async function openWithPattern() {
  const sent = serve({
    [xrdReceive.path]: { ...received, sigmas, file_name: 'scan.xye' },
    [xrdIdentify.path]: refused,
  });
  await renderInApp(<Page />);
  await userEvent.upload(screen.getByLabelText('Upload'), new File(['20 5 1\n'], 'scan.xye'));
  await screen.findByText('scan.xye');
  return sent;
}

it('an identification sends the standard deviations of the file', async () => {
  const sent = await openWithPattern();
  await userEvent.click(screen.getByText('Identify and refine', { selector: 'button *' }));
  await expect.poll(() => sent).toContainEqual(expect.objectContaining({ sigmas }));
});
