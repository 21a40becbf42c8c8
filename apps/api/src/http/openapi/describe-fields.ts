/** Puts into schemas what their fields and positions mean: meaning, unit (`x-unit`), and the names of positions. */
import { MATCH_ROW_FIELDS, WINDOW_ROW_FIELDS } from '@unitcell/contract';
import { accountMeanings } from './meanings/account-meanings.ts';
import { collectionMeanings, screenMeanings } from './meanings/screen-meanings.ts';
import { designMeanings, predictedMeanings, predictionMeanings } from './meanings/prediction-meanings.ts';
import { matdataMeanings, relatedMeanings, releaseMeanings } from './meanings/matdata-meanings.ts';
import { phaseMeanings } from './meanings/phase-meanings.ts';
import { sharedMeanings } from './meanings/shared-meanings.ts';
import {
  aboutMeanings,
  run4uMeanings,
  tightBindingMeanings,
  topologyMeanings,
  xrdMeanings,
} from './meanings/tool-meanings.ts';
import type { Json } from './refusal-responses.ts';

const MEANINGS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  account: accountMeanings,
  collections: collectionMeanings,
  matdata: {
    ...predictedMeanings,
    ...matdataMeanings,
    ...screenMeanings,
    ...relatedMeanings,
    ...releaseMeanings,
  },
  prediction: predictionMeanings,
  design: designMeanings,
  'phase-diagram': phaseMeanings,
  ecwindow: phaseMeanings,
  'interface-reaction': phaseMeanings,
  xrd: xrdMeanings,
  run4u: run4uMeanings,
  'tight-binding': tightBindingMeanings,
  topology: topologyMeanings,
  about: aboutMeanings,
};

/** Names of the positions of rows that do not come from the table of fields. */
const POSITIONS: Readonly<Record<string, readonly string[]>> = {
  ecwindow: WINDOW_ROW_FIELDS,
  xrd: MATCH_ROW_FIELDS,
};

/** The call a schema belongs to. */
export interface Owner {
  readonly name: string;
  readonly group: string;
}

/** `Length. {Å}` → its two parts. */
function withUnit(text: string): Json {
  const [, meaning = text, unit] = /^(.*) \{(.+)\}$/.exec(text) ?? [];
  return unit === undefined
    ? { description: text }
    : { description: `${meaning} In ${unit}.`, 'x-unit': unit };
}

/** What a field means: the nearest to the call wins. */
function meaningOf({ name: call, group }: Owner, name: string, parent: string): Json {
  for (const table of [MEANINGS[group] ?? {}, sharedMeanings])
    for (const key of [`${call}:${name}`, `${parent}.${name}`, name]) {
      const text = table[key];
      if (text !== undefined) return withUnit(text);
    }
  return {};
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const saysIt = (schema: Json): boolean =>
  'description' in schema ||
  [schema.anyOf, schema.oneOf].some(
    (members) => Array.isArray(members) && members.some((it) => 'description' in it),
  );

/** A copy of `schema` in which every field and named position says what it is. */
export function describeFields(schema: unknown, owner: Owner, parent = ''): unknown {
  if (Array.isArray(schema)) return schema.map((member) => describeFields(member, owner, parent));
  if (!isObject(schema)) return schema;
  const said = (value: unknown, name: string): unknown => {
    const walked = describeFields(value, owner, name);
    return isObject(walked) && !saysIt(walked) ? { ...walked, ...meaningOf(owner, name, parent) } : walked;
  };
  const copy: Json = {};
  for (const [key, value] of Object.entries(schema))
    if (key === 'properties' && isObject(value))
      copy[key] = Object.fromEntries(Object.entries(value).map(([name, field]) => [name, said(field, name)]));
    else if (key === 'prefixItems' && Array.isArray(value)) {
      const names = parent === 'results' ? POSITIONS[owner.group] : undefined;
      copy[key] = value.map((position, index) => {
        const title = names?.[index];
        return title === undefined
          ? describeFields(position, owner, parent)
          : { title, ...(said(position, title) as Json) };
      });
    } else if (['items', 'additionalProperties', 'anyOf', 'oneOf', 'allOf'].includes(key))
      copy[key] = describeFields(value, owner, parent);
    else copy[key] = value;
  return copy;
}
