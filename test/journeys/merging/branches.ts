import { appendFileSync, chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { readConversation } from '../../../src/conversation/read.ts'
import { settleMerges } from '../../../src/journeys/merging/look-at-merges.ts'
import type { Settled } from '../../../src/journeys/merging/settle.ts'
import { openWorkspace, type Workspace } from '../../../src/workspace/open.ts'
import { applyVisibility } from '../../../src/workspace/visibility.ts'
import { type Repository, tempFolder, tempRepository } from '../../helpers/repository.ts'
import { BIN } from '../../helpers/workspace-lab.ts'

export const PATH = 'conversations/2026-11-21/001-brainstorm-api-design'
export const [ANN, BOB] = ['aaaaaaaaaaaa', 'bbbbbbbbbbbb']

/** A shared workspace whose branches stand for the clones of several people. */
export interface Branches extends Repository {
  ws: Workspace
  /** Git that may stop at a conflict. */
  tryGit: (...args: string[]) => void
  /** Says something in the conversation at PATH, which is begun if it is not there, and commits it. */
  say: (who: string, texts: readonly string[], more?: object) => void
  settle: () => Promise<Settled>
  session: (path: string) => Record<string, unknown>
  /** What was said, by the record itself. */
  said: (path: string) => unknown[]
}

export function branches({ driver = 'cortext' }: { driver?: string } = {}): Branches {
  const repository = tempRepository({ '.workspace/config.json': '{"visibility":"shared"}' })
  const { root, env, environment, git, write } = repository
  const bin = tempFolder()
  const program = join(bin, 'cortext')
  writeFileSync(
    program,
    driver === 'cortext' ? `#!/bin/sh\nexec '${process.execPath}' '${BIN}' "$@"\n` : driver,
  )
  chmodSync(program, 0o755)
  env.PATH = [bin, env.PATH].join(delimiter)
  applyVisibility(root, 'shared', { folders: [], files: [] })
  git('add', '--all')
  git('commit', '--quiet', '--message=workspace')
  const ws = openWorkspace(environment)
  const file = (path: string, name: string) => join(root, path, '.session', name)
  return {
    ...repository,
    ws,
    tryGit: (...args) => {
      try {
        git(...args)
      } catch {
        // It has stopped at a conflict; the test looks at what is there.
      }
    },
    say(who, texts, more = {}) {
      mkdirSync(join(root, PATH, '.session'), { recursive: true })
      const known = existsSync(file(PATH, 'session.json')) ? read(file(PATH, 'session.json')) : begun(who)
      for (const text of texts) {
        minute += 1
        appendFileSync(
          file(PATH, 'messages.jsonl'),
          `${JSON.stringify(lineOf(who, text, String(known.origin)))}\n`,
        )
      }
      write(
        `${PATH}/.session/session.json`,
        `${JSON.stringify({ ...known, last_active: now(), message_count: Number(known.message_count) + texts.length, ...more }, null, 2)}\n`,
      )
      git('add', '--all')
      git('commit', '--quiet', `--message=${texts.join()}`)
    },
    settle: () => settleMerges(ws),
    session: (path) => read(file(path, 'session.json')),
    said: (path) => readConversation(ws, path).messages.map(({ content }) => content),
  }
}

let minute = 0
const now = () => new Date(Date.UTC(2026, 10, 21, 12, minute)).toISOString()

function begun(who: string): Record<string, unknown> {
  minute += 1
  return {
    version: '1.0',
    conversation_id: '001-brainstorm-api-design',
    conversation_type: 'brainstorm',
    title: 'API design',
    status: 'paused',
    created_at: now(),
    message_count: 0,
    token_count: 0,
    agent_sessions: [],
    origin: who,
  }
}

function lineOf(who: string, text: string, origin: string) {
  const native = { client: 'claude', native_session: who, seq: minute }
  return { id: text, role: 'user', content: text, timestamp: now(), ...native, origin }
}

function read(path: string): Record<string, unknown> {
  return JSON.parse(readFileSync(path, 'utf8'))
}
