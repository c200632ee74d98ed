import { bringing } from '../../../conversation/not-here.ts'
import { onOtherBranches } from '../../../journeys/finding/on-branches.ts'
import { countOf } from '../../../text/count-of.ts'
import { cutAtWord, oneLine } from '../../../text/line.ts'
import { relativeTime } from '../../../text/relative-time.ts'
import type { Workspace } from '../../../workspace/open.ts'

/** The conversations that only other branches have, as lines for a person and for `--json`. */
export async function branchNotes(ws: Workspace) {
  const found = await onOtherBranches(ws)
  const now = ws.environment.now()
  const lines = found.slice(0, MAX_NAMED).flatMap((one) => {
    const facts = [countOf(one.messages, 'message'), relativeTime(new Date(one.lastActive), now)]
    const title = cutAtWord(oneLine(one.title), 60)
    return [`  ${oneLine(one.branch)}: "${title}", ${facts.join(', ')}`, `    → ${bringing(one)}`]
  })
  const more = found.length > MAX_NAMED ? [`  … and ${found.length - MAX_NAMED} more`] : []
  const are = found.length === 1 ? 'is' : 'are'
  return {
    lines:
      found.length === 0
        ? []
        : [
            `${countOf(found.length, 'conversation')} ${are} only on branches that are not checked out:`,
            ...lines,
            ...more,
          ],
    json: found.map(({ branch, path, title, messages, lastActive }) => ({
      ...{ branch, path, title, message_count: messages, last_active: lastActive },
    })),
  }
}

const MAX_NAMED = 3
