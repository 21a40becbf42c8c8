/** A QR code, drawn here: what is in it goes nowhere. */
import { useMemo } from 'react';
import { encode } from 'uqr';
import classes from './panel.module.css';

/** Modules kept clear around the code, as ISO/IEC 18004 wants. */
const QUIET_ZONE = 4;

interface QrCodeProps {
  readonly text: string;
  readonly label: string;
  readonly className?: string;
}

export function QrCode({ text, label, className = '' }: QrCodeProps) {
  const { size, path } = useMemo(() => {
    const code = encode(text, { ecc: 'M', border: QUIET_ZONE });
    const modules = code.data.flatMap((row, y) =>
      row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')),
    );
    return { size: code.size, path: modules.join('') };
  }, [text]);
  return (
    <svg
      className={`uc-panel ${classes.code} ${className}`}
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
    >
      <path d={path} shapeRendering="crispEdges" />
    </svg>
  );
}
