import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import fs from 'fs-extra'
import { clientList } from '../../clients/index.ts'
import { buildContext } from '../../context/build.ts'
import { receiptLines } from '../../context/receipt.ts'
import { HANDOFF_BOUND } from '../../context/tokens/budget.ts'
import { readConversation } from '../../conversation/read.ts'
import { writeFileAtomic } from '../../io/atomic-write.ts'
import type { Environment } from '../../io/environment.ts'
import { findProgram } from '../../io/program.ts'
import { makeTemporaryFolder } from '../../io/temporary-folder.ts'
import { listConversations } from '../../journeys/finding/list.ts'
import { replay } from '../../journeys/recording/replay.ts'
import { stop } from '../../journeys/recording/stop.ts'
import { contextRequest, recapFor } from '../../journeys/resuming/context.ts'
import { currentCommand } from '../../journeys/resuming/current-command.ts'
import { install } from '../../journeys/setup/install.ts'
import { isTalk, textOf } from '../../session/live-path.ts'
import type { Message } from '../../session/schema.ts'
import { countOf } from '../../text/count-of.ts'
import { git } from '../../workspace/git/run-git.ts'
import { openWorkspace, type Workspace } from '../../workspace/open.ts'
import { shippedPack } from '../../workspace/pack/shipped.ts'
import { conversationTable } from '../conversation-lines.ts'
import { say } from '../print.ts'
import { stopConfirmation } from './stop.ts'

const RECORDING = {
  client: 'claude',
  nativeId: '5c0de000-0000-4000-8000-000000000001',
  type: 'brainstorm',
  title: 'REST or GraphQL for our internal API?',
}
const SUMMARY =
  'We were leaning toward REST with two composed endpoints; still open: how the mobile app batches its writes.'

/**
 * Shows the main use of cortext in a throw-away workspace: a conversation from a recording is captured, stopped, listed
 * and handed off.
 */
export async function demo(environment: Environment, options: { keep?: boolean }): Promise<void> {
  const folder = realpathSync(makeTemporaryFolder('cortext-demo-'))
  try {
    await walkThrough(
      demoEnvironment(environment, folder),
      findProgram('cortext', environment.env) !== undefined,
    )
    if (options.keep) say('', `The workspace was kept: ${join(folder, 'workspace')}`)
  } finally {
    if (!options.keep) fs.removeSync(folder)
  }
}

/** The demo has its own home and workspace, so that no file of the person is read or written. */
function demoEnvironment(environment: Environment, folder: string): Environment {
  const cwd = join(folder, 'workspace')
  const home = join(folder, 'home')
  fs.ensureDirSync(cwd)
  fs.ensureDirSync(home)
  const author = {
    GIT_AUTHOR_NAME: 'Demo',
    GIT_AUTHOR_EMAIL: 'demo@localhost',
    GIT_COMMITTER_NAME: 'Demo',
    GIT_COMMITTER_EMAIL: 'demo@localhost',
  }
  const env = { PATH: environment.env.PATH, HOME: home, GIT_CONFIG_NOSYSTEM: '1', ...author }
  return { ...environment, cwd, home, env, interactive: false }
}

async function walkThrough(environment: Environment, installed: boolean): Promise<void> {
  step('1. A workspace: a folder in git, with the commands and hooks of your clients')
  // Without git the demo makes no commits.
  const here = { root: environment.cwd, environment }
  await git(here, ['init', '--quiet', '--initial-branch', 'main']).catch(() => undefined)
  await install(environment, { dir: environment.cwd, clients: clientList(), visibility: 'shared' })
  const ws = openWorkspace(environment)
  say(
    '$ cortext init',
    `Made: .workspace/, ${clientList()
      .map((client) => client.name)
      .join(', ')}`,
  )

  step('2. A conversation in Claude Code, captured turn by turn (a recording)')
  const started = await replay(ws, {
    ...RECORDING,
    file: join(shippedPack(), 'templates', 'demo', 'claude.jsonl'),
  })
  const { messages } = readConversation(ws, started.path)
  writeDocument(ws, started.document!, messages)
  say(
    `> /workspace.brainstorm ${RECORDING.title}`,
    messages
      .filter(isTalk)
      .slice(0, 3)
      .map((one) => `  ${one.role}: ${textOf(one).split('\n')[0]}`),
    '  …',
  )

  step('3. It is stopped: saved, paused, committed')
  const stopped = await stop(ws, { path: started.path, current: undefined, summary: SUMMARY })
  say(
    '> /workspace.stop-conversation',
    stopConfirmation(stopped),
    'committed' in stopped.commit
      ? [`Committed: ${stopped.commit.committed.slice(0, 7)}`]
      : [`Not committed: ${stopped.commit.notCommitted}`],
  )

  step('4. Every conversation is found again')
  say('$ cortext resume --list', conversationTable(listConversations(ws).conversations, environment.now()))

  step('5. What a resume hands to the agent, in any client: instructions, then context')
  const conversation = readConversation(ws, started.path)
  const request = await contextRequest(ws, conversation, { budget: HANDOFF_BOUND })
  const context = buildContext(request)
  const { command, change } = currentCommand(ws, conversation)
  say(
    '$ cortext resume --print "rest or grapql"',
    `(the instructions of /${command.name}: ${countOf(command.body.split('\n').length, 'line')})`,
    '',
    context.text,
    '',
    receiptLines(context.receipt),
  )

  step('6. What you see first, before you type anything; no model is asked')
  say(
    '$ cortext resume "rest or grapql"',
    recapFor(ws, conversation, request, context, change).replaceAll('`', ''),
  )

  step('What to do next')
  say(
    installed ? [] : ['  npm install -g cortext      put cortext on your PATH'],
    '  cd your-project && cortext init',
    '  claude                      then type: /workspace.brainstorm <topic>',
    '                              and, when you have to go: /workspace.stop-conversation',
    '  cortext resume              any day later',
  )
}

/**
 * Writes the document of the demo's conversation. Its text is that of the recording's last `Write` call. The path in
 * that call is not used.
 */
function writeDocument(ws: Workspace, document: string, messages: readonly Message[]): void {
  const writes = messages
    .flatMap((message) => message.tool_calls ?? [])
    .filter((call) => call.name === 'Write')
  const { content } = (writes.at(-1)?.arguments ?? {}) as { content?: unknown }
  if (typeof content === 'string') writeFileAtomic(join(ws.root, document), content)
}

function step(title: string): void {
  say('', `── ${title} ${'─'.repeat(Math.max(2, 76 - title.length))}`, '')
}
