import { committedSize, LARGE } from '../../conversation/record-size.ts'
import type { Entry } from '../../store/scan.ts'
import { byteSize } from '../../text/byte-size.ts'
import { count, type Finding, note } from './finding.ts'

const NAMED = 3

/** Names the largest conversations, where there are large ones. Throws `unsafe-path`. */
export function growthFindings(entries: readonly Entry[]): Finding[] {
  const here = entries.filter(({ backupOnly }) => backupOnly !== true)
  const sizes = here.map(({ path, folder }) => ({ path, bytes: committedSize(folder) }))
  const large = sizes.filter(({ bytes }) => bytes >= LARGE).sort((a, b) => b.bytes - a.bytes)
  if (large.length === 0) return []
  const all = sizes.reduce((sum, { bytes }) => sum + bytes, 0)
  const named = large.slice(0, NAMED).map(({ path, bytes }) => `${path} (${byteSize(bytes)})`)
  const more = large.length > NAMED ? `, and ${large.length - NAMED} more of over ${byteSize(LARGE)}` : ''
  return [
    note(
      'large',
      `${count(sizes.length, 'conversation')} of ${byteSize(all)}, the largest: ${named.join(', ')}${more}`,
      'to keep less of what tools print: "capture": {"toolOutput": 20000} in .workspace/config.json',
    ),
  ]
}
