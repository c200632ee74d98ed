import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
// @ts-expect-error a script without types
import { pluginIds } from '../../../scripts/plugins.mjs'
import { everyClient } from './every-client.ts'

const ROOT = join(import.meta.dirname, '../../..')
const SCRIPT = pathToFileURL(join(ROOT, 'scripts/plugins.mjs')).href
const ids: string[] = pluginIds

/** Built once more, by a process of its own in another folder. */
function again(id: string): { text: string; sources: string[] } {
  const build = `import { pluginOf } from '${SCRIPT}'; process.stdout.write(JSON.stringify(await pluginOf('${id}')))`
  return JSON.parse(
    execFileSync(process.execPath, ['--input-type=module', '--eval', build], {
      cwd: tmpdir(),
      encoding: 'utf8',
    }),
  )
}

it('the clients that bring a file of the program into a workspace are those with a plugin', () => {
  const bringing = everyClient.filter(({ pack }) => {
    let asked = false
    pack.files?.((path) => {
      asked ||= path.endsWith('-plugin.js')
      return ''
    })
    return asked
  })
  expect(bringing.map(({ id }) => id).sort()).toEqual([...ids].sort())
})

describe.each(ids)('the file of the plugin of %s', (id) => {
  const text = readFileSync(join(ROOT, `dist/${id}-plugin.js`), 'utf8')
  const built = again(id)

  it('is the same at every build, since workspaces recognise it by its hash', () => {
    expect(built.text).toBe(text)
    expect(text).not.toContain(ROOT)
  })

  it('is made of its own sources, and of small ones that the rest of the program uses as well', () => {
    const own = `src/clients/${id}/`
    expect(built.sources).toContain(`${own}plugin/index.ts`)
    const others = built.sources.filter((path) => !path.startsWith(`${own}plugin/`))
    for (const path of others) expect(path).toMatch(new RegExp(`^(?:${own}|src/clients/shared/)`))
    expect(others.length).toBeLessThan(5)
  })

  it('loads nothing but modules of node that Bun has too, and nothing later: a missing file cannot break the client', () => {
    const imports = [...text.matchAll(/\bfrom "([^"]+)"/g)].map(([, name]) => name!)
    expect(imports.length).toBeGreaterThan(0)
    expect(imports.filter((name) => !name.startsWith('node:') || !isBuiltin(name))).toEqual([])
    expect(text).not.toMatch(/\bimport\(|\brequire\(|^import "/m)
  })

  // promise: OpenCode and Pi get a plugin file instead.
  it('says what it is to a person who finds it in a repository, and can be read', () => {
    expect(text).toMatch(/^\/\/ Records the conversations of workspaces for cortext\..*cortext uninstall/)
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThan(200)
  })
})
