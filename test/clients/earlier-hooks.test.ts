import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { entriesOf, hookedClients } from './hook-facts.ts'

/** What `init` made of these settings before its hooks became one call each. */
const BEFORE: Record<string, object> = {
  claude: { hooks: {} },
  codex: { hooks: { Stop: [] } },
  gemini: {},
}

/** The clients that there were then. */
const known = hookedClients().filter(({ client }) => client.id in BEFORE)

describe.each(known)('the hooks that an earlier version has put into the settings of $client.name', (one) => {
  const { client, settings } = one
  const file = join(import.meta.dirname, '../fixtures/settings-before-0.1', `${client.id}.json`)
  const earlier = JSON.parse(readFileSync(file, 'utf8'))

  it('are long lines', () => {
    expect(JSON.stringify(earlier)).toContain(`CORTEXT_CLIENT_PID=$PPID cortext hook ${client.id}`)
  })

  it('are replaced by init', () => {
    const now = settings.add(earlier)
    expect(JSON.stringify(now)).not.toContain('$PPID')
    for (const [event, hook] of entriesOf(one))
      expect((now.hooks as Record<string, { hooks: object[] }[]>)[event]).toEqual([
        expect.objectContaining({ hooks: [expect.objectContaining(hook)] }),
      ])
  })

  it('are taken out by uninstall, which gives back what was there before', () => {
    expect(settings.remove(earlier)).toEqual(BEFORE[client.id])
    expect(settings.remove(settings.add(earlier))).toEqual(
      // Replacing them does not keep that a list or object was empty: `add` has removed it first.
      settings.remove(settings.add(settings.remove(earlier))),
    )
  })
})
