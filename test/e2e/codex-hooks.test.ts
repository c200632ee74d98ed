import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { inLongRun } from '../helpers/in-long-run.ts'
import { LONG } from '../helpers/long.ts'
import { codexShell, leaveCodex, openCodexLab } from './codex.ts'
import { answerTrust, openCodexWorkspaceLab } from './codex-workspace.ts'
import { openGeminiLab } from './gemini.ts'
import { allText } from './model-request.ts'
import { openLab as openOpenCodeLab } from './opencode.ts'
import { bodiesIn, initWorkspace, stopWith } from './workspace-lab.ts'

type Lab = Awaited<ReturnType<typeof openCodexWorkspaceLab>>

interface Bound {
  native_id: string
  transcript: string
  segments: { conversation: string; ended_by?: string }[]
}

/** The sessions that this machine has bound, by the conversation of their last segment. */
function bound(lab: Lab): Record<string, Bound> {
  const folder = join(lab.project, '.git/cortext/bindings')
  const names = existsSync(folder) ? readdirSync(folder) : []
  const all = names.map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')))
  return Object.fromEntries(all.map((one) => [one.segments.at(-1).conversation, one]))
}

const codexIn = (doctor: string) => doctor.split('\n').filter((line) => line.includes('Codex CLI: '))

describe('Codex CLI and trust', () => {
  // promise: until you have said that you trust our hooks nothing is recorded by itself
  // promise: **Codex CLI asks you once whether you trust our hooks**
  // promise: Until then they do not run, and in `codex exec` nothing says so.
  // promise: cortext does not write the file with your answer.
  it('runs no hook that the person has not looked at, and doctor says what it says', async () => {
    await using lab = await openCodexWorkspaceLab({ trustsHooks: false })
    const states = async () => {
      const { data } = await lab.ask('hooks/list', { cwds: [lab.project] })
      expect(data[0]).toMatchObject({ errors: [], warnings: [] })
      return [...new Set(data[0].hooks.map(({ trustStatus }: { trustStatus: string }) => trustStatus))]
    }
    const doctor = async () => (await lab.cortext(['doctor'])).stdout
    expect(await states()).toEqual(['untrusted'])
    expect(await doctor()).toMatch(/Codex CLI: you have not said yet that you trust our hooks/)
    await lab.headless('$workspace-brainstorm API design')
    expect(lab.conversations()).toEqual([])

    const terminal = lab.terminal(['codex'])
    await answerTrust(terminal, 2)
    await leaveCodex(terminal)
    expect(await states()).toEqual(['trusted'])
    expect(await doctor()).toMatch(/ok +Codex CLI: you have said that you trust our hooks/)

    const hooks = readFileSync(join(lab.project, '.codex/hooks.json'), 'utf8')
    // The client does not look at our notes.
    const noted = hooks.replaceAll('"type": "command"', '"cortext": ["was []"], "type": "command"')
    expect(noted).not.toBe(hooks)
    lab.put('.codex/hooks.json', noted)
    expect(await states()).toEqual(['trusted'])
    expect(await doctor()).toMatch(/ok +Codex CLI: you have said that you trust our hooks/)
    lab.put('.codex/hooks.json', hooks.replace('"timeout": 3', '"timeout": 2'))
    expect(await states()).toContain('modified')
    expect(await doctor()).toMatch(/Codex CLI: our hooks have changed since you trusted them/)
  })

  it('loads neither hooks nor rules in a folder that it was not told to trust, and doctor says so', async () => {
    await using lab = await openCodexWorkspaceLab({ trusted: false })
    const { stdout } = await lab.cortext(['doctor'])
    expect(codexIn(stdout).join('\n')).toMatch(/is not a trusted folder of Codex CLI/)
    await lab.headless('$workspace-brainstorm API design')
    expect(lab.conversations()).toEqual([])
    // The skill is there all the same.
    expect(bodiesIn(allText(lab.model.requests[0]!))).toBe(1)
  })

  it('is said by init, once', async () => {
    await using lab = await openCodexWorkspaceLab({ trustsHooks: false })
    lab.put('.codex/hooks.json', '{}\n')
    const asked = /Codex CLI runs no hook before you have said that you trust it/
    expect((await lab.cortext(['init'])).stdout).toMatch(asked)
    const again = await lab.cortext(['init'])
    expect(again.stdout).not.toMatch(asked)
    expect(again.stdout).toContain('$workspace-brainstorm <topic>')
  })
})

