import { describe, expect, it } from 'vitest'
import { pathBelow, plainPath, projectPath } from '../../src/text/project-path.ts'

const LINUX = '/home/ada/shop'
const WINDOWS = 'C:\\work\\shop'

describe('one file of a project is one path, whatever form names it', () => {
  it.each([
    'src/a.ts',
    './src/a.ts',
    'lib/../src/a.ts',
    'src\\a.ts',
    '/home/ada/shop/src/a.ts',
    '\\\\wsl$\\Ubuntu\\home\\ada\\shop\\src\\a.ts',
    '\\\\wsl.localhost\\Ubuntu-24.04\\home\\ada\\shop\\src\\a.ts',
    '//wsl.localhost/Ubuntu/home/ada/shop/src/a.ts',
    'file:///home/ada/shop/src/a.ts',
    'file://wsl$/Ubuntu/home/ada/shop/src/a.ts',
    'file://wsl%24/Ubuntu/home/ada/shop/src/a.ts',
    // Another machine, another place.
    'C:\\Users\\ada\\shop\\src\\a.ts',
    '/mnt/c/Users/ada/shop/src/a.ts',
    '/Users/ada/shop/src/a.ts',
  ])('%s on Linux', (path) => {
    expect(projectPath(LINUX, path)).toBe('src/a.ts')
  })

  it.each([
    'C:\\work\\shop\\src\\a.ts',
    'c:/Work/Shop/src/a.ts',
    '/mnt/c/work/shop/src/a.ts',
    '/cygdrive/c/work/shop/src/a.ts',
    'file:///C:/work/shop/src/a.ts',
    'file:///c%3A/work/shop/src/a.ts',
    '\\\\?\\C:\\work\\shop\\src\\a.ts',
    'src\\a.ts',
  ])('%s on Windows', (path) => {
    expect(projectPath(WINDOWS, path)).toBe('src/a.ts')
  })

  it.each([
    '/etc/passwd',
    '../other/a.ts',
    '/home/ada/shop',
    '.',
    'C:\\Users\\ada\\other\\a.ts',
    'file:///etc/hosts',
    '/home/ada/shop\0/a.ts',
    'file:///%',
    '',
  ])('%j is outside', (path) => {
    expect(projectPath(LINUX, path)).toBeUndefined()
  })

  it('a name with a backslash in a path of Linux stays', () => {
    expect(plainPath('/srv/a\\b.txt')).toBe('/srv/a\\b.txt')
  })
})

it('what a person names is taken from the working folder, and another folder of the same name is another', () => {
  expect(pathBelow(LINUX, `${LINUX}/src`, 'a.ts')).toBe('src/a.ts')
  expect(pathBelow(LINUX, `${LINUX}/src`, '../b.ts')).toBe('b.ts')
  expect(pathBelow(LINUX, `${LINUX}/src`, '../../x/b.ts')).toBeUndefined()
  expect(pathBelow(LINUX, LINUX, '/mnt/old/shop/a.ts')).toBeUndefined()
  expect(pathBelow(WINDOWS, 'C:\\work\\shop\\src', 'a.ts')).toBe('src/a.ts')
})

it('a path that climbs above its drive stays on the drive', () => {
  expect(plainPath('C:/../x')).toBe('c:/x')
  expect(plainPath('C:\\')).toBe('c:/')
})
