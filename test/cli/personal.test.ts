import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { clientList } from '../../src/clients/index.ts'
import { codes, doctorLab, snapshot } from '../helpers/doctor-lab.ts'
import { tempFolder } from '../helpers/repository.ts'
import { type Lab, workspaceLab } from '../helpers/workspace-lab.ts'

/** Runs our hook of Claude Code as the client does. */
async function hook(lab: Lab, cwd: string, event: object, more = ['--personal']) {
  const payload = { session_id: 'a-session', transcript_path: join(lab.home, 'a.jsonl'), cwd, ...event }
  return (await lab.cortext(['hook', 'claude', ...more], { cwd, input: JSON.stringify(payload) })).stdout
}

const command = (name: string, args = '') => ({
  hook_event_name: 'UserPromptExpansion',
  expansion_type: 'slash_command',
  command_name: `workspace.${name}`,
  command_args: args,
})

describe('a personal hook', () => {
  // promise: **In a folder that is no workspace** a hook ends at once and writes nothing.
  // promise: A command of ours says in one line that nothing is recorded there, and how to make
  // promise: **they are in force in every folder in which you start that client**
  // promise: in a folder without one ends without writing anything
  // promise: which fails outside of a workspace
  test('leaves silently in a folder that is no workspace, and writes nothing; a command of ours says so in one line', async () => {
    const lab = await workspaceLab({ init: 'none' })
    const elsewhere = tempFolder()
    await lab.cortext(['init', '--personal'])
    const before = [snapshot(elsewhere), snapshot(lab.home)]
    for (const name of ['SessionStart', 'UserPromptSubmit', 'Stop', 'StopFailure', 'SessionEnd'])
      expect(await hook(lab, elsewhere, { hook_event_name: name, source: 'resume' })).toBe('')
    const { systemMessage, hookSpecificOutput } = JSON.parse(
      await hook(lab, elsewhere, command('brainstorm', 'x')),
    )
    expect(systemMessage).toBe(`Not recorded: ${elsewhere} is in no workspace. To make it one: cortext init`)
    expect(hookSpecificOutput.additionalContext).toContain(systemMessage)
    expect([snapshot(elsewhere), snapshot(lab.home)]).toEqual(before)
  })

  // promise: its own hooks record,
  test('leaves a session to the hooks of its project, wherever these are, and takes it where the project has none', async () => {
    const lab = await workspaceLab()
    await lab.cortext(['init', '--personal', '--in', 'claude'])
    const begin = () => hook(lab, lab.root, command('brainstorm', 'API'))
    const days = () =>
      existsSync(join(lab.root, 'conversations')) ? readdirSync(join(lab.root, 'conversations')) : []
    const settings = join(lab.root, '.claude/settings.local.json')
    const ours = readFileSync(settings, 'utf8')
    const forms = [
      ours,
      JSON.stringify(JSON.parse(ours)),
      '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"CORTEXT_CLIENT_PID=$PPID cortext hook claude"}]}]}}',
    ]
    for (const form of forms) {
      writeFileSync(settings, form)
      expect(await begin()).toBe('')
    }
    rmSync(settings)
    writeFileSync(join(lab.root, '.claude/settings.json'), ours)
    expect(await begin()).toBe('')
    expect(days()).toEqual([])

    writeFileSync(
      join(lab.root, '.claude/settings.json'),
      '{"permissions":{"allow":["Bash(cortext agent:*)"]}}',
    )
    expect(await begin()).toContain('is open and being recorded')
    expect(days()).toHaveLength(1)
  })

  // promise: the agent is told to read the workspace's version first and to follow it
  test('has the agent read the version of a command that the workspace has for itself', async () => {
    const lab = await workspaceLab({ init: 'none' })
    await lab.cortext(['init', '--personal', '--in', 'claude'])
    await lab.cortext(['init', '--in', 'claude'])
    const context = async (name: string) =>
      JSON.parse((await hook(lab, lab.root, command(name, 'x'))) || '{}').hookSpecificOutput
        ?.additionalContext ?? ''
    expect(await context('plan')).not.toContain('its own instructions')
    await lab.cortext(['init', '--eject', 'workspace.plan'])
    expect(await context('plan')).not.toContain('its own instructions')
    const prompt = join(lab.root, '.workspace/commands/workspace.plan.md')
    writeFileSync(prompt, `${readFileSync(prompt, 'utf8')}\nAnd ask why.\n`)
    const told = await context('plan')
    expect(told).toMatch(
      /^\[cortext\] This workspace has its own instructions for \/workspace\.plan\. Read \.workspace\/commands\/workspace\.plan\.md first/,
    )
    expect(told).toContain('is open and being recorded')
    expect(await context('debug')).not.toContain('its own instructions')
  })
})

