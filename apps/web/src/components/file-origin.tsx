/** Provenance written into exported files. Each part of a page adds its facts to those of the parts around it. */
import { createContext, type ReactNode, useContext, useMemo } from 'react';
import { downloadBlob, downloadText } from '../lib/download.ts';
import { today } from '../lib/format.ts';
import {
  csvWithOrigin,
  jsonWithOrigin,
  type OriginFact,
  pngWithOrigin,
  svgWithOrigin,
} from '../lib/file-origin.ts';

const Origin = createContext<readonly OriginFact[]>([]);

interface FileOriginProps {
  readonly facts: readonly OriginFact[];
  readonly children: ReactNode;
}

export function FileOrigin({ facts, children }: FileOriginProps) {
  const outer = useContext(Origin);
  const all = useMemo(() => {
    const labels = new Set(facts.map(([label]) => label));
    return [...outer.filter(([label]) => !labels.has(label)), ...facts];
  }, [outer, facts]);
  return <Origin.Provider value={all}>{children}</Origin.Provider>;
}

export interface Download {
  readonly csv: (fileName: string, csv: string) => void;
  readonly json: (fileName: string, content: object) => void;
  readonly svg: (fileName: string, svg: string) => void;
  /** An image as the data URL that a canvas or a chart returns: PNG or SVG. */
  readonly picture: (fileName: string, url: string) => void;
  readonly png: (fileName: string, picture: Blob) => Promise<void>;
}

const bytesOf = (url: string): Uint8Array<ArrayBuffer> => {
  const comma = url.indexOf(',');
  const [head, body] = [url.slice(0, comma), url.slice(comma + 1)];
  if (!head.endsWith(';base64')) return new TextEncoder().encode(decodeURIComponent(body));
  return Uint8Array.from(atob(body), (character) => character.codePointAt(0) ?? 0);
};

/** Facts of the surrounding parts, plus the page address and the date. */
export function useOriginFacts(): () => readonly OriginFact[] {
  const facts = useContext(Origin);
  return () => [
    ...(facts.some(([label]) => label === 'address') ? [] : [['address', location.href] as const]),
    ...facts,
    ['downloaded', today()],
  ];
}

/** Returns functions that save files with their provenance embedded. */
export function useDownload(): Download {
  const facts = useOriginFacts();
  const svg = (fileName: string, content: string): void =>
    downloadText(fileName, svgWithOrigin(content, facts()), 'image/svg+xml');
  const png = (fileName: string, bytes: Uint8Array): void =>
    downloadBlob(
      fileName,
      new Blob([pngWithOrigin(bytes, facts()) as Uint8Array<ArrayBuffer>], { type: 'image/png' }),
    );
  return {
    csv: (fileName, content) => downloadText(fileName, csvWithOrigin(content, facts()), 'text/csv'),
    json: (fileName, content) => downloadText(fileName, jsonWithOrigin(content, facts()), 'application/json'),
    svg,
    picture(fileName, url) {
      const bytes = bytesOf(url);
      if (url.startsWith('data:image/svg+xml')) svg(fileName, new TextDecoder().decode(bytes));
      else png(fileName, bytes);
    },
    png: async (fileName, picture) => png(fileName, new Uint8Array(await picture.arrayBuffer())),
  };
}
