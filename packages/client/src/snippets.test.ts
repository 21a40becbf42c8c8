import { screenMaterials, getEnergyScales, xrdMatch } from '@unitcell/contract/calls';
import { describe, expect, it } from 'vitest';
import { SNIPPET_LANGUAGES, snippetOf } from './snippets.ts';

const site = 'http://127.0.0.1:3000';

describe('snippetOf', () => {
  it('keeps every character of a request', () => {
    const body = {
      filter: 'name = "d\'Ans\\" AND x = $HOME',
      fields: ['a', 'b'],
      limit: 20,
      own: null,
      yes: true,
    };
    const shell = snippetOf({ call: screenMaterials, body, site, language: 'curl' }).code;
    const data = /--data '([\s\S]*)'\n$/.exec(shell)?.[1]?.replaceAll("'\\''", "'") ?? '';
    expect(JSON.parse(data)).toEqual(body);
    const script = snippetOf({ call: screenMaterials, body, site, language: 'typescript' }).code;
    expect(JSON.parse(/screenMaterials, (\{[\s\S]*\})\);/.exec(script)?.[1] ?? '')).toEqual(body);
    expect(snippetOf({ call: screenMaterials, body, site, language: 'python' }).code).toContain(
      '"own": None',
    );
  });

  it('requests texts in the language of the page', () => {
    const codes = (texts?: 'zh') =>
      SNIPPET_LANGUAGES.map(
        (language) =>
          snippetOf({
            call: getEnergyScales,
            body: undefined,
            site,
            language,
            ...(texts ? { texts } : {}),
          }).code,
      );
    for (const code of codes('zh')) expect(code).toMatch(/Accept-Language: zh|language(?:=|: )["']zh["']/);
    const [curl, ...clients] = codes();
    expect(curl).toContain('Accept-Language: en');
    for (const code of clients) expect(code).not.toContain('language');
  });

  it('contains the address at which the site serves the client library', () => {
    const [, ...clients] = SNIPPET_LANGUAGES.map(
      (language) => snippetOf({ call: getEnergyScales, body: undefined, site, language }).code,
    );
    for (const code of clients)
      expect(code).toMatch(/^(#|\/\/) (pip|npm) install http:\/\/127.0.0.1:3000\/clients\//);
  });

  it('sends no body with a GET', () => {
    for (const language of SNIPPET_LANGUAGES) {
      const { code, request } = snippetOf({ call: getEnergyScales, body: undefined, site, language });
      expect(request).toBeNull();
      expect(code).not.toMatch(/data|\{\}/);
    }
  });

  it('puts a long request into a file next to the program', () => {
    const body = { xrd_data: { x: Array.from({ length: 1000 }, (_, index) => index / 10), y: [] } };
    for (const language of SNIPPET_LANGUAGES) {
      const { code, request } = snippetOf({ call: xrdMatch, body, site, language });
      expect(code.length).toBeLessThan(600);
      expect(code).toContain('request.json');
      expect(JSON.parse(request ?? '')).toEqual(body);
    }
  });
});
