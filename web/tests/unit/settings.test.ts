import { describe, expect, it } from 'vitest';
import { routeOf } from '../../src/router';
import { settingsFrom } from '../../src/settings';
import { TOKEN } from './game';

describe('settings', () => {
  it('reads back what it wrote', () => {
    const kept = { ...settingsFrom(null), theme: 'dark' as const, hints: true, lastGame: TOKEN };
    expect(settingsFrom(JSON.stringify(kept))).toEqual(kept);
  });

  it('takes nothing of the wrong kind from the storage', () => {
    const usual = settingsFrom(null);
    const texts = [
      '',
      '{',
      'null',
      '7',
      '[]',
      '{"theme":"pink","hints":"yes","guests":[1],"lastGame":4}',
    ];
    for (const text of texts) expect(settingsFrom(text)).toEqual(usual);
  });
});

describe('addresses', () => {
  it.each([
    ['/', { page: 'play' }],
    [`/g/${TOKEN}`, { page: 'game', token: TOKEN }],
    [`/review/${TOKEN}/`, { page: 'review', token: TOKEN }],
    ['/p/4453', { page: 'position', moves: '4453' }],
    ['/p/', { page: 'position', moves: '' }],
    ['/statistics', { page: 'statistics' }],
    ['/about', { page: 'about' }],
  ])('knows %s', (path, route) => expect(routeOf(path)).toEqual(route));

  it.each(['/g/', '/g/xyz', `/g/${TOKEN}/more`, '/p/4444444', '/p/9', '/about/us', '/nothing'])(
    'does not know %s',
    (path) => expect(routeOf(path)).toMatchObject({ page: 'unknown' }),
  );
});
