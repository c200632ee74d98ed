import { chmodSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { opencode } from '../../../src/clients/opencode/index.ts'
import type { Environment } from '../../../src/io/environment.ts'

let home: string
let environment: Environment

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'cortext-database-'))
  const env = { PATH: [join(home, 'bin'), process.env.PATH].join(delimiter) }
  environment = { cwd: home, home, env, now: () => new Date(), interactive: false }
  mkdirSync(join(home, 'bin'))
  mkdirSync(join(home, '.local', 'share', 'opencode'), { recursive: true })
})

/** An `opencode` that answers by what it is asked, and notes it. What `lacks` begins gives no session. */
function putOpenCode(answers: Record<string, unknown>, lacks = 'nothing'): void {
  const cases = Object.entries(answers).map(
    ([words, answer], index) =>
      `case "$*" in '${words}'*) cat '${put(`answer-${index}`, answer)}'; exit 0;; esac`,
  )
  const missing = `case "$*" in '${lacks}'*) echo 'Error: Session not found' >&2;; *) echo 'Usage' >&2;; esac`
  const path = join(home, 'bin', 'opencode')
  writeFileSync(
    path,
    ['#!/bin/sh', `echo "$*" >> '${home}/asked'`, ...cases, missing, 'exit 1', ''].join('\n'),
  )
  chmodSync(path, 0o755)
}

function put(name: string, content: unknown): string {
  writeFileSync(join(home, name), JSON.stringify(content))
  return join(home, name)
}

const asked = () => readFileSync(join(home, 'asked'), 'utf8').trimEnd().split('\n')
const session = { id: 'ses_a', title: 'T', directory: '', updated: 2_000_000_000_000 }

describe('a session of OpenCode, where its database is not one that we know', () => {
  beforeEach(() => writeFileSync(join(home, '.local', 'share', 'opencode', 'opencode.db'), 'no database'))

  it('is listed by OpenCode itself, and a seed in which nothing was said is left out', () => {
    const seed = { ...session, id: 'ses_seed', updated: 1_000_000_000_000 }
    const list = [session, seed].map((one) => ({ ...one, directory: home }))
    putOpenCode({ 'session list': list })
    expect(opencode.sessions.locate(environment, home)).toMatchObject([{ nativeId: 'ses_a', title: 'T' }])
    expect(asked()).toEqual(['session list --format json --max-count 1000000'])
  })

  // promise: ask OpenCode itself (
  it('is read by `opencode export`, once', () => {
    const transcript = join(home, 't.jsonl')
    putOpenCode({ 'export ses_a': { info: { id: 'ses_a' }, messages: [] } })
    opencode.sessions.refresh!(environment, { nativeId: 'ses_a', transcript, cwd: home })
    expect(asked()).toEqual(['export ses_a'])
    const kept = readFileSync(transcript, 'utf8').trimEnd().split('\n')
    expect(kept.map((line) => JSON.parse(line))).toMatchObject([{ type: 'session', id: 'ses_a' }])
  })

  it('is there to continue unless OpenCode says that it is not, though our transcript stays', () => {
    putOpenCode({ 'export ses_a': { info: { id: 'ses_a' }, messages: [] } }, 'export')
    for (const id of ['ses_a', 'ses_c']) {
      const transcript = opencode.sessions.transcriptPath(environment, home, id)
      mkdirSync(join(transcript, '..'), { recursive: true })
      writeFileSync(transcript, '')
    }
    const there = (id: string) => opencode.sessions.hasSession(environment, home, id)
    expect(['ses_a', 'ses_c'].map(there)).toEqual([true, false])
    // OpenCode gives no answer, as while another process has its database.
    putOpenCode({})
    expect(there('ses_c')).toBe(true)
    // Nobody can be asked: the start says what is missing.
    expect(opencode.sessions.hasSession({ ...environment, env: { PATH: '' } }, home, 'ses_c')).toBe(true)
  })

  it('is not there when OpenCode does not export it whole', () => {
    putOpenCode({ 'export ses_a': { info: { id: 'ses_other' }, messages: [] } })
    expect(() =>
      opencode.sessions.refresh!(environment, { nativeId: 'ses_a', transcript: join(home, 't'), cwd: home }),
    ).toThrow(expect.objectContaining({ code: 'not-found' }))
  })
})
