import { afterEach, expect, it } from 'vitest';
import { shownSetup } from './shown-setup.ts';

const { prepareStackTrace } = Error;
afterEach(() => {
  Error.prepareStackTrace = prepareStackTrace;
});

it('an error of a set-up shows its message although vitest cannot map its stack', async () => {
  Error.prepareStackTrace = () => {
    throw new TypeError('code.charCodeAt is not a function');
  };
  const setup = shownSetup(async () => {
    throw new Error('Building the api failed');
  });
  const error = await setup('project').catch((reason: Error) => reason);
  expect(error.stack).toContain('Error: Building the api failed\n    at ');
});