describe('Codex CLI and its hooks', () => {
  it('opens a conversation at the command, in the thread of the payload, with the instructions once', async () => {
    await using lab = await openCodexWorkspaceLab()
    await lab.headless('$workspace-brainstorm API design: $HOME `ls` @README.md')
    const [path] = lab.conversations()
    expect(lab.session()).toMatchObject({
      title: 'API design: $HOME `ls` @README.md',
      agent_config: { command: '/workspace.brainstorm' },
    })
    const [request] = lab.model.requests
    expect(allText(request!)).not.toContain('workspace-resume/SKILL.md')
    expect(bodiesIn(allText(request!))).toBe(1)
    expect(allText(request!)).toContain(`[cortext] Conversation 001-brainstorm`)
    expect(allText(request!)).toContain('$workspace-brainstorm API design: $HOME `ls` @README.md')
    const { native_id, transcript } = bound(lab)[path!]!
    expect(lab.transcripts()).toEqual([transcript])
    expect(transcript).toContain(native_id)
  })

  it('finds the thread of the agent that stops, where two terminals share one server', async () => {
    await using lab = await openCodexWorkspaceLab({ daemon: true })
    lab.model.when('first', 'Answer to the first.')
    lab.model.when('second', 'Answer to the second.')
    lab.model.when('Please stop.', [codexShell(stopWith('We were done.'))], 'It is stopped.')
    const one = await lab.interactive()
    const two = await lab.interactive()
    for (const [terminal, topic] of [
      [one, 'first'],
      [two, 'second'],
    ] as const) {
      await terminal.submit(`$workspace-brainstorm ${topic}`, { after: 500 })
      await terminal.waitFor(`Answer to the ${topic}.`)
    }
    const [first, second] = lab.conversations()
    expect(bound(lab)[first!]!.native_id).not.toBe(bound(lab)[second!]!.native_id)
    await one.submit('Please stop.', { after: 500 })
    await one.waitFor('It is stopped.')
    expect(lab.session(first)).toMatchObject({ status: 'paused', context_summary: 'We were done.' })
    expect(lab.session(second)).toMatchObject({ status: 'active' })
    // Both are left; the server, and with it the thread, stays.
    await leaveCodex(one)
    await leaveCodex(two)
    expect(bound(lab)[second!]!.segments.at(-1)!.ended_by).toBeUndefined()
    const { stdout } = await lab.cortext(['stop', '002', '--summary', 'Both.'])
    expect(stdout).toContain('Session saved.')
    expect(lab.session(second)).toMatchObject({ status: 'paused', context_summary: 'Both.' })
  })

  it('leaves with the client where there is no server', async () => {
    await using lab = await openCodexWorkspaceLab()
    const terminal = await lab.interactive()
    await terminal.submit('$workspace-brainstorm API design', { after: 500 })
    await terminal.waitFor('This conversation is being recorded')
    await terminal.waitFor('Scripted answer')
    await leaveCodex(terminal)
    const [path] = lab.conversations()
    await expect.poll(() => bound(lab)[path!]!.segments.at(-1)!.ended_by).toBe('session-end')
  })
})

