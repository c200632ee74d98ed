import { basename } from 'node:path'
import { toolVocabulary } from '../../clients/tool-vocabulary.ts'
import { historyOf } from '../../context/select-strategy.ts'
import { isTalk } from '../../session/live-path.ts'
import type { Message, SessionFile } from '../../session/schema.ts'
import { countOf } from '../../text/count-of.ts'
import type { Workspace } from '../../workspace/open.ts'
import { pullRequestText } from './pull-request-text.ts'

interface Talk {
  session: SessionFile
  all: readonly Message[]
  ranged: readonly Message[]
  live: readonly Message[]
}

/** Makes the Markdown for a pull request. */
export function asPullRequest(
  { session, all, ranged, live }: Talk,
  ws: Workspace,
  redacted: Readonly<Record<string, number>>,
): { text: string } {
  const whole = ranged.length === all.length
  const history = historyOf({ messages: [...all], project: basename(ws.root), tools: toolVocabulary() })
  const text = pullRequestText({
    session,
    messages: ranged,
    history: {
      ...history,
      live,
      said: live.filter(isTalk),
      answers: { ...history.answers, results: resultsOf(live) },
      task: whole ? history.task : undefined,
    },
    leftOut: leftOut(live, all.filter(isTalk).length, redacted),
  })
  return { text }
}

function resultsOf(live: readonly Message[]): Map<string, Message> {
  return new Map(
    live.flatMap((one) =>
      one.role === 'tool' && one.tool_call_id !== undefined ? [[one.tool_call_id, one]] : [],
    ),
  )
}

function leftOut(
  live: readonly Message[],
  all: number,
  redacted: Readonly<Record<string, number>>,
): string[] {
  const said = live.filter(isTalk).length
  const results = live.filter(({ role }) => role === 'tool').length
  const reasoning = live.filter((message) => message.reasoning !== undefined).length
  const secrets = Object.values(redacted).reduce((sum, count) => sum + count, 0)
  return [
    said === all
      ? `It had ${countOf(all, 'message')}.`
      : `This text covers ${said} of ${countOf(all, 'message')}.`,
    ...(results + reasoning === 0
      ? []
      : [`Left out: ${countOf(results, 'result')} of tools, ${countOf(reasoning, 'text')} of reasoning.`]),
    ...(secrets === 0
      ? []
      : [`${secrets === 1 ? '1 secret was' : `${secrets} secrets were`} replaced for this text.`]),
  ]
}
