import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { read, recordsOf } from './clients/claude/transcript.ts'

const root = join(import.meta.dirname, '..')
const files = ['test/fixtures', 'templates'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name)),
)

describe('what was recorded elsewhere', () => {
  it('was recorded in a home of nobody', () => {
    const folders = files.flatMap((path) =>
      [...readFileSync(path, 'utf8').matchAll(/"cwd": ?"([^"]*)"/g)].map(([, folder]) => folder!),
    )
    expect(folders.length).toBeGreaterThan(0)
    expect(
      folders.filter((folder) => !/^(?:file:\/\/|<cwd>\\n)?\/home\/(dev|you)(\/|$)/.test(folder)),
    ).toEqual([])
  })

  it('names no folder of the machine that it was made on', () => {
    const naming = files.filter((path) =>
      /\/(?:work|tmp|var|private|Users)\/[^\s"'\\]*(?:cortext|shared|wt)\b/.test(readFileSync(path, 'utf8')),
    )
    expect(naming).toEqual([])
  })

  it('the demo is a whole conversation: nothing unknown, nothing unreadable, its last answer there', () => {
    const bytes = readFileSync(join(root, 'templates/demo/claude.jsonl'))
    const { report, facts, messages } = read(bytes)
    expect(recordsOf(bytes).length).toBeGreaterThan(0)
    expect(report.unknown).toEqual({})
    expect(report.unreadable).toEqual([])
    expect(facts.settled).toBe(true)
    expect(messages.filter(({ event }) => event !== undefined)).toEqual([])
    expect(messages[0]?.content).toMatch(/^\/workspace\.brainstorm /)
    expect(messages.at(-1)?.role).toBe('assistant')
  })
})
