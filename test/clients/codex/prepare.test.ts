import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { codex } from '../../../src/clients/codex/index.ts'
import { putProgram } from '../../helpers/stand-ins.ts'

const ID = '01a2092d-2628-7238-8e82-099f54912dbd'

describe('putting a seed among the threads of Codex CLI', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'cortext-codex-'))
    mkdirSync(join(folder, 'bin'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  const environment = () => ({
    cwd: folder,
    home: folder,
    env: { PATH: `${join(folder, 'bin')}:/usr/bin:/bin`, TZ: process.env.TZ },
    now: () => new Date(),
    interactive: false,
  })
  const seed = () => {
    const said = { command: 'workspace.plan', body: 'Plan.', args: 'it', recap: 'There.' }
    const context = '[RESUMED CONVERSATION] …\u2028'
    const session = { nativeId: ID, cwd: folder }
    return { ...session, path: '/none', content: codex.launch.seed({ ...session, ...said, context }) }
  }
  const put = (script: string) => putProgram(join(folder, 'bin'), 'codex', script)
  const threads = () =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.jsonl'))

  it('names the provider that Codex CLI returns, and changes nothing else', async () => {
    put(
      `[ "$*" = app-server ] || exit 1
echo 'a warning'
while read -r line; do case "$line" in *config/read*) echo '{"id":1,"result":{"config":{"model_provider":"mine"}}}';; *initialize*) echo '{"id":0,"result":{}}';; esac; done`,
    )
    const { content } = seed()
    await codex.launch.place!(environment(), seed())
    const [path = '', ...more] = threads()
    expect(more).toEqual([])
    expect(path).toMatch(
      new RegExp(`^\\.codex/sessions/2026/11/2\\d/rollout-2026-11-2\\dT[\\d-]{8}-${ID}\\.jsonl$`),
    )
    expect(statSync(join(folder, path)).mode & 0o777).toBe(0o600)
    const [head = '', ...lines] = readFileSync(join(folder, path), 'utf8').split('\n')
    const [before = '', ...after] = content.split('\n')
    expect(lines).toEqual(after)
    const { payload, ...rest } = JSON.parse(before)
    expect(JSON.parse(head)).toEqual({ ...rest, payload: { ...payload, model_provider: 'mine' } })
    expect(codex.sessions.transcriptPath(environment(), folder, ID)).toBe(join(folder, path))
    // Nothing was said in it.
    expect(codex.sessions.locate(environment(), folder)).toEqual([])
  })

  it.each([
    ['is no app server', 'echo "Welcome!"; exit 0'],
    ['refuses', `while read -r line; do echo '{"id":1,"error":{"code":-32600}}'; done`],
    ['does not know the command', 'echo "unrecognized subcommand" >&2; exit 2'],
  ])('puts nothing there where what is called codex %s', async (_, script) => {
    put(script)
    await expect(Promise.resolve(codex.launch.place!(environment(), seed()))).rejects.toMatchObject({
      code: 'client-failed',
    })
    expect(threads()).toEqual([])
  })
})
