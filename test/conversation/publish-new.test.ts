import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { publish } from '../../src/conversation/publish.ts'
import { readConversation } from '../../src/conversation/read.ts'
import { RECORD } from '../../src/store/layout.ts'
import type { Workspace } from '../../src/workspace/open.ts'
import { type Fixture, fixturesOf } from '../clients/fixtures.ts'
import { LONG } from '../helpers/long.ts'
import { PATH, put, unpublished } from './unpublished.ts'

/** A conversation whose journal grows, as its client's hooks make it grow. */
class Growing {
  readonly ws: Workspace
  readonly #client: string
  readonly #fixture: Fixture
  #sides = false

  private constructor(ws: Workspace, client: string, fixture: Fixture) {
    this.ws = ws
    this.#client = client
    this.#fixture = fixture
  }

  static async of(client: string, fixture: Fixture): Promise<Growing> {
    const ws = await unpublished(client, fixture.raw.nativeId, { title: 'Growing', how: 'start' })
    return new Growing(ws, client, fixture)
  }

  /** Publishes what the transcript held when it had so many bytes. Returns what of it was read. */
  async upTo(bytes: number, how: 'as it is' | 'without a mark'): Promise<'whole' | 'new'> {
    const { nativeId, bytes: all, sideFiles: sides, readSideFile: side } = this.#fixture.raw
    const journal = join(this.ws.local, 'journal', this.#client, nativeId)
    put(`${journal}.jsonl`, all.subarray(0, bytes))
    if (!this.#sides && bytes > all.length / 2) {
      for (const path of sides) put(join(`${journal}.d`, path), side(path) ?? '')
      this.#sides = true
    }
    if (how === 'without a mark') this.forget()
    const { contents } = await publish(this.ws, PATH)
    return contents.every(({ stamp }) => stamp === undefined) ? 'new' : 'whole'
  }

  forget(): void {
    rmSync(join(this.ws.local, 'published'), { recursive: true, force: true })
  }

  get messages(): string {
    const file = join(this.ws.root, PATH, RECORD.messages)
    return existsSync(file) ? readFileSync(file, 'utf8') : ''
  }

  get session(): Record<string, unknown> {
    return JSON.parse(readFileSync(join(this.ws.root, PATH, RECORD.session), 'utf8'))
  }
}

/** The ends of the lines of a transcript, or some of them that differ from fixture to fixture. */
function cutsOf({ raw: { bytes } }: Fixture): number[] {
  const text = Buffer.from(bytes)
  const ends: number[] = []
  for (let at = text.indexOf(10); at !== -1; at = text.indexOf(10, at + 1)) ends.push(at + 1)
  const step = LONG ? 1 : Math.max(1, Math.floor(ends.length / 9))
  return ends.filter((_, index) => index % step === step - 1 || index >= ends.length - 2)
}

/** The clients of which some publishing has read only what was new. */
const readOn = new Set<string>()

const FIXTURES = ['claude', 'gemini', 'opencode'].flatMap((client) =>
  fixturesOf(client).map((fixture) => ({ client, fixture, name: `${client} ${fixture.name}` })),
)

test.each(FIXTURES)(
  'E-30 published turn by turn, the record is the same as if everything had been read: $name',
  async ({ client, fixture }) => {
    const [quick, slow] = [await Growing.of(client, fixture), await Growing.of(client, fixture)]
    for (const cut of cutsOf(fixture)) {
      if ((await quick.upTo(cut, 'as it is')) === 'new') readOn.add(client)
      await slow.upTo(cut, 'without a mark')
      expect(quick.messages, `up to ${cut}`).toBe(slow.messages)
      expect(quick.session, `up to ${cut}`).toEqual(slow.session)
    }
    // Whoever doubts the mark finds nothing that is missing.
    quick.forget()
    expect(readConversation(quick.ws, PATH).plan.append).toEqual([])
  },
)

test('for each client, some turns were read without what came before', () => {
  expect([...readOn].sort()).toEqual(['claude', 'gemini', 'opencode'])
})

test('if a mark cannot be written, everything is saved all the same, and the log says so', async () => {
  const [fixture] = fixturesOf('claude')
  const growing = await Growing.of('claude', fixture!)
  put(join(growing.ws.local, 'published'), 'in the way')
  const { length } = fixture!.raw.bytes
  await growing.upTo(length, 'as it is')
  const whole = await Growing.of('claude', fixture!)
  await whole.upTo(length, 'as it is')
  expect(growing.messages).toBe(whole.messages)
  expect(readFileSync(join(growing.ws.local, 'log'), 'utf8')).toContain('noting what is published')
})
