import { randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openLab } from './claude.ts'
import { CLAUDE_VERSIONS } from './install.ts'
import { SOON } from './lab.ts'
import { allText, lastUserText, toolResults, typedText } from './model-request.ts'
import { bash, read, text, thinking, tool } from './reply.ts'

/** What a person may type behind a command, and a shell must never see. */
const NASTY = `it's "q" $(id) & \`date\`; x > y`

describe.each(CLAUDE_VERSIONS)('Claude Code %s: sessions and transcripts', (version) => {
  it('keeps the transcript under the slug of the real path of its folder', async () => {
    await using lab = await openLab({ version })
    const folder = join(lab.project, 'My Proj_1.2-é日')
    const link = join(lab.project, 'link')
    mkdirSync(folder)
    symlinkSync(folder, link)
    await lab.headless(['hello'], { cwd: link })
    const slug = folder.replace(/[^a-zA-Z0-9]/g, '-')
    expect(lab.transcripts().map((path) => basename(join(path, '..')))).toEqual([slug])
    expect(lab.records().find((record) => record.type === 'user')?.cwd).toBe(folder)
  })

  it('takes the id of a new session, and appends to it when it is resumed', async () => {
    await using lab = await openLab({ version })
    const id = randomUUID()
    await lab.headless(['--session-id', id, 'first'])
    const before = lab.records(id)
    await lab.headless(['--resume', id, 'second'])
    expect(lab.transcripts().map((path) => basename(path))).toEqual([`${id}.jsonl`])
    expect(lab.records(id).slice(0, before.length)).toEqual(before)
    expect(lab.talk(id)).toEqual(['first', 'Scripted answer 1.', 'second', 'Scripted answer 2.'])
    expect(lab.model.requests[1]?.messages.filter((message) => message.role !== 'system')).toHaveLength(3)
  })

  it('tells a tool call which session it runs in', async () => {
    await using lab = await openLab({ version })
    lab.model.when('go on', bash('echo "in $CLAUDE_CODE_SESSION_ID"'), 'All done.')
    const done = await lab.headless(['--allowedTools=Bash', '--', 'go on'])
    expect(done).toEqual({ code: 0, stdout: 'All done.\n', stderr: '' })
    const [transcript] = lab.transcripts()
    expect(toolResults(lab.model.requests[1]!)).toEqual([`in ${basename(transcript!, '.jsonl')}`])
  })

  it('writes one answer as a line for each block, and parallel tool results as a branch each', async () => {
    await using lab = await openLab({ version })
    writeFileSync(join(lab.project, 'note.txt'), 'alpha\n')
    const note = read(join(lab.project, 'note.txt'))
    const failing = bash('echo out; echo err >&2; exit 3')
    lab.model.when('both', [thinking('hm'), text('Two tools.'), note, failing], 'Seen.')
    await lab.headless(['--allowedTools=Bash,Read', '--', 'both'])

    const records = lab.records()
    const answer = records.filter((record) => record.message?.content?.[0]?.type !== undefined)
    const first = answer.filter((record) => record.type === 'assistant').slice(0, 4)
    expect(
      first.map((record) => record.message.content.map((block: { type: string }) => block.type)),
    ).toEqual([['thinking'], ['text'], ['tool_use'], ['tool_use']])
    expect(new Set(first.map((record) => record.message.id)).size).toBe(1)
    const results = answer.filter((record) => record.message.content[0].type === 'tool_result')
    expect(results.map((record) => record.parentUuid)).toEqual(first.slice(2).map((record) => record.uuid))
    expect(results[1]?.message.content[0].is_error).toBe(true)
    expect(toolResults(lab.model.requests[1]!)).toEqual([
      expect.stringContaining('alpha'),
      expect.stringMatching(/3[\s\S]*out[\s\S]*err/),
    ])
  })

  it('gives the model 28,000 characters of a tool result whole, and moves 31,000 to a file', async () => {
    await using lab = await openLab({ version })
    const print = (count: number) => bash(`head -c ${count} /dev/zero | tr '\\0' x`)
    lab.model.when('much', print(28_000), print(31_000), 'Read.')
    await lab.headless(['--allowedTools=Bash', '--', 'much'])
    expect(toolResults(lab.model.requests[1]!)).toEqual(['x'.repeat(28_000)])
    const [moved] = toolResults(lab.model.requests[2]!)
    const [, path] = /saved to: (\S+)/.exec(moved!)!
    expect(readFileSync(path!, 'utf8')).toBe('x'.repeat(31_000))
    expect(path).toContain(`${lab.transcripts()[0]!.slice(0, -'.jsonl'.length)}/tool-results/`)
  })

  it('trims the lines that Edit puts in, but not in Markdown, and takes the line break behind what goes', async () => {
    await using lab = await openLab({ version })
    const edit = (name: string, old_string: string, new_string: string) =>
      tool('Edit', { file_path: join(lab.project, name), old_string, new_string })
    for (const name of ['a.ts', 'b.md']) writeFileSync(join(lab.project, name), 'one\ntwo\nthree\nfour\n')
    const files = ['a.ts', 'b.md'].map((name) => read(join(lab.project, name)))
    const both = (before: string, after: string) => ['a.ts', 'b.md'].map((name) => edit(name, before, after))
    lab.model.when(
      'change',
      files,
      both('one', '1  \n\tx\t\n '),
      both('two', ''),
      both('\nthree', ''),
      'Done.',
    )
    await lab.headless(['--allowedTools=Read,Edit', '--', 'change'])
    expect(readFileSync(join(lab.project, 'a.ts'), 'utf8')).toBe('1\n\tx\nfour\n')
    expect(readFileSync(join(lab.project, 'b.md'), 'utf8')).toBe('1  \n\tx\t\n four\n')
  })

  it('leaves whole lines when it is killed in the middle of an answer', async () => {
    await using lab = await openLab({ version })
    const terminal = await lab.interactive(['first'])
    await terminal.waitFor('Scripted answer 1.')
    lab.model.when('second', { blocks: [text('Half an answer.')], until: new Promise(() => {}) })
    await terminal.submit('second')
    await terminal.waitFor('Half an answer.')
    // Written a moment after it was typed, not before the request is sent.
    await expect.poll(() => lab.talk(), SOON).toContain('second')
    terminal.kill('SIGKILL')
    expect(await terminal.waitForExit()).toBe(137)
    expect(readFileSync(lab.transcripts()[0]!, 'utf8')).toMatch(/\n$/)
    expect(lab.talk()).toEqual(['first', 'Scripted answer 1.', 'second'])
  })
})

