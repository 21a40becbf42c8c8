/** A QR code, generated in the browser: its content is not sent anywhere. */
import { useMemo } from 'react';
import { encode } from 'uqr';
import classes from './panel.module.css';

/** Width of the quiet zone in modules, required by ISO/IEC 18004. */
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
