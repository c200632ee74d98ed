import { expect, test } from 'vitest'
import { withoutPlaces } from '../../src/extras/without-places.ts'
import type { Workspace } from '../../src/workspace/open.ts'

const ws = { root: '/home/ada/work/shop', environment: { home: '/home/ada' } } as Workspace

test.each([
  ['/home/ada/work/shop/src/a.ts', 'src/a.ts'],
  ['cd /home/ada/work/shop && ls', 'cd . && ls'],
  ['/home/ada/work/shop-two/a.ts', '~/work/shop-two/a.ts'],
  ['/home/ada/notes.txt and /home/ada.', '~/notes.txt and ~.'],
  ['/home/adam/x', '~/x'],
  ['"cwd":"/home/ada"', '"cwd":"~"'],
  ['/Users/grace/x, C:\\Users\\grace\\x and "C:\\\\Users\\\\grace\\\\x"', '~/x, ~\\x and "~\\\\x"'],
  ['https://example.org/home/ada/x', 'https://example.org/home/ada/x'],
  ['backup/home/ada/x', 'backup/home/ada/x'],
  ['/home/', '/home/'],
])('%s', (text, short) => {
  expect(withoutPlaces(ws)(text)).toBe(short)
  expect(withoutPlaces(ws)(`x ${text} y`)).toBe(`x ${short} y`)
})