describe('init --personal', () => {
  // promise: To have commands and hooks
  // promise: puts the same commands, hooks
  // promise: hooks and permissions in `~/.claude/settings.json`
  // promise: a plugin in `~/.config/opencode/plugins/`
  // promise: `--personal` sets up the clients in your own settings instead
  test('works in any folder, says on one screen what it made where, and changes nothing there', async () => {
    const lab = await doctorLab({ init: 'none' })
    const elsewhere = tempFolder()
    const { stdout, code } = await lab.cortext(['init', '--personal'], { cwd: elsewhere })
    expect(code).toBe(0)
    expect(stdout.split('\n').length).toBeLessThan(22)
    for (const [name, folder] of [
      ['Claude Code', '~/.claude/'],
      ['OpenCode', '~/.config/opencode/'],
      ['Gemini CLI', '~/.gemini/'],
      ['Codex CLI', '~/.codex/'],
      ['Pi', '~/.pi/agent/'],
    ])
      expect(stdout).toMatch(
        new RegExp(`^ {2}${name} +\\d+ files? made.* ${folder!.replaceAll('.', '\\.')}$`, 'm'),
      )
    expect(stdout).toContain('may run `cortext agent` unasked, in every folder')
    expect(stdout).toContain('Codex CLI runs no hook before you have said that you trust it')
    expect(readdirSync(elsewhere)).toEqual([])
    expect((await lab.cortext(['init', '--personal'], { cwd: elsewhere })).stdout).toMatch(
      /^ {2}\d+ files were up to date$/m,
    )

    const back = await lab.cortext(['uninstall', '--personal'], { cwd: elsewhere })
    expect(back.stdout).toMatch(/^ {2}Claude Code +11 files removed +~\/\.claude\/$/m)
    expect((await lab.cortext(['uninstall', '--personal'])).stdout).toBe(
      'Nothing was set up for all your workspaces.\n',
    )
  })

  // promise: remain a workspace's own
  // promise: `--personal` sets up the clients
  test('goes with no option and no folder of a workspace', async () => {
    const lab = await workspaceLab({ init: 'none' })
    for (const more of [
      ['--shared'],
      ['--private'],
      ['--mcp'],
      ['--no-mcp'],
      ['--skill'],
      ['--eject', 'plan'],
      ['.'],
    ])
      expect((await lab.cortext(['init', '--personal', ...more])).code, more.join(' ')).toBe(2)
    expect((await lab.cortext(['uninstall', '--personal', '.'])).code).toBe(2)
    expect(existsSync(join(lab.home, '.claude'))).toBe(false)
  })

  // promise: name such workspaces
  test('names the workspaces that have files of their own', async () => {
    const lab = await workspaceLab()
    const { stdout } = await lab.cortext(['init', '--personal'])
    expect(stdout).toContain('One workspace has files for these clients too')
    expect(stdout).toContain('Gemini CLI renames commands that are in both places')
    expect(stdout).toContain(`cortext init ${lab.root}`)
  })
})

