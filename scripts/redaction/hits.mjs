import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Yields, for each file below a folder, what the redaction replaces in it, with a few characters around. */
export function* hitsIn(folder, redactText) {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const text = readFileSync(join(entry.parentPath ?? entry.path, entry.name), 'utf8')
    yield { file: entry.name, size: Buffer.byteLength(text), found: replacedIn(text, redactText(text).text) }
  }
}

const PLACEHOLDER = /\[REDACTED:([a-z0-9-]+):[0-9a-f]+\]/g

/** Finds what placeholders replace. Between two placeholders both texts are the same. */
function replacedIn(text, redacted) {
  if (text === redacted) return []
  const same = redacted.split(/\[REDACTED:[a-z0-9-]+:[0-9a-f]+\]/)
  const marks = [...redacted.matchAll(PLACEHOLDER)]
  const found = []
  let at = same[0].length
  for (const [i, mark] of marks.entries()) {
    if (text.startsWith(mark[0], at)) {
      at += mark[0].length + same[i + 1].length
      continue
    }
    const next = same[i + 1].slice(0, 200)
    const end = next !== '' ? text.indexOf(next, at + 1) : i === marks.length - 1 ? text.length : at + 1
    if (end < 0) break
    found.push({
      kind: mark[1],
      before: onOneLine(text.slice(Math.max(0, at - 60), at)),
      secret: onOneLine(text.slice(at, Math.min(end, at + 100))),
      after: onOneLine(text.slice(end, end + 25)),
    })
    at = end + same[i + 1].length
  }
  return found
}

function onOneLine(text) {
  return JSON.stringify(text).slice(1, -1)
}
