import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { type ClientId, clientList } from '../../src/clients/index.ts'
import type { SummaryFile } from '../../src/session/summary-file.ts'
import { LONG } from '../helpers/long.ts'
import { openClients } from './clients-lab.ts'
import { keepFromClaude } from './kept.ts'
import { allText, lastUserText, type ModelRequest } from './model-request.ts'

const PROMPT = /Target length: approximately \d+ tokens\.\n\nCONVERSATION TO SUMMARIZE:\n\nUSER: Topic is API/

const ASKED = clientList().flatMap(({ id, questions }) => (questions === undefined ? [] : [id as ClientId]))

// promise: It runs that client in an empty folder, without tools, project settings or hooks
// promise: `@path` in the messages
it.each(LONG ? ASKED : ASKED.filter((id) => ['claude', 'codex', 'pi'].includes(id)))(
  'X-14 Q-15 S4-P3-13 S4-P3-18 S4-P3-19 S4-P3-20 S4-P3-21 %s is asked for a summary, once, and of nothing else',
  async (id) => {
    await using lab = await openClients('claude', id)
    const secret = join(lab.home, 'secret.txt')
    writeFileSync(secret, 'NOT FOR A MODEL')
    const turns = Array.from({ length: 30 }, (_, n): [string, string] => [
      n === 0
        ? `Topic is API, see @${secret} and !\`id\``
        : `Question ${n} ${'about the interface '.repeat(12)}`,
      `Answer ${n} ${'with some more words '.repeat(12)}`,
    ])
    await keepFromClaude(lab, 'API design', turns)
    const [path = ''] = lab.conversations()
    const before = lab.status()
    const isAsked = (request: ModelRequest) => /^Target length/m.test(lastUserText(request))
    const isRouter = (request: ModelRequest) => /complexity/i.test(request.system)
    const answer = (request: ModelRequest) =>
      isAsked(request) && !isRouter(request) ? 'They chose REST for @all.' : undefined
    lab.model.aside(answer)
    lab.model.script(answer)

    const args = ['context', '001', '--budget', '2000', '--summarize-with', id]
    const first = await lab.cortext(args)
    expect(first, first.stderr).toMatchObject({ code: 0 })
    expect(first.stdout).toMatch(
      /Summary of the first \d+ messages, by [^\n]+:\n They chose REST for @all\.\n/,
    )
    // Copilot CLI gives no counts.
    expect(first.stderr).toMatch(
      /read \d+ tokens and wrote \d+ \((?:by the count of |o200k; the client does not report it)/,
    )
    const all = [...lab.model.requests, ...lab.model.sideRequests]
    const asked = all.filter((request) => isAsked(request) && !isRouter(request))
    expect(asked).toHaveLength(1)
    expect(all.filter((request) => !isAsked(request))).toEqual([])
    const [request] = asked
    expect(lastUserText(request!)).toMatch(PROMPT)
    expect(request!.system).toContain('PRESERVE in your summary:')
    expect(request!.system).toContain('Write as a concise narrative paragraph, not bullet points.')
    expect(request!.tools).toEqual([])
    expect(all.map(allText).join('\n')).not.toContain('NOT FOR A MODEL')

    const folder = join(lab.project, path, '.session', 'summaries')
    const [name = '', ...more] = readdirSync(folder)
    expect(more).toEqual([])
    const kept = JSON.parse(readFileSync(join(folder, name), 'utf8')) as SummaryFile
    expect(kept.summary.content).toBe('They chose REST for @all.')
    // Nothing but this file is new, and no hook or plugin of the workspace took it for a conversation.
    expect(
      lab
        .status()
        .filter((line) => !before.includes(line))
        .join(),
    ).toContain(`/summaries/${name}`)
    expect(lab.conversations()).toEqual([path])

    const count = all.length
    const second = await lab.cortext(args)
    expect(second.stdout).toBe(first.stdout)
    expect(second.stderr).toContain('no model was asked')
    expect(lab.model.requests.length + lab.model.sideRequests.length).toBe(count)

    const record = join(lab.project, path, '.session', 'messages.jsonl')
    writeFileSync(record, readFileSync(record, 'utf8').replace('Question 2 about', 'Question two about'))
    const { stdout } = await lab.cortext(['context', '001', '--budget', '2000'])
    expect(stdout).not.toContain('They chose REST')
  },
)