describe('Claude Code 2.1.330: automatic permission mode, its default', () => {
  it('runs what a rule allows without a question to the person or the model', async () => {
    await using lab = await openLab({ version: '2.1.330', userSettings: { tui: 'default' } })
    writeFileSync(join(lab.bin, 'cortext'), '#!/bin/sh\necho "ran $*"\n')
    lab.settings({ permissions: { allow: ['Bash(cortext list *)'] } })
    lab.model.when('go on', bash('cortext list --json'), 'All done.')
    const terminal = await lab.interactive(['go on'])
    await terminal.waitFor('All done.')
    expect(terminal.screen()).toContain('auto mode on')
    expect(toolResults(lab.model.requests[1]!)).toEqual(['ran list --json'])
    expect(lab.model.sideRequests).toEqual([])
  })
})

describe.each(CLAUDE_VERSIONS)('Claude Code %s: slash commands', (version) => {
  it.each(['in a terminal', 'headless'])(
    'records a project command as typed, then its body, %s',
    async (way) => {
      await using lab = await openLab({ version })
      lab.command('workspace.x', 'BODY begins. Topic: $ARGUMENTS\nBODY ends.')
      const typed = `/workspace.x ${NASTY}`
      if (way === 'headless') await lab.headless([typed])
      else await (await lab.interactive([typed])).waitFor('Scripted answer 1.')

      const body = `BODY begins. Topic: ${NASTY}\nBODY ends.`
      expect(typedText(lab.model.requests[0]!)).toContain(body)
      await expect
        .poll(() => lab.talk(), SOON)
        .toEqual([
          '<command-message>workspace.x</command-message>\n' +
            `<command-name>/workspace.x</command-name>\n<command-args>${NASTY}</command-args>`,
          `(meta) ${body}`,
          'Scripted answer 1.',
        ])
    },
  )

  it('runs a command that is typed, and leaves the arguments tag out when there are none', async () => {
    await using lab = await openLab({ version })
    lab.command('workspace.x', 'BODY')
    const terminal = await lab.interactive()
    await terminal.submit('/workspace.x')
    await terminal.waitFor('Scripted answer 1.')
    await expect
      .poll(() => lab.talk()[0], SOON)
      .toBe('<command-message>workspace.x</command-message>\n<command-name>/workspace.x</command-name>')
    expect(lastUserText(lab.model.requests[0]!)).toContain('BODY')
  })

  it('substitutes arguments into a shell line before the shell sees them', async () => {
    await using lab = await openLab({ version })
    lab.command('workspace.x', 'Says: !`echo $ARGUMENTS`', 'allowed-tools: Bash(echo:*)')
    await lab.headless(['/workspace.x one && echo two'])
    expect(allText(lab.model.requests[0]!)).toContain('Says: one\ntwo')
  })
})