describe('the skills of Codex CLI', () => {
  // promise: It sets up slash commands
  // promise: Codex CLI has no slash
  it('are what Codex CLI offers, those of an own type too, and nothing that other clients do', async () => {
    await using lab = await openCodexWorkspaceLab()
    expect(await lab.cortext(['init', '--add-type', 'interview'])).toMatchObject({ code: 0 })
    const { data } = await lab.ask('skills/list', { cwds: [lab.project] })
    const names = data[0].skills.map(({ name }: { name: string }) => name)
    for (const verb of ['brainstorm', 'resume', 'stop-conversation', 'interview'])
      expect(names.filter((name: string) => name === `workspace-${verb}`)).toHaveLength(1)
    await lab.headless('$workspace-interview a colleague')
    expect(lab.session()).toMatchObject({ conversation_type: 'interview', title: 'a colleague' })
  })

  inLongRun('are not seen by OpenCode and Gemini CLI, which would offer each command twice', async () => {
    const offered = (verb: string) => `<name>workspace-${verb}</name>`
    await using opencode = await openOpenCodeLab()
    await initWorkspace(opencode, 'opencode', 'codex')
    await opencode.headless('Hello')
    expect(JSON.stringify(opencode.model.requests[0]!.body)).not.toContain(offered('resume'))
    await using gemini = await openGeminiLab()
    await initWorkspace(gemini, 'gemini', 'codex')
    await gemini.headless('Hello')
    expect(JSON.stringify(gemini.model.requests[0]!.body)).not.toContain(offered('resume'))
    // They do see what lies in the folder that the clients share.
    const skill = '---\nname: workspace-shared\ndescription: of all\n---\nBody\n'
    for (const { put } of [opencode, gemini]) put('.agents/skills/workspace-shared/SKILL.md', skill)
    await opencode.headless('Hello')
    await gemini.headless('Hello')
    for (const { model } of [opencode, gemini])
      expect(JSON.stringify(model.requests.at(-1)!.body)).toContain(offered('shared'))
  })
})

describe('the import of Codex CLI', () => {
  it.each([...(LONG ? [{ clients: ['claude'] }] : []), { clients: ['claude', 'codex'] }])(
    'records nothing twice of what $clients have in the workspace',
    async ({ clients }) => {
      await using lab = await openCodexLab()
      const workspace = await initWorkspace(lab, ...clients)
      const { items } = await lab.ask('externalAgentConfig/detect', {
        includeHome: true,
        cwds: [lab.project],
      })
      await lab.ask('externalAgentConfig/import', { migrationItems: items })
      const file = join(lab.project, '.codex/hooks.json')
      const hooks = () => (existsSync(file) ? readFileSync(file, 'utf8').match(/cortext hook \w+/g) : [])
      // Those of Claude Code are not copied: they name no shell line.
      expect(new Set(hooks())).toEqual(new Set(clients.includes('codex') ? ['cortext hook codex'] : []))
      const { data } = await lab.ask('hooks/list', { cwds: [lab.project] })
      expect(data[0]).toMatchObject({ errors: [], warnings: [] })
      await lab.trustHooks()
      await lab.headless('$workspace-brainstorm API design')
      expect(workspace.conversations()).toHaveLength(clients.includes('codex') ? 1 : 0)
      expect(await workspace.cortext(['init', '--in', 'codex'])).toMatchObject({ code: 0 })
      expect(hooks()).toEqual(Array(4).fill('cortext hook codex'))
    },
  )
})

describe('uninstall', () => {
  it('gives back what was there, to the byte', async () => {
    await using lab = await openCodexWorkspaceLab({ trustsHooks: false })
    await lab.cortext(['uninstall'])
    expect(existsSync(join(lab.project, '.codex'))).toBe(false)
    const mine = '{ "hooks": {"Stop": [ {"hooks": [{"type": "command", "command": "touch ran"}]} ] } }\n'
    lab.put('.codex/hooks.json', mine)
    lab.put('.codex/rules/mine.rules', '# mine\n')
    await lab.cortext(['init', '--in', 'codex'])
    expect(readFileSync(join(lab.project, '.codex/hooks.json'), 'utf8')).toContain('cortext hook codex')
    await lab.cortext(['uninstall'])
    expect(readFileSync(join(lab.project, '.codex/hooks.json'), 'utf8')).toBe(mine)
    expect(readdirSync(join(lab.project, '.codex'), { recursive: true }).sort()).toEqual([
      'hooks.json',
      'rules',
      'rules/mine.rules',
    ])
  })
})
