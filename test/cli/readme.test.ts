import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Command } from 'commander'
import { describe, expect, test } from 'vitest'
import { addVerbs } from '../../src/cli/verbs.ts'
import { recapOf } from '../../src/context/recap.ts'
import { historyOf } from '../../src/context/select-strategy.ts'
import { TOOLS } from '../context/tools.ts'
import { ClaudeSession } from '../helpers/claude-session.ts'
import { commandLinesOf, documentAt, fencesOf, PAGES } from '../helpers/documents.ts'
import { type Lab, workspaceLab } from '../helpers/workspace-lab.ts'
import { said, session } from '../session/conversations.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const scripts: Record<string, string> = JSON.parse(readFileSync(`${root}/package.json`, 'utf8')).scripts

const program = new Command('cortext').version('0')
addVerbs(program, { cwd: '/', home: '/', env: {}, now: () => new Date(), interactive: false })

const shownCommands = PAGES.flatMap(commandLinesOf)
const cortextLines = [
  ...new Set(shownCommands.filter((line) => line === 'cortext' || line.startsWith('cortext '))),
]
const npmLines = shownCommands.filter((line) => line.startsWith('npm '))

test('the documents show commands', () => {
  expect(cortextLines.length).toBeGreaterThan(40)
  expect(npmLines.length).toBeGreaterThan(2)
})

test.each(cortextLines)('the documents show `%s`: the verb and its options exist', (line) => {
  checkWords(words(line).slice(1))
})

/** In the text: `cortext show <id>` and the options named beside it in the table. */
test.each(tableRows())('the table of verbs: $verbs $flags', ({ verbs, flags }) => {
  for (const verb of verbs) {
    const command = verb === '' ? program : commandOf(verb)
    expect(command, `docs/verbs.md names \`cortext ${verb}\`: there is no such verb`).toBeDefined()
    if (verbs.length === 1)
      for (const flag of flags)
        expect(flagsOf(command!), `docs/verbs.md gives \`cortext ${verb}\` ${flag}`).toContain(flag)
  }
})

test('every verb but the hidden ones has a row in docs/verbs.md', () => {
  const told = tableRows().flatMap(({ verbs }) => verbs)
  const shown = program.commands.filter((one) => Reflect.get(one, '_hidden') !== true)
  expect(
    shown.map((one) => one.name()).filter((name) => !told.includes(name)),
    'a new verb: add a row to the table in docs/verbs.md',
  ).toEqual([])
})

test.each(npmLines)('the documents show `%s`: such a script exists', (line) => {
  const [, verb, script] = words(line)
  if (verb === 'run') expect(Object.keys(scripts)).toContain(script)
  else if (verb === 'test') expect(scripts.test).toBeDefined()
  else expect(['ci', 'install', 'uninstall']).toContain(verb)
})

test('the first screen of the README shows the recap that is made of its conversation', () => {
  const lines = fencesOf('README.md')[0]!.split('\n')
  const at = lines.findIndex((line) => line.startsWith('$ cortext resume'))
  const [talk, recap] = [lines.slice(0, at), lines.slice(at + 1, lines.indexOf('>'))]
  const told = recap.map((line) => line.replace(/^ {2}/, '')).join('\n')
  const [, title = '', count] = /^\[Resuming "(.*?)"\] brainstorm, (\d+) messages/.exec(told)!
  const messages = talk.flatMap((line, n) => {
    const [, mark, content] = /^(>| ) (.+)/.exec(line) ?? []
    return content === undefined
      ? []
      : [said(`${n}`, { role: mark === '>' ? 'user' : 'assistant', content: content.trim() })]
  })
  const [, summary = ''] = talk
    .map((line) => /^ {2}Summary: (.*)/.exec(line))
    .find((found) => found !== null)!
  const made = recapOf(
    {
      session: session({ title, message_count: Number(count), context_summary: summary }),
      history: historyOf({ messages, project: 'p', tools: TOOLS }),
      now: new Date(Date.parse(session().last_active) + 3 * 24 * 3600_000),
      changed: ['3 commits'],
    },
    (text) => text.length / 4,
  )
  expect(messages.length).toBeGreaterThan(4)
  expect(told.trimEnd()).toBe(made.replaceAll('`', ''))
})

