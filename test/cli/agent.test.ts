import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Command } from 'commander'
import { describe, expect, test } from 'vitest'
import { addVerbs } from '../../src/cli/verbs.ts'
import { clientList, clientOf } from '../../src/clients/index.ts'
import { askClient } from '../../src/journeys/summarising/ask-client.ts'
import { ClaudeSession } from '../helpers/claude-session.ts'
import { putProgram } from '../helpers/stand-ins.ts'
import { BIN, ended, type Lab, workspaceLab } from '../helpers/workspace-lab.ts'

describe('cortext agent: what an agent may run unasked', () => {
  // promise: which allow `cortext agent <verb>`
  // promise: what an agent may run without asking you: it reads conversations and records its own, and does
  // promise: They allow one form
  // promise: opens, saves, pauses or completes the conversation of the agent's own session
  // promise: None of them starts
  test('has only these verbs and options, each of which was checked for what it lets an agent do', () => {
    const program = new Command('cortext')
    addVerbs(program, { cwd: '/', home: '/', env: {}, now: () => new Date(), interactive: false })
    const agent = program.commands.find((one) => one.name() === 'agent')!
    const told = agent.commands.map((one) => [one.name(), ...one.options.map(({ long }) => long)].join(' '))
    expect(told).toEqual([
      'start --title',
      'save',
      'stop --complete --summary --no-commit',
      'resume --query --force --whole --part',
      'list --type --status --all --json',
      'show --messages --at --json',
      'search --type --in --since --until --author --role --file --all --sort --limit --json',
      'context --budget --about --json',
    ])
  })

  // promise: lets that client's model summarise
  // promise: One command sends a conversation
  // promise: None of them starts a client, asks a model, reads a file that is named to it
  test('refuses verbs and options that do more', async () => {
    const { lab, claude } = await talking()
    for (const words of [
      'stop --discard',
      'stop 001',
      'save --commit',
      'context 001 --summarize-with claude',
      'context --key k --system .env',
      'resume 001 --print',
      'resume --new',
      'resume --in claude',
      'start plan a title',
      'start plan --from-beginning',
      'delete 001 --yes',
      'edit 001 --title x',
      'import claude --all',
      'export 001 --output f',
      'uninstall',
      'init',
    ])
      expect(await lab.cortext(['agent', ...words.split(' ')], { env: claude.env }), words).toMatchObject({
        code: 2,
        stdout: '',
      })
    expect(await status(lab)).toEqual(['active'])
  })

  // promise: A text comes as an argument; none of them reads its standard input.
  test('takes its text as an argument, and reads neither a here-document nor a file', async () => {
    const { lab, claude } = await talking()
    writeFileSync(join(lab.root, '.env'), 'TOKEN=of mine')
    for (const call of [
      'stop --summary-stdin < .env',
      'start plan --title-stdin < .env',
      'resume --query-stdin < .env',
    ]) {
      const run = await shell(lab, `cortext agent ${call}`, claude.env)
      expect(run, call).toMatchObject({ code: 2, stderr: expect.stringContaining('unknown option') })
      expect(run.stdout + run.stderr).not.toContain('of mine')
    }
    const listed = await shell(lab, 'cortext agent list < .env', claude.env)
    expect(listed.stdout + listed.stderr).not.toContain('of mine')
    expect(await status(lab)).toEqual(['active'])
    const text = "it's 50 % > y; (a | b) & c {d,e} * ? ~ #f ünï"
    const done = await shell(lab, `cortext agent stop --summary "${text}" < .env`, claude.env)
    expect(done).toMatchObject({ code: 0, stdout: expect.stringContaining(`Summary: ${text}`) })
    expect(await status(lab)).toEqual(['paused'])
  })
})

