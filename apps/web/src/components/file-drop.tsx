/** A frame to drop files on, with a button in it for those who would rather choose. */
import { type DragEvent, type ReactNode, useId, useState } from 'react';
import classes from './panel.module.css';

interface FileDropProps {
  /** Name of the field. */
  readonly name: string;
  /** On the button. */
  readonly label: string;
  /** Beside the button: that files may be dropped. */
  readonly hint: string;
  /** Endings the file chooser offers. */
  readonly accept: string;
  readonly isDisabled: boolean;
  readonly onFiles: (files: readonly File[]) => void;
  /** Of the file that is there. */
  readonly fileName?: string | undefined;
  /** Below: limits. */
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
    // The label inside is the keyboard's way; dropping is the mouse's.
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
          // The same file may be chosen again after it was mended.
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
