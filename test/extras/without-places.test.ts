import { expect, test } from 'vitest'
import { withoutPlaces } from '../../src/extras/without-places.ts'
import type { Workspace } from '../../src/workspace/open.ts'

const ws = { root: '/home/ada/work/shop', environment: { home: '/home/ada' } } as Workspace

test.each([
  ['/home/ada/work/shop/src/a.ts', 'src/a.ts'],
  ['cd /home/ada/work/shop && ls', 'cd . && ls'],
  ['/home/ada/work/shop-two/a.ts', '~/work/shop-two/a.ts'],
  ['/home/ada/work/shopé/a.ts', '~/work/shopé/a.ts'],
  ['/home/ada/work/shop/über.ts', 'über.ts'],
  ['/home/ada/notes.txt and /home/ada.', '~/notes.txt and ~.'],
  ['/home/adam/x', '~/x'],
  ['"cwd":"/home/ada"', '"cwd":"~"'],
  ['/Users/grace/x, C:\\Users\\grace\\x and "C:\\\\Users\\\\grace\\\\x"', '~/x, ~\\x and "~\\\\x"'],
  ['https://example.org/home/ada/x', 'https://example.org/home/ada/x'],
  ['backup/home/ada/x', 'backup/home/ada/x'],
  ['cd\n/home/ada/work/shop\nls /home/ada\n/home/grace\n', 'cd\n.\nls ~\n~\n'],
  ['/home/', '/home/'],
  ['\\\\wsl$\\Ubuntu\\home\\ada\\work\\shop\\src\\a.ts', 'src/a.ts'],
  ['(file:///home/ada/work/shop/src/a.ts)', '(src/a.ts)'],
  ['//wsl.localhost/Debian/home/ada/x', '//wsl.localhost/Debian/home/ada/x'],
  ['\\\\wsl.localhost\\Debian\\home\\ada\\x', '~/x'],
  ['/mnt/c/work/shop and D:\\x', '/mnt/c/work/shop and D:\\x'],
  [
    'file:///home/grace/x and file:///C:/Users/grace/x or C:/Users/grace/y',
    'file://~/x and file:///~/x or ~/y',
  ],
  ['/mnt/c/Users/grace/x.png and /c/Users/grace/y', '~/x.png and ~/y'],
  ['/mnt/c/home/x', '/mnt/c/home/x'],
  ['~/.claude/projects/-home-grace-work-shop/a.jsonl', '~/.claude/projects/-~-work-shop/a.jsonl'],
  ['~/.pi/agent/sessions/--Users-grace-shop--/a.jsonl', '~/.pi/agent/sessions/--~-shop--/a.jsonl'],
])('%s', (text, short) => {
  expect(withoutPlaces(ws)(text)).toBe(short)
  expect(withoutPlaces(ws)(`x ${text} y`)).toBe(`x ${short} y`)
})

test('in a value, each text and each key is shortened, and everything else stays', () => {
  const value = {
    '/home/ada/a': ['/home/ada/work/shop/b', 1, null, true],
    n: { text: '"/home/ada/work/shop"' },
  }
  expect(withoutPlaces(ws)(value)).toEqual({ '~/a': ['b', 1, null, true], n: { text: '"."' } })
})

test('a workspace on Windows', () => {
  const there = { root: 'C:\\work\\shop', environment: { home: 'C:\\Users\\ada' } } as Workspace
  expect(withoutPlaces(there)('C:\\work\\shop\\src\\a.ts in C:\\work\\shop of C:\\Users\\ada\\x')).toBe(
    'src\\a.ts in . of ~\\x',
  )
  expect(withoutPlaces(there)('/mnt/c/work/shop/src/a.ts in file:///C:/work/shop of c:\\users\\Ada\\x')).toBe(
    'src/a.ts in . of ~/x',
  )
})
