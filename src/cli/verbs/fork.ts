import type { Environment } from '../../io/environment.ts'
import { fork } from '../../journeys/editing/fork.ts'
import { findExact } from '../../journeys/finding/find.ts'
import { idAndName } from '../../journeys/finding/list.ts'
import { countOf } from '../../text/count-of.ts'
import { shortLine } from '../../text/line.ts'
import { paste } from '../../text/paste.ts'
import { openWorkspace } from '../../workspace/open.ts'
import { settle } from '../first-step.ts'
import { say, sayJson } from '../print.ts'

export async function forkVerb(
  environment: Environment,
  query: string,
  { at, title, json }: { at?: string; title?: string; json?: boolean },
): Promise<void> {
  const ws = openWorkspace(environment)
  const found = findExact(ws, query)
  await settle(ws)
  const { session, path, of } = await fork(ws, { path: found.path, at, title })
  const { forked_from, message_count } = session
  const { id, name } = idAndName(ws, path)
  if (json) return sayJson({ id, name, path, title: session.title, message_count, forked_from })
  say(
    `Forked: "${shortLine(session.title, 500)}", ${message_count} of ${countOf(of, 'message')}, in ${path}`,
    paste`Go on with it: cortext resume ${name}`,
  )
}
