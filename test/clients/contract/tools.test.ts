import { describe, expect, it } from 'vitest'
import type { Deed } from '../../../src/session/tool-use.ts'
import { everyClient, everyFixture } from './every-client.ts'

const recorded = everyFixture.filter(({ title }) => title.endsWith('/recorded'))

describe.each(recorded)('the tools that were called in $title', ({ client, raw }) => {
  const { vocabulary } = client.tools
  const calls = client.reading.read(raw).messages.flatMap(({ tool_calls = [] }) => tool_calls)
  const argumentsFor = (deed: Deed) =>
    calls.flatMap(({ name, arguments: given }) =>
      [vocabulary[name]?.[deed] ?? []].flat().map((argument) => (given as Record<string, unknown>)[argument]),
    )

  it('have their arguments named: the command that was run, the file that was read', () => {
    expect(argumentsFor('shell').filter((command) => typeof command === 'string').length).toBeGreaterThan(0)
    expect(argumentsFor('reads').filter((path) => typeof path === 'string').length).toBeGreaterThan(0)
  })
})

describe.each(everyClient)('the tools of $id', ({ tools }) => {
  it('have one effect each, and one of them runs the shell', () => {
    const uses = Object.values(tools.vocabulary)
    for (const { trims: _, ...deeds } of uses) expect(Object.keys(deeds)).toHaveLength(1)
    expect(uses.filter(({ shell }) => shell !== undefined).length).toBeGreaterThan(0)
  })
})
