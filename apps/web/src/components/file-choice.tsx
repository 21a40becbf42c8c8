/** A button that opens the file chooser. Its child draws the button. */
import { FileButton, type FileButtonProps } from '@mantine/core';
import type { MouseEvent } from 'react';

// Mantine keeps the last file in its input, and choosing that file again would fire no change event.
const INPUT = {
  onClick: ({ currentTarget }: MouseEvent<HTMLInputElement>) => {
    currentTarget.value = '';
  },
};

export function FileChoice<Multiple extends boolean = false>(props: FileButtonProps<Multiple>) {
  return <FileButton {...props} inputProps={INPUT} />;
}
