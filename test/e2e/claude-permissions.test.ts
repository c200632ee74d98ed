import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CLAUDE_VERSIONS } from './install.ts'
import { bash, tool } from './reply.ts'
import {
  callInTurn,
  FORMS,
  mapped,
  NEIGHBOURS,
  namesOf,
  REFUSED,
  ranNot,
  ranWell,
  wereRefused,
} from './unasked.ts'
import { openWorkspaceLab, type WorkspaceLab } from './workspace-lab.ts'

describe.each(CLAUDE_VERSIONS)(
  'Claude Code %s, without a terminal, where it refuses what it would ask about',
  (version) => {
    // promise: it asks about all that hides more
    // promise: Each row is a test with the real client
    // promise: itself passes over what it takes for harmless
    // promise: What then runs is the same verb, with the same limits.
    // promise: Besides these calls, our rules
    it('runs the calls of `cortext agent`, and none of their neighbours', async () => {
      await using lab = await openWorkspaceLab({ version })
      writeFileSync(join(lab.project, '.env'), 'TOKEN=x')
      // The client does not ask about it. No verb reads it.
      const file = 'cortext agent save < .env'
      const calls = mapped({ ...NEIGHBOURS, ...REFUSED, file, ...FORMS }, bash)
      const done = await callInTurn(lab, calls, (said) => lab.headless([said], { timeout: 120_000 }))
      ranNot(done, namesOf(NEIGHBOURS))
      ranWell(done, namesOf(FORMS))
      expect(lab.session()).toMatchObject({ status: 'paused', context_summary: "a > b; it's c" })
      wereRefused(done, [...namesOf(REFUSED), 'file'])
    })

    // promise: it asks about all
    it('writes the documents of conversations, and nothing near them', async () => {
      await using lab = await openWorkspaceLab({ version })
      const folder = 'conversations/2026-11-22/001-brainstorm-x'
      const put = (path: string) => join(lab.project, path)
      for (const path of [folder, 'src', `${folder}/.session`]) mkdirSync(put(path), { recursive: true })
      symlinkSync('../../../src/linked.md', put(`${folder}/link.md`))
      symlinkSync('../../../src', put(`${folder}/links`))
      symlinkSync('../../src', put('conversations/2026-11-22/002-brainstorm-y'))
      const paths = {
        document: `${folder}/brainstorm.md`,
        'another document': `${folder}/notes on it.md`,
        record: `${folder}/.session/summary.md`,
        'another kind of file': `${folder}/run.sh`,
        'another ending behind it': `${folder}/brainstorm.md.sh`,
        'what clients take instructions from': `${folder}/CLAUDE.md`,
        'commands of a client': 'conversations/2026-11-22/.claude/x.md',
        'above the conversations': 'conversations/x.md',
        'deeper than a document': `${folder}/links/x.md`,
        'a link': `${folder}/link.md`,
        'below a link': 'conversations/2026-11-22/002-brainstorm-y/x.md',
        'dots that lead out': `${folder}/../../../src/x.md`,
        'another folder of that name': `src/${folder}/brainstorm.md`,
        'the code': 'src/x.md',
        outside: '/tmp/conversations/2026-11-22/001-brainstorm-x/brainstorm.md',
      }
      const write = (path: string) =>
        tool('Write', { file_path: path.startsWith('/') ? path : `${lab.project}/${path}`, content: 'x' })
      const [document, notes, ...others] = await written(lab, Object.values(paths).map(write))
      expect([document, notes]).toEqual([true, true])
      expect(others).toEqual(others.map(() => false))
      for (const path of Object.values(paths)
        .slice(2)
        .filter((one) => !one.endsWith('link.md')))
        expect(existsSync(put(path)), path).toBe(false)
      expect(existsSync(put('src/linked.md'))).toBe(false)
    })

    // promise: it asks about all
    it('asks about the record also where edits are accepted', async () => {
      await using lab = await openWorkspaceLab({ version })
      const record = `${lab.project}/conversations/2026-11-22/001-brainstorm-x/.session/session.json`
      const calls = [`${lab.project}/x.md`, record].map((path) =>
        tool('Write', { file_path: path, content: 'x' }),
      )
      expect(await written(lab, calls, ['--permission-mode', 'acceptEdits'])).toEqual([true, false])
    })

    it('offers our commands to the person who types them, and not to the model', async () => {
      await using lab = await openWorkspaceLab({ version })
      const debug = tool('Skill', { skill: 'workspace.debug', args: '' })
      lab.model.when('an earlier conversation', debug, 'Done.')
      const done = await lab.headless(['/workspace.resume'])
      expect(done.stdout).toContain('Done.')
      const [first, second] = lab.model.requests.map(({ body }) => JSON.stringify(body))
      expect(first?.includes('The person wants to continue an earlier conversation')).toBe(true)
      for (const offered of ['workspace.debug', 'workspace.learn', 'Find the cause of a fault together'])
        expect(first?.includes(offered), offered).toBe(false)
      expect(second?.includes('finding out why something goes wrong')).toBe(false)
    })
  },
)

/** Which of these calls, made in one turn, the client let through. */
async function written(
  lab: WorkspaceLab,
  calls: ReturnType<typeof tool>[],
  args: string[] = [],
): Promise<boolean[]> {
  lab.model.when('Please write.', calls, 'All were tried.')
  const done = await lab.headless(['Please write.', ...args])
  expect(done.stdout).toContain('All were tried.')
  // biome-ignore lint/suspicious/noExplicitAny: a foreign format.
  const results: any[] = (lab.model.requests.at(-1)!.body as any).messages
    .flatMap(({ content }: { content: unknown }) => content)
    .filter(({ type }: { type: string }) => type === 'tool_result')
  const ids = calls.map((call) => ('id' in call ? call.id : ''))
  return ids.map((id) => results.find((one) => one.tool_use_id === id).is_error !== true)
}