describe('the shown commands that need no client run', () => {
  test('demo, init, the verbs of the table, uninstall, in this order', async () => {
    const lab = await workspaceLab({ init: 'none' })
    await runs(lab, ['demo'])
    await runs(lab, ['init'])
    await runs(lab, ['start', 'brainstorm', 'API', 'design'])
    for (const line of cortextLines) {
      const args = words(line).slice(1)
      if (args[0] !== 'resume') continue
      // Without words a person chooses; in another folder than a workspace test/cli/everywhere.test.ts does.
      if (args.length === 1) continue
      await runs(lab, args.includes('--list') ? args : [...args, '--dry-run', '--in', 'claude'])
    }
    await runs(lab, ['stop', '001'])
    await runs(lab, ['uninstall'])
  })

  test('list, search and view', async () => {
    const lab = await workspaceLab()
    await runs(lab, ['start', 'brainstorm', 'API', 'design'])
    const lines = cortextLines.filter((line) => /^cortext (list|search|view)\b/.test(line))
    expect(lines.length).toBeGreaterThan(9)
    for (const line of lines) await runs(lab, words(line).slice(1))
  })

  // promise: Git keeps the archive like everything else
  test('the commands of docs/long-conversations.md, in their order', async () => {
    const lab = await workspaceLab()
    const claude = new ClaudeSession(lab)
    await claude.command('workspace.brainstorm', 'API design')
    for (let number = 1; number <= 12; number++) claude.say(`turn ${number}`)
    const lines = commandLinesOf('docs/long-conversations.md')
      .filter((line) => line !== '')
      .map((line) => words(line).slice(1))
    expect(lines.length).toBeGreaterThan(4)
    for (const args of lines) {
      await runs(lab, args)
      if (args[0] === 'prune' && !args.includes('--restore')) await runs(lab, [...args, '--yes'])
    }
    const { conversations } = await lab.json<{ conversations: { path: string; message_count: number }[] }>([
      'list',
      '--json',
    ])
    expect(conversations.map((one) => one.message_count).sort()).toEqual([12, 26])
    const [, ignoring] = /`(echo '[^`]*archive[^`]*)`/.exec(documentAt('docs/long-conversations.md'))!
    execFileSync('bash', ['-ec', ignoring!], { cwd: lab.root, env: lab.env })
    const archive = `${conversations[0]!.path}/.session/archive/001-00000000.jsonl`
    expect(lab.git('check-ignore', archive)).toBe(`${archive}\n`)
  })

  test('export, completion and stats', async () => {
    const lab = await workspaceLab()
    const claude = new ClaudeSession(lab)
    await claude.command('workspace.brainstorm', 'API design')
    const lines = shownCommands
      .map((line) => /cortext ((?:export|completion) [^|)]*)/.exec(line)?.[1]?.trim())
      .filter((line) => line !== undefined)
    expect(lines.length).toBeGreaterThan(6)
    for (const line of new Set(lines)) await runs(lab, words(line))
    await runs(lab, ['stats'])
    for (const file of ['talk.md', 'trajectory.json', 'trace.jsonl'])
      expect(existsSync(`${lab.root}/${file}`), file).toBe(true)
  })

  test('the imports of docs/import.md', async () => {
    const lab = await workspaceLab()
    const [known, elsewhere] = [new ClaudeSession(lab), new ClaudeSession(lab)]
    await known.turn('Which database suits us')
    await elsewhere.turn('Where does the cache go')
    renameSync(elsewhere.transcript, `${lab.root}/old.jsonl`)
    await runs(lab, ['start', 'brainstorm', 'API', 'design'])
    const lines = commandLinesOf('docs/import.md').filter((line) => line !== '')
    expect(lines).toHaveLength(4)
    for (const line of lines) await runs(lab, words(line).slice(1))
    const { conversations } = await lab.json<{ conversations: { title: string }[] }>(['list', '--json'])
    expect(conversations.map(({ title }) => title).sort()).toEqual([
      'API design',
      'Where does the cache go',
      'Which database suits us',
    ])
  })

  test('from code to talk: a line, a file and a conversation', async () => {
    const lab = await workspaceLab()
    const claude = new ClaudeSession(lab)
    await claude.command('workspace.brainstorm', 'API design')
    const content = Array.from({ length: 42 }, (_, at) => `export const value${at} = ${at}\n`).join('')
    mkdirSync(`${lab.root}/src`)
    writeFileSync(`${lab.root}/src/save.ts`, content)
    const input = { file_path: `${lab.root}/src/save.ts`, content }
    claude.assistant([{ type: 'tool_use', id: 'toolu_save', name: 'Write', input }], 'tool_use')
    claude.user([{ type: 'tool_result', tool_use_id: 'toolu_save', content: 'created' }])
    lab.git('add', 'src')
    lab.git('commit', '--quiet', '--message=save')
    const lines = cortextLines
      .map((line) => words(line).slice(1))
      .filter(([verb]) => verb === 'why' || verb === 'log')
    expect(lines).toHaveLength(4)
    for (const args of lines) {
      const { code, stdout } = await lab.cortext(args)
      expect({ args, code }).toEqual({ args, code: 0 })
      expect(stdout).toContain(args[0] === 'why' ? 'API design' : 'src/save.ts')
    }
  })

  // promise: **Documents yes, talk no:**
  // promise: Only another clone cannot resume
  test('S0-R1a the lines that keep the talk out of git do so, and cortext still works', async () => {
    const lab = await workspaceLab()
    await runs(lab, ['start', 'brainstorm', 'Private', 'talk'])
    await runs(lab, ['stop', '001'])
    expect(lab.git('ls-files')).toContain('.session/')
    const lines = fencesOf('docs/git.md').find((text) => text.includes('git rm'))!
    execFileSync('bash', ['-ec', lines], { cwd: lab.root, env: lab.env })
    await runs(lab, ['edit', '001', '--summary', 'later'])
    await runs(lab, ['save', '001', '--commit'])
    lab.git('commit', '--quiet', '--all', '--message=talk no')
    expect(lab.git('ls-files')).not.toContain('.session/')
    expect((await lab.cortext(['show', '001'])).stdout).toContain('Summary: later')
  })
})

