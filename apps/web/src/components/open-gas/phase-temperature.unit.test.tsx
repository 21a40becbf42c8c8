import { useQuery } from '@tanstack/react-query';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { renderInApp } from '../../testing/render.tsx';
import { TemperatureSlider } from './phase-temperature.tsx';

it('the slider requests the next temperature after each answer, and skips those passed meanwhile', async () => {
  const asked: (number | null)[] = [];
  let answer = (): void => {};
  function Page() {
    const [temperature, setTemperature] = useState<number | null>(null);
    useQuery({
      queryKey: ['diagram', temperature],
      queryFn: () => {
        asked.push(temperature);
        return new Promise((done) => {
          answer = () => done('');
        });
      },
    });
    return <TemperatureSlider temperature={temperature} onChange={setTemperature} />;
  }
  await renderInApp(<Page />);
  const slider = screen.getByRole('slider');
  await waitFor(() => expect(asked).toEqual([null]));
  for (let press = 0; press < 4; press++) fireEvent.keyDown(slider, { key: 'ArrowRight' });
  expect(slider.getAttribute('aria-valuetext')).toBe('375 K');
  await act(
    () =>
      new Promise<void>((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)))),
  );
  expect(asked).toEqual([null]);
  await act(async () => answer());
  await waitFor(() => expect(asked).toEqual([null, 375]));
});
