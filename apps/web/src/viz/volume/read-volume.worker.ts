/** Reads a file with volumetric data, so that the page does not wait. */
import { CrystalError, isAbinitVolume, readAbinitVolume, readVolume } from '@unitcell/crystal';
import type { VolumeAnswer } from './read-volume-file.ts';
import { volumeNumbers } from './volume-numbers.ts';

// A worker has no target origin; the rule is about windows.
// oxlint-disable-next-line unicorn/require-post-message-target-origin
const tell = (answer: VolumeAnswer): void => self.postMessage(answer);

async function read(file: File): Promise<VolumeAnswer> {
  try {
    const bytes = new Uint8Array(await file.arrayBuffer());
    const volume = isAbinitVolume(bytes)
      ? readAbinitVolume(bytes)
      : readVolume(new TextDecoder().decode(bytes), file.name);
    return {
      volume,
      numbers: volumeNumbers(volume.values),
      secondNumbers: volume.secondSpin ? volumeNumbers(volume.secondSpin) : undefined,
    };
  } catch (error) {
    if (!(error instanceof CrystalError)) return { refusal: undefined };
    const { code, message, line, reason, parameters } = error;
    return { refusal: { code, message, line, why: { ...parameters, reason } } };
  }
}

self.addEventListener('message', ({ data }: MessageEvent<File>) => {
  void read(data).then(tell);
});