async function runs(lab: Lab, args: string[]): Promise<void> {
  const { code, stderr } = await lab.cortext(args)
  expect(code, `cortext ${args.join(' ')}: ${stderr}`).toBe(0)
}

function checkWords([verb, ...rest]: string[]): void {
  const command = verb === undefined ? program : commandOf(verb)
  expect(command, verb).toBeDefined()
  for (const flag of rest.filter((word) => word.startsWith('-')))
    expect(flagsOf(command!), verb).toContain(flag)
}

function commandOf(name: string): Command | undefined {
  return program.commands.find((one) => one.name() === name)
}

function flagsOf(command: Command): string[] {
  return command.options.flatMap(({ long, short }) => [long, short].filter((flag) => flag != null))
}

function tableRows(): { verbs: string[]; flags: string[] }[] {
  return documentAt('docs/verbs.md')
    .split('\n')
    .filter((line) => /^\| `cortext/.test(line))
    .map((line) => ({
      verbs: [...line.matchAll(/`cortext(?: ([a-z]+))?/g)].map(([, verb = '']) => verb),
      flags: [...line.matchAll(/`[^`]*`/g)].flatMap(
        ([code]) => code.match(/--[a-z-]+|(?<=[` ])-[a-z]\b/g) ?? [],
      ),
    }))
}

function words(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain!)
}
