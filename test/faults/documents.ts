import { appendFileSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { require } from './law.ts'

/**
 * The documents of the conversations in all work trees, by this test's own account. Everybody only adds lines, so a
 * version comes after another one if it begins with it.
 */
export class Documents {
  /** Versions that were there after a finished turn or a save, by conversation. */
  readonly #finished = new Map<string, Set<string>>()

  /** Adds a line, if the conversation has a document in this work tree. */
  edit(tree: string, conversation: string, line: string): boolean {
    const path = documentIn(tree, conversation)
    if (path !== undefined) appendFileSync(path, `${line}\n`)
    return path !== undefined
  }

  /** A turn or a save has ended in a work tree: this version is not lost any more. */
  finish(tree: string, conversation: string): void {
    const text = this.textIn(tree, conversation)
    if (text === undefined) return
    const versions = this.#finished.get(conversation) ?? new Set()
    this.#finished.set(conversation, versions.add(text))
  }

  /** The document was `before` when a verb began that has published the conversation in this work tree. */
  checkPublished(tree: string, conversation: string, before: string | undefined, trees: readonly string[]) {
    const after = this.textIn(tree, conversation)
    if (after === undefined || after === before) return
    const wasFinished = before === undefined || this.#finished.get(conversation)?.has(before) === true
    require(wasFinished, `what was written since into the document of ${conversation} in ${tree} was replaced`)
    const there = trees.flatMap((one) => this.textIn(one, conversation) ?? [])
    const missed = this.#after(conversation, after).filter((text) => !isIn(there, text))
    require(missed.length ===
      0, `${tree} got an earlier document of ${conversation}: ${words(after, missed)}`)
  }

  /** All work trees but this one are gone: it has the last version, and the history has the last ones of all trees. */
  checkLast(root: string, conversation: string, history: readonly string[]): void {
    const here = this.textIn(root, conversation)
    const versions = [...(this.#finished.get(conversation) ?? [])]
    const last = versions.filter((text) => this.#after(conversation, text).length === 0)
    const lost = last.filter((text) => !isIn([here ?? '', ...history], text))
    require(lost.length === 0, `a version of the document of ${conversation} is lost: ${words(here, lost)}`)
    if (here === undefined) return
    const later = this.#after(conversation, here)
    require(later.length === 0, `the document of ${conversation} is an earlier one: ${words(here, later)}`)
  }

  textIn(tree: string, conversation: string): string | undefined {
    const path = documentIn(tree, conversation)
    return path === undefined ? undefined : readFileSync(path, 'utf8')
  }

  #after(conversation: string, version: string): string[] {
    const versions = [...(this.#finished.get(conversation) ?? [])]
    return versions.filter((text) => text !== version && text.startsWith(version))
  }
}

export function documentIn(tree: string, conversation: string): string | undefined {
  const folder = join(tree, conversation)
  const name = existsSync(folder) ? readdirSync(folder).find((name) => name.endsWith('.md')) : undefined
  return name === undefined ? undefined : join(folder, name)
}

function isIn(versions: readonly string[], version: string): boolean {
  return versions.some((text) => text.startsWith(version))
}

/** The ends of versions, where they differ. */
function words(here: string | undefined, others: readonly string[]): string {
  return JSON.stringify({ here: here?.slice(-60), others: others.map((text) => text.slice(-60)) })
}
