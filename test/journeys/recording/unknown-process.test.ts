import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { clientProcess, hasEnded, nameProcess, runsHook, UNKNOWN_PROCESS } from '../../../src/io/process.ts'
import { listBindings } from '../../../src/store/machine/list-bindings.ts'
import { localDir } from '../../../src/workspace/local-folder.ts'
import { ClaudeSession } from '../../helpers/claude-session.ts'
import { type Lab, shown, talk, workspaceLab } from '../../helpers/workspace-lab.ts'

/** As on Windows: each hook has a parent of its own that ends with it, and nobody says which process the client is. */
function unknown(lab: Lab): Lab {
  const wrap = ['sh', '-c', '"$@"; exit $?', 'sh']
  return {
    ...lab,
    cortext: (args, options) =>
      lab.cortext(args, { ...options, wrap, env: { ...options?.env, CORTEXT_CLIENT_PID: '0' } }),
  }
}

describe('a client whose process nobody knows (Windows)', () => {
  test('has no number, and never counts as ended', () => {
    expect(clientProcess({}, 'win32')).toBe(UNKNOWN_PROCESS)
    expect(clientProcess({ CORTEXT_CLIENT_PID: '7' }, 'win32')).toBe(7)
    expect(clientProcess({ CORTEXT_CLIENT_PID: '' }, 'linux')).toBe(process.ppid)
    expect(hasEnded(nameProcess(UNKNOWN_PROCESS))).toBe(false)
  })

  test('is not taken for a client that was killed', async () => {
    const lab = await workspaceLab()
    const claude = new ClaudeSession(unknown(lab))
    await claude.command('workspace.brainstorm', 'API')
    await claude.turn('one')
    const { stdout, stderr } = await lab.cortext(['list', '--json'])
    expect(stderr).toBe('')
    expect(JSON.parse(stdout).conversations).toMatchObject([{ status: 'active' }])
  })

  test('continues its conversation after /clear', async () => {
    const lab = unknown(await workspaceLab())
    const claude = new ClaudeSession(lab)
    await claude.command('workspace.brainstorm', 'API')
    await claude.hook('SessionEnd', { reason: 'clear' })
    const next = new ClaudeSession(lab)
    await next.hook('SessionStart', { source: 'clear' })
    await next.turn('two')
    expect(talk(await shown(lab, '001')).at(-1)).toBe('assistant: answer to two')
  })

  test('has its agent’s commands tied to the session in which the person prompted last, and ends no other session', async () => {
    const lab = unknown(await workspaceLab())
    const [first, second] = ['first', 'second'].map((word) => `${word}-0000-4000-8000-000000000001`)
    for (const id of [first!, second!]) {
      await prompt(lab, id)
      await lab.json(['start', 'plan', `In ${id}`, '--json'], { env: { GEMINI_CLI: '1' } })
    }
    // A person's own terminal is no session of a client.
    await lab.json(['start', 'plan', 'By hand', '--json'])
    const bound = listBindings(localDir(lab.root, lab.environment))
    expect(bound.map(({ native_id, segments }) => [native_id, segments.length, segments[0]?.to])).toEqual([
      [first, 1, undefined],
      [second, 1, undefined],
    ])
  })
})

async function prompt(lab: Lab, id: string): Promise<void> {
  const event = { session_id: id, cwd: lab.root, hook_event_name: 'BeforeAgent', prompt: 'hi' }
  const transcript_path = join(lab.home, `${id}.jsonl`)
  await lab.cortext(['hook', 'gemini'], { input: JSON.stringify({ ...event, transcript_path }) })
}

test.each([
  'bash -c cortext hook gemini 2>$null; exit 0',
  '/bin/zsh -lc cortext hook codex || exit 0',
  '/bin/sh -c export null=/dev/null; cortext hook gemini',
  'sh /usr/local/bin/cortext hook claude',
  'node /usr/bin/cortext hook claude',
  '/home/ann/.volta/bin/cortext hook claude',
])('a wrapper of our hook is not the client: %s', (line) => expect(runsHook(line)).toBe(true))

test.each([
  'claude -p why does cortext hook claude fail',
  'node /usr/bin/gemini -p cortext hook gemini',
  'claude',
])('a client is no wrapper, whatever its prompt: %s', (line) => expect(runsHook(line)).toBe(false))
