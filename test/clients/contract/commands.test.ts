import { readdirSync } from 'node:fs'
import { posix } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Client } from '../../../src/clients/contract/client.ts'
import type { PackCommand, RenderedFile } from '../../../src/clients/contract/pack.ts'
import { loadCommand } from '../../../src/workspace/pack/commands.ts'
import { everyClient, HOSTILE } from './every-client.ts'

const ROOT = new URL('../../..', import.meta.url).pathname
const pack = readdirSync(new URL('commands', new URL('../../../', import.meta.url)))
  .filter((name) => name.startsWith('workspace.'))
  .map((name) => loadCommand(ROOT, name.replace(/\.md$/, '')).command)

const command = (changes: Partial<PackCommand>): PackCommand => ({
  name: 'workspace.plan',
  description: 'Plans',
  argumentHint: '<topic>',
  body: 'Plan $ARGUMENTS.',
  ...changes,
})
const words = fc.oneof(fc.string({ unit: 'binary' }), fc.constant(HOSTILE), fc.string())

describe.each(everyClient)('the commands of $id', (client) => {
  // promise: It sets up slash commands and hooks for the clients that you have.
  // promise: Codex CLI has no slash commands of one's own: type `$workspace-brainstorm <topic>` there.
  it('are the whole pack, each in a file of its own below a folder of the client', () => {
    expect(pack.length).toBeGreaterThan(8)
    const paths = pack.map((one) => client.pack.command(one).path)
    const dashed = (text: string) => text.replaceAll('.', '-')
    expect(new Set(paths).size).toBe(pack.length)
    for (const [index, path] of paths.entries()) {
      expect(dashed(path)).toContain(dashed(pack[index]!.name))
      expect(client.pack.folders.filter((folder) => path.startsWith(`${folder}/`))).toHaveLength(1)
      expect(posix.normalize(path)).toBe(path)
    }
  })

  it("are in folders of the workspace that are neither ours nor git's", () => {
    expect(client.pack.folders.length).toBeGreaterThan(0)
    for (const folder of client.pack.folders) {
      expect(posix.normalize(folder)).toBe(folder)
      expect(folder).not.toMatch(/^(?:\.|\.\.|\/|\.git|\.workspace|conversations)(?:\/|$)|\/$/)
    }
  })

  it.each(pack)('contain what the model receives of $name', (one) => {
    const { body } = decoded(client.pack.command(one))
    expect(body).toContain(client.pack.commandBody(one, placeOfArguments(client, one, body)))
  })

  it('contain what the model receives, whatever their words are', () => {
    fc.assert(
      fc.property(words, words, words, (description, argumentHint, text) => {
        const one = command({ description, argumentHint, body: `Plan.\n${text}\n$ARGUMENTS ends` })
        const file = client.pack.command(one)
        const { head, body } = decoded(file)
        const place = placeOfArguments(client, one, body)
        expect(place).not.toBe('')
        expect(body).toContain(client.pack.commandBody(one, place))
        if (head.description !== undefined) expect(head.description).toBe(description)
        expect(client.pack.command(one)).toEqual(file)
      }),
    )
  })

  it('take arguments as data', () => {
    fc.assert(
      fc.property(words, (args) => {
        expect(client.pack.commandBody(command({ body: 'Plan <$ARGUMENTS> now' }), args)).toBe(
          `Plan <${args}> now`,
        )
      }),
    )
  })

  it('get arguments at the end where they have no place for them', () => {
    const one = command({ body: '\nPlan it.\n\n' })
    expect(client.pack.commandBody(one, '')).toBe('Plan it.')
    expect(client.pack.commandBody(one, HOSTILE)).toMatch(/^Plan it\.\n/)
    expect(client.pack.commandBody(one, HOSTILE).endsWith(HOSTILE)).toBe(true)
  })
})

interface Decoded {
  head: Record<string, string>
  body: string
}

/** The words that the body of a command file has in place of the arguments; '' for a command that takes none. */
function placeOfArguments({ pack }: Client, one: PackCommand, body: string): string {
  const [before = '', after] = pack.commandBody(one, MARK).split(MARK)
  if (!one.body.includes('$ARGUMENTS') || after === undefined) return ''
  const start = body.indexOf(before) + before.length
  return body.slice(start, body.indexOf(after, start))
}

const MARK = 'WORDS THAT A PERSON TYPES'

/** A command file by its format: TOML, markdown with a front matter, or a text. */
function decoded({ path, content }: RenderedFile): Decoded {
  if (path.endsWith('.toml')) {
    // What JSON may have in a string and TOML may not.
    expect(content).not.toMatch(/[\0-\t\v-\x1f\x7f]/)
    const { prompt = '', ...head } = valuesIn(content.trimEnd().split('\n'), ' = ')
    return { head, body: prompt }
  }
  const [, front, body] = /^---\n([\s\S]*?)\n---\n\n([\s\S]*)$/.exec(content) ?? ['', '', content]
  const quoted = front!.split('\n').filter((line) => line.endsWith('"'))
  return { head: valuesIn(quoted, ': '), body: body! }
}

/** A line a value: TOML's and YAML's quoted strings are read as JSON's, of which they can do everything. */
function valuesIn(lines: string[], between: string): Record<string, string> {
  return Object.fromEntries(
    lines.map((line) => {
      const at = line.indexOf(between)
      return [line.slice(0, at), JSON.parse(line.slice(at + between.length))]
    }),
  )
}
