/** A drop zone for files with a button that opens the file chooser. */
import { type DragEvent, type ReactNode, useId, useState } from 'react';
import classes from './panel.module.css';

interface FileDropProps {
  readonly name: string;
  readonly label: string;
  /** Hint beside the button that files can be dropped. */
  readonly hint: string;
  readonly accept: string;
  readonly isDisabled: boolean;
  readonly onFiles: (files: readonly File[]) => void;
  /** Name of the current file. */
  readonly fileName?: string | undefined;
  /** Limits, shown below. */
  readonly children?: ReactNode;
}

export function FileDrop(props: FileDropProps) {
  const { name, label, hint, accept, isDisabled, onFiles, fileName, children } = props;
  const [isOver, setIsOver] = useState(false);
  const inputId = useId();
  const take = (files: readonly File[]): void => {
    if (files.length > 0 && !isDisabled) onFiles(files);
  };
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setIsOver(false);
    take([...event.dataTransfer.files]);
  };
  return (
    // Keyboard users use the label inside; dropping is for the mouse.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      className={`uc-panel ${classes.drop}`}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
    >
      <input
        id={inputId}
        className="uc-visually-hidden"
        type="file"
        name={name}
        accept={accept}
        disabled={isDisabled}
        onChange={(event) => {
          const files = [...(event.currentTarget.files ?? [])];
          // Reset the input, so that choosing the same file again fires a change event.
          event.currentTarget.value = '';
          take(files);
        }}
      />
      <label htmlFor={inputId} className={classes.choose} aria-disabled={isDisabled || undefined}>
        {label}
      </label>
      <span className="uc-hint">{hint}</span>
      {fileName !== undefined && (
        <span key={fileName} className={classes.fileName} translate="no">
          {fileName}
        </span>
      )}
      {children}
    </div>
  );
}
