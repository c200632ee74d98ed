import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import recordSession from '../../../src/clients/pi/plugin/index.ts'
import { tempFolder } from '../../helpers/repository.ts'
import { putProgram } from '../../helpers/stand-ins.ts'

/** Plays Pi for the extension, by default in a session that Pi does not keep. Returns the entries that it adds. */
function play(cwd = '/', file?: string) {
  const handlers = new Map<string, (event: object, context: object) => Promise<unknown>>()
  const entries: unknown[] = []
  recordSession({
    on: (event: string, handler: never) => void handlers.set(event, handler),
    appendEntry: (_type: string, data: object) => void entries.push(data),
  } as never)
  const context = {
    cwd,
    hasUI: false,
    sessionManager: { getSessionId: () => 's', getSessionFile: () => file },
  }
  const run = (event: string, payload: object) => handlers.get(event)!(payload, context)
  return {
    entries,
    run: (event: string, payload: object = {}) => handlers.get(event)?.(payload, context),
    events: () => [...handlers.keys()],
    type: (text: string, source = 'interactive') => run('input', { text, source }),
    begin: () => run('before_agent_start', {}),
    ask: (messages: object[]) => run('context', { messages }),
    said: (content: string) => run('message_end', { message: { role: 'user', content } }),
  }
}

test('a command is noted as typed, before its expanded text', async () => {
  const pi = play()
  await pi.type('/tidy the shop')
  await pi.said('Please tidy: the shop')
  expect(pi.entries).toEqual([{ typed: '/tidy the shop' }])
})

test('of two commands that wait, each gets its own text, whichever comes first', async () => {
  const pi = play()
  await pi.begin()
  await pi.type('/a one')
  await pi.type('/b two')
  await pi.said('Body of b: two')
  await pi.said('Body of a: one')
  expect(pi.entries).toEqual([{ typed: '/b two' }, { typed: '/a one' }])
})

test('what another extension says is not taken for a command that waits', async () => {
  const pi = play()
  await pi.type('/a one')
  await pi.type('from another extension', 'extension')
  await pi.said('from another extension')
  expect(pi.entries).toEqual([])
  await pi.said('Body of a: one')
  expect(pi.entries).toEqual([{ typed: '/a one' }])
})

test('where several commands wait and none fits, nothing is noted', async () => {
  const pi = play()
  await pi.begin()
  await pi.type('/a')
  await pi.type('/b')
  await pi.said('some body')
  expect(pi.entries).toEqual([])
})

test('a command that Pi refused is forgotten at the next prompt', async () => {
  const pi = play()
  await pi.type('/a one')
  await pi.type('hello')
  await pi.begin()
  await pi.said('expanded by somebody else')
  expect(pi.entries).toEqual([])
})

test('without a note of cortext the model gets what Pi sends', async () => {
  const pi = play()
  expect(await pi.ask([{ role: 'user' }])).toBeUndefined()
})

// promise: plugins look for themselves,
test('in a folder that is no workspace, cortext is started only for a command of ours', async () => {
  const folder = tempFolder()
  const handed = join(tempFolder(), 'handed')
  const bin = putProgram(
    join(tempFolder(), 'bin'),
    'cortext',
    `cat >> '${handed}'; echo >> '${handed}'; echo '{}'`,
  )
  vi.stubEnv('PATH', [bin, process.env.PATH].join(delimiter))
  onTestFinished(() => void vi.unstubAllEnvs())
  const pi = play(folder, join(folder, 's.jsonl'))
  const turn = async (text: string) => {
    await pi.type(text)
    await pi.begin()
    await pi.run('agent_settled')
  }
  await pi.run('session_start', { reason: 'startup' })
  await turn('hello')
  expect(existsSync(handed)).toBe(false)
  await turn('/workspace.plan x')
  await pi.run('session_shutdown', { reason: 'quit' })
  const events = () =>
    readFileSync(handed, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).event)
  expect(events()).toEqual(['command'])
  expect(readdirSync(folder)).toEqual([])

  mkdirSync(join(folder, '.workspace'))
  await turn('hello again')
  expect(events()).toEqual(['command', 'turn-start', 'turn-end'])
})

test('where the project has the extension too, only the file of the project records', () => {
  const folder = tempFolder()
  vi.spyOn(process, 'cwd').mockReturnValue(folder)
  onTestFinished(() => void vi.restoreAllMocks())
  expect(play(folder).events()).toContain('input')
  mkdirSync(join(folder, '.pi/extensions'), { recursive: true })
  writeFileSync(join(folder, '.pi/extensions/cortext.js'), '')
  expect(play(folder).events()).toEqual([])
})