describe('a client that runs without a terminal starts no other client', () => {
  const inside = clientList().flatMap(({ launch }) => launch.shellVariables ?? [])

  // promise: in any case no client is started from inside a client without a terminal
  test('the variables of each client’s shell show that the program runs inside it', async () => {
    expect(inside.length).toBeGreaterThanOrEqual(clientList().length)
    const { lab } = await talking()
    const started = join(lab.home, 'started')
    const program = putProgram(join(lab.home, 'bin'), 'claude', `touch ${started}`)
    const PATH = `${program}:${process.env.PATH}`
    for (const variable of inside) {
      const env = { PATH, [variable]: '1' }
      for (const words of ['resume --new --in claude', 'resume 001 --in claude']) {
        const run = await lab.cortext(words.split(' '), { env, input: 'Do as I say.' })
        expect(run, words).toMatchObject({ code: 1, stdout: '' })
        expect(run.stderr, words).toMatch(/is not started from inside .* without a terminal\nfix: .*terminal/)
      }
      const asked = askClient({ ...lab.environment, env }, { client: clientOf('claude') }, QUESTION)
      await expect(asked).rejects.toMatchObject({ code: 'refused' })
    }
    expect(existsSync(started)).toBe(false)
    const env = { PATH, [inside[0]!]: '1' }
    expect((await lab.cortext(['resume', '001', '--print', '--in', 'claude'], { env })).code).toBe(0)
    // The same without the variable starts it.
    await lab.cortext(['resume', '--new', '--in', 'claude'], { env: { PATH } })
    expect(existsSync(started)).toBe(true)
  })
})

describe('--print and --dry-run start nothing and write nothing', () => {
  test.each(['--print', '--dry-run'])('%s', async (looks) => {
    const { lab, claude } = await talking()
    const started = join(lab.home, 'started')
    const PATH = `${putProgram(join(lab.home, 'bin'), 'claude', `touch ${started}`)}:${process.env.PATH}`
    const fresh = await lab.cortext(['resume', looks, '--new', '--in', 'claude'], { env: { PATH } })
    expect(fresh).toMatchObject({ code: 2, stderr: expect.stringContaining(`'${looks}'`) })
    const before = readFileSync(bindingOf(lab, claude), 'utf8')
    const here = await lab.cortext(['resume', '001', looks], { env: { PATH, ...claude.env } })
    expect(here.code).toBe(0)
    expect(here.stdout).toContain(looks === '--print' ? 'REST or GraphQL?' : 'Would run: claude')
    expect(readFileSync(bindingOf(lab, claude), 'utf8')).toBe(before)
    expect(existsSync(started)).toBe(false)
  })
})

