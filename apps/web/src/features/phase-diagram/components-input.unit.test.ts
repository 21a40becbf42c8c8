import { describe, expect, it } from 'vitest';
import { chosenElements, componentsOf, findComponentsProblem, toggleComponent } from './components-input.ts';

describe('the components typed', () => {
  it('are separated by spaces, commas or hyphens, each once', () => {
    expect(componentsOf(' Li  Mn,O-Li ')).toEqual(['Li', 'Mn', 'O']);
  });

  it('gain the element clicked and lose it with a second click', () => {
    expect(toggleComponent('Li2O Mn', 'O')).toBe('Li2O Mn O');
    expect(toggleComponent('Li2O Mn O', 'Mn')).toBe('Li2O O');
    expect([...chosenElements('Li Mn')]).toEqual(['Li', 'Mn']);
  });

  it.each([
    ['', null],
    ['Li Mn O', null],
    ['Li2O Mn O', null],
    ['Li', { key: 'tooFew', count: 1 }],
    ['H He Li Be B', { key: 'tooMany', count: 5 }],
    ['Xx O', { key: 'badComponent', text: 'Xx' }],
    ['<b> O', { key: 'badComponent', text: '<b>' }],
  ])('%j', (input, problem) => {
    expect(findComponentsProblem(input)).toEqual(problem);
  });
});
