import { CortextError } from '../../../errors.ts'
import { agentTrace, type ConversationLog, logOf } from '../../../extras/why/index.ts'
import type { Environment } from '../../../io/environment.ts'
import { oneLine, shortLine } from '../../../text/line.ts'
import { localTime } from '../../../text/local-time.ts'
import { openToRead } from '../../named-conversation.ts'
import { sayJson, sayWrapped } from '../../print.ts'
import { headOf, idAndNameOf, openerOf, placeAsJson } from './places.ts'

interface LogOptions {
  format?: 'text' | 'agent-trace'
  json?: boolean
}

export async function logVerb(environment: Environment, id: string, options: LogOptions): Promise<void> {
  const { ws, found } = await openToRead(environment, 'log', id)
  const log = await logOf(ws, found.path)
  if (log === undefined)
    throw new CortextError('unreadable', `${found.path} cannot be read`, { fix: 'cortext doctor' })
  if (options.format === 'agent-trace') return sayJson(await agentTrace(ws, log))
  return options.json === true ? sayJson(asJson(log)) : sayWrapped(logLines(log))
}

function logLines({ source, files, made, saved }: ConversationLog): string[] {
  return [
    headOf(source),
    `  Files: ${files.length === 0 ? 'no tool call changed one' : files.length}`,
    ...files.map(
      ({ path, action, outside }) =>
        `    ${action.padEnd(8)} ${oneLine(path)}${outside ? '  (outside the workspace)' : ''}`,
    ),
    `  Commits made in it: ${made.length === 0 ? 'git reported none' : made.length}`,
    ...made.flatMap(({ id, sha, subject, branch, place }) => [
      `    ${id} ${shortLine(subject, 100)} (${oneLine(branch)}, ${localTime(place.time)})${sha === undefined ? '  not in this repository any more' : ''}`,
      `      → ${openerOf(place)}`,
    ]),
    ...(saved.length === 0 ? [] : [`  Commits that saved it: ${saved.length}`]),
    ...saved.map(({ sha, subject }) => `    ${sha.slice(0, 9)} ${shortLine(subject, 100)}`),
    '  Changes by shell commands are not known, except plain removals.',
  ]
}

function asJson({ source, files, made, saved }: ConversationLog) {
  return {
    ...idAndNameOf(source),
    ...{ path: source.path, title: source.session.title, files },
    commits: made.map(({ id, sha, branch, subject, place }) => {
      const { message, at, file, time } = placeAsJson(place)
      return { id, sha: sha ?? null, branch, subject, message, at, file, time }
    }),
    saved,
  }
}
