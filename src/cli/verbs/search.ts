import type { Environment } from '../../io/environment.ts'
import { search } from '../../journeys/finding/search.ts'
import { cutAtWord, oneLine } from '../../text/line.ts'
import { openWorkspace } from '../../workspace/open.ts'
import { say, sayJson } from '../print.ts'
import { settle } from '../settle.ts'

export async function searchVerb(
  environment: Environment,
  words: string[],
  options: { json?: boolean },
): Promise<void> {
  const ws = openWorkspace(environment)
  await settle(ws)
  const hits = await search(ws, words.join(' '))
  if (options.json === true) return sayJson({ hits })
  if (hits.length === 0) return say(`Nothing was found for "${words.join(' ')}".`)
  for (const hit of hits) {
    say(`[${oneLine(hit.type)}] ${cutAtWord(oneLine(hit.title), 100)}  (${hit.path})`)
    for (const { role, timestamp, excerpt } of hit.messages)
      say(`   ${role}, ${timestamp.slice(0, 16)}: ${oneLine(excerpt)}`)
    if (hit.total > hit.messages.length) say(`   … ${hit.total - hit.messages.length} more messages`)
  }
}
