import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '../../..')
const text = readFileSync(join(ROOT, 'dist/opencode-plugin.js'), 'utf8')

const SCRIPT = pathToFileURL(join(ROOT, 'scripts/opencode-plugin.mjs')).href
const BUILD = `import { openCodePlugin } from '${SCRIPT}'; process.stdout.write(JSON.stringify(await openCodePlugin()))`

/** Built once more, by a process of its own in another folder. */
const again: { text: string; sources: string[] } = JSON.parse(
  execFileSync(process.execPath, ['--input-type=module', '--eval', BUILD], {
    cwd: tmpdir(),
    encoding: 'utf8',
  }),
)

describe('the file of the plugin', () => {
  it('is the same at every build, since workspaces recognise it by its hash', () => {
    expect(again.text).toBe(text)
    expect(text).not.toContain(ROOT)
  })

  it('is made of its own sources, and of two small ones that the rest of the program uses as well', () => {
    const own = 'src/clients/opencode/plugin/'
    expect(again.sources).toContain(`${own}index.ts`)
    expect(again.sources.filter((path) => !path.startsWith(own))).toEqual([
      'src/clients/opencode/data-folder.ts',
      'src/clients/shared/setup/allowed-calls.ts',
    ])
  })

  it('loads nothing but modules of node that Bun has too, and nothing later: a missing file cannot break the client', () => {
    const imports = [...text.matchAll(/\bfrom "([^"]+)"/g)].map(([, name]) => name!)
    expect(imports.length).toBeGreaterThan(4)
    expect(imports.filter((name) => !name.startsWith('node:') || !isBuiltin(name))).toEqual([])
    expect(text).not.toMatch(/\bimport\(|\brequire\(|^import "/m)
  })

  it('says what it is to a person who finds it in a repository, and can be read', () => {
    expect(text).toMatch(/^\/\/ Records the conversations of this workspace for cortext\..*cortext uninstall/)
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThan(200)
  })
})