describe('doctor', () => {
  // promise: name such workspaces
  // promise: says for each client which set-up is in force
  // promise: `cortext doctor` says which set-up is in force.
  test('says which set-up is in force for each client, and brings a personal one up to date with --fix', async () => {
    const lab = await doctorLab()
    await lab.cortext(['init', '--personal'])
    const both = await lab.doctor()
    expect(codes(both.notes).filter((code) => code === 'set-up-twice')).toHaveLength(
      clientList().filter(({ personal }) => personal !== undefined).length,
    )
    await lab.cortext(['init'])
    const { diagnosis, problems } = await lab.doctor()
    const lines = diagnosis.sections.flatMap(({ findings }) => findings.map(({ message }) => message))
    for (const [name, things] of [
      ['Claude Code', 'hooks'],
      ['OpenCode', 'plugin'],
      ['Pi', 'plugin'],
    ]) {
      expect(lines).toContain(`${name}, for all workspaces: commands and ${things} are in place`)
      expect(lines.find((line) => line.startsWith(`${name}: set up for all your workspaces`))).toContain(
        'needs no files',
      )
    }
    expect(codes(problems).filter((code) => code !== 'hooks-untrusted')).toEqual([])

    rmSync(join(lab.home, '.claude/commands/workspace.plan.md'))
    const broken = await lab.doctor()
    expect(broken.problems).toContainEqual(
      expect.objectContaining({ code: 'missing', fix: 'cortext init --personal' }),
    )
    await lab.doctor('--fix')
    expect(existsSync(join(lab.home, '.claude/commands/workspace.plan.md'))).toBe(true)
  })

  // promise: A workspace that you cloned is recorded as soon as you type a command of ours in it
  test('says so in a folder that is no workspace too, and a clone needs no init', async () => {
    const lab = await doctorLab({ init: 'none' })
    await lab.cortext(['init', '--personal'])
    const elsewhere = tempFolder()
    const { stdout } = await lab.cortext(['doctor'], { cwd: elsewhere })
    expect(stdout).toContain('Claude Code, for all workspaces: commands and hooks are in place')
    mkdirSync(join(lab.root, '.workspace'))
    writeFileSync(join(lab.root, '.workspace/config.json'), '{ "visibility": "shared" }\n')
    expect((await lab.cortext(['list'])).stderr).not.toContain('No client is set up here')
    expect(codes((await lab.doctor()).problems)).not.toContain('not-set-up')
  })
})

/** Files and bytes after `init`, without git's own folder: what a repository has of it, tracked or not. */
test.each([
  ['shared', ['claude'], 14],
  ['shared', ['claude', 'gemini', 'codex', 'opencode'], 59],
  ['private', ['claude'], 12],
  ['private', ['claude', 'gemini', 'codex', 'opencode'], 57],
  ['personal', ['claude'], 3],
  ['personal', ['claude', 'gemini', 'codex', 'opencode'], 3],
] as const)('a fresh repository after init, %s, for %j, has %i files', async (kind, clients, count) => {
  const lab = await workspaceLab({ init: 'none' })
  const named = clients.flatMap((client) => ['--in', client])
  if (kind === 'personal') await lab.json(['init', '--personal', ...named, '--json'])
  await lab.json(['init', ...(kind === 'private' ? ['--private'] : []), ...named, '--json'])
  const files = readdirSync(lab.root, { recursive: true, encoding: 'utf8' })
    .filter((path) => !path.startsWith('.git/') && statSync(join(lab.root, path)).isFile())
    .sort()
  const bytes = files.reduce((sum, path) => sum + statSync(join(lab.root, path)).size, 0)
  if (process.env.CORTEXT_TABLE)
    process.stdout.write(`${kind} ${clients.length}: ${files.length} files, ${bytes} bytes\n`)
  expect(files).toHaveLength(count)
  if (kind === 'personal') expect(files).toEqual(['.gitattributes', '.gitignore', '.workspace/config.json'])
})
