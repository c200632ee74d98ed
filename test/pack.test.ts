import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { Message, SessionFile } from '../src/session/schema.ts'

/** The prompt pack and the templates as they ship: what the clients render and what every conversation begins with. */

const TYPES = ['brainstorm', 'debug', 'plan', 'learn', 'meeting', 'review', 'projectmanage']
const OTHERS = ['resume', 'stop-conversation', 'add']
const NAMES = [...TYPES, ...OTHERS]
const ROOT = join(import.meta.dirname, '..')

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const command = (name: string) => read(`commands/workspace.${name}.md`)
const count = (text: string, part: string) => text.split(part).length - 1

const temporary: string[] = []
afterAll(() => {
  for (const folder of temporary) rmSync(folder, { recursive: true, force: true })
})

describe('the command files', () => {
  it('E-15: are exactly these ten, so that every client shows the same names', () => {
    const expected = NAMES.map((name) => `workspace.${name}.md`).sort()
    expect(readdirSync(join(ROOT, 'commands')).sort()).toEqual(expected)
  })

  it.each(NAMES)('%s: front matter is description and argument-hint, each plain text on one line', (name) => {
    const match = /^---\ndescription: (.+)\nargument-hint: (.+)\n---\n\S/.exec(command(name))
    expect(match).not.toBeNull()
    for (const value of match!.slice(1)) {
      expect(value).toMatch(/^[A-Za-z<]/) // nothing that YAML reads as a list, map, tag or quote
      expect(value).not.toMatch(/: | #|\s$/)
      expect(value.length).toBeLessThanOrEqual(100) // Gemini CLI shows no more
    }
  })

  it.each(NAMES)('%s: takes what was typed exactly once, and no other variable', (name) => {
    expect(count(command(name), '$ARGUMENTS')).toBe(1)
    expect(count(command(name), '$')).toBe(1)
  })

  it.each(NAMES)('%s: holds no syntax and no tool name of any one client', (name) => {
    const text = command(name)
    expect(text).not.toContain('@') // file references, in all three
    expect(text).not.toMatch(/!`|```!|!\{|\{\{/) // shell lines of Claude Code and OpenCode, shell and arguments of Gemini CLI
    expect(text).not.toMatch(
      /\b(Bash|WebFetch|WebSearch|Grep|Glob|TodoWrite|Task tool|AskUserQuestion|MCP)\b/,
    )
    expect(text).not.toMatch(/\b(Read|Write|Edit) tool\b|run_shell_command|read_file|write_file|web_fetch/)
    expect(text).not.toMatch(/Claude|OpenCode|Gemini/)
  })

  it.each(NAMES)('CARD-5: %s shells out to cortext, or says what when it is missing', (name) => {
    expect(shellBlocks(command(name)).length).toBeGreaterThan(0)
    if (name !== 'add') expect(command(name)).toContain('`cortext` is not found')
  })

  it.each(NAMES)(
    'E-4: in %s a text for cortext is one double-quoted argument, of characters that no shell looks at',
    (name) => {
      const calls = [...command(name).matchAll(/cortext agent [^`\n]*"/g)].map(([call]) => call)
      for (const call of calls) {
        expect(call).toMatch(/^cortext agent [a-z -]+ "<[^"]*>"$/)
        expect(command(name)).toContain(
          'has no further double quotes, backticks, backslashes, dollar signs or exclamation marks in it',
        )
        const text = "it's 50 % > y; (a | b) & c {d,e} * ? ~ #f ünï <g>"
        expect(argumentsOf(call.replace(/<.*>/, text)).at(-1)).toBe(text)
      }
      expect(command(name)).not.toContain('<<')
    },
  )
})

describe('the conversation types', () => {
  it.each(TYPES)('S0-G3: %s has its own dialogue, in a size that may be paid for each time', (type) => {
    const own = command(type).split('\n## In every conversation\n')[0]!
    for (const heading of ['## How to hold the conversation', '## What makes it good', '## The document'])
      expect(count(own, heading)).toBe(1)
    expect(own).toContain('\nTopic: $ARGUMENTS\n')
    expect(own).toMatch(/one question at a time|one at a time|One question/i)
    const lines = command(type).trimEnd().split('\n').length
    expect(lines).toBeGreaterThanOrEqual(40)
    expect(lines).toBeLessThanOrEqual(90)
    expect(command(type).split(/\s+/).length).toBeLessThan(1200)
  })

  it('S0-G3: no two types share their own part', () => {
    const own = TYPES.map((type) =>
      command(type).split('\n## How to hold the conversation\n')[1]!.slice(0, 400),
    )
    expect(new Set(own).size).toBe(TYPES.length)
  })

  it('S2-11: all seven carry the same section, word for word but for the type', () => {
    for (const type of TYPES) {
      expect(count(mechanics(type), type)).toBe(1)
      expect(mechanics(type).replace(type, 'TYPE')).toBe(mechanics('plan').replace('plan', 'TYPE'))
    }
  })

  it.each(TYPES)('S2-11: %s opens its own conversation, unless it is open already', (type) => {
    expect(mechanics(type)).toContain(`cortext agent start ${type} --title "<the topic, as typed>"`)
    expect(mechanics(type)).toContain('`[cortext]`')
    expect(mechanics(type)).toContain('open but untitled, run the call above once you know the topic')
  })

  it.each(TYPES)('S0-D6c: %s knows the three signals of a pause', (type) => {
    for (const phrase of ['"let\'s stop"', '"that\'s enough"', '"I need to go"'])
      expect(mechanics(type)).toContain(phrase)
  })

  it.each(TYPES)(
    'S0-D6b, S0-D6d: %s saves then, confirms with what cortext says, and never without a save',
    (type) => {
      const text = mechanics(type)
      expect(text).toContain('cortext agent stop --summary "<')
      expect(text).toContain('the same with `--complete` added')
      expect(text).toContain('show its output as it is')
      expect(text).toContain('`/workspace.resume`')
      expect(text).toContain('never claim a save that did not happen')
      expect(text).toContain('From then on nothing is recorded')
    },
  )

  it.each(TYPES)('S0-D6e: %s may ask once, in these words, after a long run', (type) => {
    expect(mechanics(type)).toContain('you may ask once: `Would you like me to save this session?`')
    expect(mechanics(type)).toContain('`cortext agent save`')
  })

  it.each(TYPES)('S0-D6f: %s takes no for an answer, and discards only on an outright wish', (type) => {
    expect(mechanics(type)).toContain('If no, go on, and neither save nor ask again until much later.')
    expect(mechanics(type)).toContain('`cortext stop --discard` only if they say outright')
  })

  // promise: The prompts tell it not to act unasked
  it.each(TYPES)('S1-003u: %s resumes with the line, a recap, two ways on and "Something else?"', (type) => {
    const resume = mechanics(type).split('**Resume.**')[1]!
    for (const part of [
      '`[RESUMED CONVERSATION]`',
      '`[Resuming "<title>"]`',
      'two concrete ways on and "Something else?"',
      'Do not act unasked',
    ])
      expect(resume).toContain(part)
  })

  // promise: every conversation reads it
  it.each(TYPES)('%s puts the talk before the work, and the person’s own way before its own', (type) => {
    expect(mechanics(type)).toMatch(
      /do not write code, and change nothing outside the conversation's document/,
    )
    expect(mechanics(type)).toContain('`.workspace/memory/constitution.md`')
    expect(mechanics(type)).toContain('Never copy the chat into the document')
  })
})

describe('the other commands', () => {
  // promise: it is saved and paused
  it('S0-D6a: stop-conversation saves and pauses, or completes when told so', () => {
    const text = command('stop-conversation')
    expect(shellBlocks(text)[0]).toMatch(/^cortext agent stop --summary "<the summary>"$/)
    expect(text).toContain('`--complete`')
    expect(text).toContain('takes the whole session from its first message on as a plain conversation')
  })

  it('S0-D6b, S1-002g: stop-conversation shows the confirmation to the letter and nothing else', () => {
    const confirmation = [
      'Session saved.',
      '',
      'Conversation "<title>" has been paused.',
      'You can continue later with /workspace.resume',
      '',
      'Summary: …',
    ].join('\n')
    expect(command('stop-conversation')).toContain(`\n${confirmation}\n`)
    expect(command('stop-conversation')).toContain('and nothing else')
  })

  it('S1-003d, S1-003u: resume asks cortext once, waits for a choice, and picks up without acting', () => {
    const text = command('resume')
    expect(shellBlocks(text)).toHaveLength(1)
    expect(shellBlocks(text)[0]).toMatch(/^cortext agent resume --query "<what they typed>"$/)
    for (const part of [
      'Which conversation would you like to continue? (number or search)',
      '[RESUMED CONVERSATION]',
      '[Resuming "<title>"]',
      'two concrete ways on and "Something else?"',
      'Do not act unasked',
      'run each call that it names before you answer',
      '`--force`',
    ])
      expect(text).toContain(part)
  })

  it('S0-G3: add names every name that is taken', () => {
    for (const name of NAMES) expect(command('add')).toContain(`\`${name}\``)
    expect(command('add')).toContain('cortext init --add-type <name>')
    expect(command('add')).toContain('"In every conversation"')
  })
})

describe('the templates', () => {
  it.each(TYPES)('%s: a title, the facts and a short skeleton, with the four placeholders only', (type) => {
    const text = read(`templates/${type}.md`)
    expect(text).toMatch(/^# \{\{title\}\}\n\n\{\{type\}\} · \{\{date\}\} · \{\{id\}\}\n\n/)
    const placeholders = text.match(/\{\{.*?\}\}/g)
    expect(placeholders).toEqual(['{{title}}', '{{type}}', '{{date}}', '{{id}}'])
    expect(text.split('\n').length).toBeLessThanOrEqual(35)
  })

  it('the constitution is the person’s, with nothing to fill in by a program', () => {
    expect(read('templates/constitution.md')).not.toContain('{{')
  })

  it('S2-12: the registry tells for each of the seven types whether it keeps a session', () => {
    const registry = JSON.parse(read('templates/registry.json'))
    expect(registry.version).toBe('1.0')
    expect(Object.keys(registry.types)).toEqual(TYPES)
    for (const [type, entry] of Object.entries<Record<string, unknown>>(registry.types)) {
      const description = /^description: (.+)$/m.exec(command(type))?.[1]
      expect(entry).toEqual({
        command: `/workspace.${type}`,
        folder: 'conversations',
        template: type,
        session_support: true,
        description,
      })
      expect(existsSync(join(ROOT, `templates/${entry.template}.md`))).toBe(true)
      expect(existsSync(join(ROOT, 'commands', `${String(entry.command).slice(1)}.md`))).toBe(true)
    }
  })
})

describe('the papers', () => {
  it('S0-R1a, S0-R5a: the documents tell how to ignore `.session/` and that the record is sensitive', () => {
    expect(read('docs/git.md')).toMatch(/'\.session\/' >> \.gitignore/)
    expect(read('README.md')).toMatch(/plain text/)
    expect(read('README.md')).toMatch(/sensitive/)
  })

  it('S0-D3a, S0-D2b: the examples in docs/on-disk.md are valid', () => {
    const [session] = fences(read('docs/on-disk.md'), 'json')
    expect(() => SessionFile.parse(JSON.parse(session!))).not.toThrow()
    const [lines] = fences(read('docs/on-disk.md'), 'jsonl')
    for (const line of lines!.split('\n')) expect(() => Message.parse(JSON.parse(line))).not.toThrow()
  })
})

/** The section that every type carries, from its heading to the end of the file. */
function mechanics(type: string): string {
  const parts = command(type).split('\n## In every conversation\n')
  expect(parts).toHaveLength(2)
  return parts[1]!
}

function shellBlocks(text: string): string[] {
  return fences(text, '').filter((block) => block.startsWith('cortext '))
}

function fences(text: string, language: string): string[] {
  return [...text.matchAll(/^```(.*)\n([\s\S]*?)\n```$/gm)]
    .filter((match) => match[1] === language)
    .map((match) => match[2]!)
}

/** The arguments that a call in a real shell gives to `cortext`. */
function argumentsOf(call: string): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'cortext-pack-'))
  temporary.push(folder)
  const fake = join(folder, 'cortext')
  writeFileSync(fake, '#!/bin/sh\nprintf "%s\\0" "$@"\n')
  chmodSync(fake, 0o755)
  const env = { ...process.env, PATH: `${folder}:${process.env.PATH}` }
  return execFileSync('bash', ['-c', call], { cwd: folder, env, encoding: 'utf8' }).split('\0').slice(0, -1)
}
