import { execFileSync } from 'node:child_process'
import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readToml } from '../../../../src/clients/shared/setup/settings-files.ts'
import { tempFolder } from '../../../helpers/repository.ts'

function read(toml: string | Uint8Array, folder = tempFolder()) {
  const path = join(folder, 'config.toml')
  writeFileSync(path, toml)
  return readToml(path)
}

describe('settings in TOML', () => {
  it('are read unchanged, through a link too', () => {
    const folder = tempFolder()
    const toml = 'a.b = [1, 9223372036854775807]\r\n["x.y"]\r\nz = """\r\n[no]"""\r\n'
    const expected = { a: { b: [1, 9223372036854775807n] }, 'x.y': { z: '[no]' } }
    expect(read(toml, folder)).toEqual(expected)
    symlinkSync(join(folder, 'config.toml'), join(folder, 'link.toml'))
    expect(readToml(join(folder, 'link.toml'))).toEqual(expected)
  })

  it.each([
    'not toml [ at all\n"""',
    'a = 1\na = 2',
    '[a]\n[a]',
    `a = ${'['.repeat(100_000)}`,
    `${'a.'.repeat(100_000)}b = 1\n[`,
    `a = ${'{a='.repeat(100_000)}`,
    '\0',
    `a = "${'\\u'.repeat(1000)}"`,
  ])('count as empty when they are broken or hostile (%#)', (toml) => {
    expect(read(toml)).toEqual({})
  })

  it('are read from files only: a folder counts as empty, and so does a pipe that no process writes to', () => {
    const folder = tempFolder()
    execFileSync('mkfifo', [join(folder, 'pipe')])
    for (const name of ['.', 'pipe', 'none']) expect(readToml(join(folder, name))).toEqual({})
  })

  it('cannot change what every object inherits', () => {
    read('[__proto__]\npolluted = true\n[constructor.prototype]\npolluted = true\n')
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  })

  it('law: whatever the bytes are, nothing is thrown', () => {
    const folder = tempFolder()
    const signs = fc.string({ unit: fc.constantFrom(...`[]{}="'.,#a1\n\\ut-:TZ`) })
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array({ maxLength: 200 }), signs), (toml) => {
        expect(read(toml, folder)).toBeTypeOf('object')
      }),
    )
  })
})