describe('the commit of a stop that an agent runs', () => {
  // promise: The commit of an agent's stop runs **none of git's hooks and filters**
  // promise: `cortext stop` in your own terminal runs them all.
  test.each([
    ['in the tree, where an agent may write', '.husky'],
    ['of this clone', '.git/hooks'],
  ])('runs no hooks %s, and says so; that of a person runs them', async (_, folder) => {
    const { lab, claude } = await talking()
    const ran = join(lab.home, 'ran')
    mkdirSync(join(lab.root, folder), { recursive: true })
    for (const name of ['pre-commit', 'commit-msg', 'post-index-change', 'reference-transaction']) {
      writeFileSync(join(lab.root, folder, name), `#!/bin/sh\necho ${name} >> ${ran}\n`)
      chmodSync(join(lab.root, folder, name), 0o755)
    }
    lab.git('config', 'core.hooksPath', folder)
    const stopped = await lab.cortext(['agent', 'stop'], { env: claude.env })
    expect(stopped.stderr).toContain('Committed without your git hooks (pre-commit, commit-msg)')
    expect(lab.git('log', '--format=%s', '-1')).toContain('[conversation] brainstorm: API Design')
    expect(existsSync(ran)).toBe(false)
    await claude.command('workspace.plan', 'Another one')
    await claude.turn('What first?')
    const byPerson = await lab.cortext(['stop'], { env: claude.env })
    expect(byPerson.stderr).not.toContain('hooks')
    expect(readFileSync(ran, 'utf8')).toContain('pre-commit')
  })

  // promise: Signing is done as your configuration says
  test('is not made if a file of the work tree names programs for git', async () => {
    const { lab, claude } = await talking()
    const ran = join(lab.home, 'ran')
    lab.git('config', 'include.path', '../tools/gitconfig')
    mkdirSync(join(lab.root, 'tools'))
    writeFileSync(join(lab.root, 'tools', 'sign'), `#!/bin/sh\ntouch ${ran}; exit 1\n`, { mode: 0o755 })
    const signing = `[commit]\n\tgpgSign = true\n[gpg]\n\tprogram = ${join(lab.root, 'tools', 'sign')}\n`
    writeFileSync(join(lab.root, 'tools', 'gitconfig'), signing)
    const stopped = await lab.cortext(['agent', 'stop'], { env: claude.env })
    expect(stopped).toMatchObject({ code: 0, stdout: expect.stringContaining('Session saved.') })
    expect(stopped.stderr).toMatch(/Not committed: git's configuration includes .*tools\/gitconfig/)
    expect(existsSync(ran)).toBe(false)
  })

  // promise: Signing is done as your
  test.each([
    ['gpg.program', './tools/clean'],
    ['gpg.ssh.program', 'tools/clean'],
  ])(
    'is not made if git’s configuration names a file of the work tree as a program: %s = %s',
    async (name, value) => {
      const { lab, claude } = await talking()
      const ran = join(lab.home, 'ran')
      mkdirSync(join(lab.root, 'tools'))
      writeFileSync(join(lab.root, 'tools', 'clean'), `#!/bin/sh\ntouch ${ran}; cat\n`, { mode: 0o755 })
      lab.git('config', name, value)
      lab.git('config', 'commit.gpgSign', 'true')
      const { stderr } = await lab.cortext(['agent', 'stop'], { env: claude.env })
      expect(stderr).toContain(`, which is in the work tree, as ${name}`)
      expect(existsSync(ran)).toBe(false)
    },
  )

  // promise: Nor does any look at git's status run a filter.
  // promise: The commit of an agent's
  test.each(['clean', 'process'])(
    'no call of an agent runs a filter (%s), and none is passed by: a person commits then',
    async (kind) => {
      const { lab, claude } = await talking()
      const ran = join(lab.home, 'ran')
      writeFileSync(join(lab.root, 'tracked'), 'as before')
      lab.git('add', 'tracked')
      // The program is looked up in the folder that git runs in, so an agent can write it, and its name is no path.
      writeFileSync(join(lab.root, 'tool.mk'), `all:\n\t@touch ${ran}; cat\n`)
      lab.git('config', `filter.a fmt.v2.${kind}`, 'make -s -f tool.mk all')
      lab.git('config', 'filter.a fmt.v2.required', 'true')
      writeFileSync(join(lab.root, '.gitattributes'), '* filter="a\\040fmt.v2"\n* filter=fmt\n')
      lab.git('config', `filter.fmt.${kind}`, 'make -s -f tool.mk all')
      // Git compares the content of a tracked file whose times have changed, and filters it first.
      utimesSync(join(lab.root, 'tracked'), 0, 0)
      for (const words of ['start brainstorm', 'save', 'list', 'search rest', 'context 001', 'stop']) {
        const run = await lab.cortext(['agent', ...words.split(' ')], { env: claude.env })
        expect(run.code, `${words}: ${run.stderr}`).toBe(0)
        expect(existsSync(ran), words).toBe(false)
        if (words === 'stop') expect(run.stderr).toMatch(/Not committed: git's filter "fmt" applies to \S+/)
      }
      expect(lab.git('status', '--porcelain', '--', 'conversations')).not.toBe('')
    },
  )

  // promise: The commit of an agent's
  test('is made where filters are for other files', async () => {
    const { lab, claude } = await talking()
    lab.git('config', 'filter.lfs.clean', 'false')
    lab.git('config', 'filter.lfs.required', 'true')
    writeFileSync(join(lab.root, '.gitattributes'), '*.bin filter=lfs\n')
    const { stderr } = await lab.cortext(['agent', 'stop'], { env: claude.env })
    expect(stderr).not.toContain('Not committed')
    expect(lab.git('log', '--format=%s', '-1')).toContain('[conversation] brainstorm: API Design')
  })
})

const QUESTION = { system: 'Be brief.', user: 'Why?' }

/** A conversation that goes on in Claude Code. */
async function talking() {
  const lab = await workspaceLab()
  const claude = new ClaudeSession(lab)
  await claude.command('workspace.brainstorm', 'API Design')
  await claude.turn('REST or GraphQL?')
  return { lab, claude }
}

function bindingOf(lab: Lab, claude: ClaudeSession): string {
  return join(lab.root, '.git', 'cortext', 'bindings', `claude-${claude.id}.json`)
}

async function status(lab: Lab): Promise<string[]> {
  const { conversations } = await lab.json<{ conversations: { status: string }[] }>([
    'list',
    '--all',
    '--json',
  ])
  return conversations.map((one) => one.status)
}

/** A line as an agent runs it: with a real shell in between. */
function shell(lab: Lab, line: string, env: Record<string, string>) {
  const bin = putProgram(join(lab.home, 'bin'), 'cortext', `exec ${process.execPath} ${BIN} "$@"`)
  return ended(
    spawn('bash', ['-c', line], {
      cwd: lab.root,
      env: { ...lab.env, ...env, PATH: `${bin}:${process.env.PATH}` },
      stdio: ['pipe', 'pipe', 'pipe'],
    }),
  )
}
