import { oneLine } from '../text/line.ts'
import type { IndexEntry } from './index-entry.ts'

/** The fields by which a conversation can be found. */
export interface Findable {
  id: string
  /** The last two parts of the folder's path: `2026-11-21/001-brainstorm-api-design`. */
  datedId: string
  /** The path of its folder from the root of the workspace, with forward slashes. */
  path: string
  title: string
  summary: string
  tags: readonly string[]
  /** The name that an agent loop uses for the conversation. */
  key?: string
}

/**
 * The conversations that have exactly this name. The first of these steps that finds any decides:
 * 1. a path from the root of the workspace
 * 2. an id, a dated id, a number, a number with its day, or a key
 * 3. a number with its day and the whole rest of the id: `11-21/3-plan-release`
 * 4. a number with its day and the first words of the rest: `11-21/3-plan`
 *
 * Zeros before a number do not count. If several conversations have the name, returns all of them, and guesses nothing.
 */
export function namedExactly<T extends Findable>(name: string, all: readonly T[]): T[] {
  const at = all.filter(({ path }) => oneLine(path) === name)
  if (at.length > 0) return at
  const typed = withoutZeros(name)
  const exact = all.filter((conversation) => exactNames(conversation).includes(typed))
  return exact.length > 0 ? exact : begunWith(name, all)
}

/** A number, alone or with a day or a date: `3`, `003`, `11-21/3`, `2026-11-21/003`. */
const NUMBERED = /^(?:(?:\d{4}-)?\d{2}-\d{2}\/)?\d+$/

function withoutZeros(name: string): string {
  return NUMBERED.test(name) ? name.replace(/(^|\/)0+(?=\d+$)/, '$1') : name
}

function begunWith<T extends Findable>(name: string, all: readonly T[]): T[] {
  const [, day, number, words] = /^((?:\d{4}-)?\d{2}-\d{2})\/0*(\d+)-(.+)$/.exec(name) ?? []
  if (day === undefined) return []
  const rests = all.flatMap((conversation) => {
    const parts = numberIn(conversation)
    const isMeant = parts?.number === number && parts?.days.includes(day)
    return isMeant ? [{ conversation, rest: parts!.rest }] : []
  })
  const whole = rests.filter(({ rest }) => rest === words)
  const found = whole.length > 0 ? whole : rests.filter(({ rest }) => rest.startsWith(`${words}-`))
  return found.map(({ conversation }) => conversation)
}

/** Whether a text can only mean the name of one conversation: it is a number, an id or a path, not words. */
export function looksLikeName(text: string): boolean {
  return /^(?:[+-]?\p{N}+|\d+-\S*|[.~]\S*|\S*[/\\]\S*)$/u.test(text.trim())
}

/** Names the conversations of one workspace, by their paths. `namedExactly` knows these names. */
export interface Names {
  /**
   * The first of these names that means this conversation and no other: its number (`3`), the number with the day
   * (`11-21/3`) or the date (`2026-11-21/3`), these with as many words of the id as necessary (`11-21/3-plan`), the
   * dated id, the path. A conversation without a number has its id first.
   */
  nameOf(path: string): string
  /** The id; if another conversation has that name too, the dated id, or the path. */
  idOf(path: string): string
}

/** `all` returns the conversations of a workspace, hidden ones too. It is called when the first name is asked for. */
export function namesAmong(all: () => readonly Findable[]): Names {
  let meanings: Meanings | undefined
  const firstOf = (path: string, names: (conversation: Findable) => Iterable<string>): string => {
    meanings ??= meaningsOf(all())
    const conversation = meanings.byPath.get(path)
    if (conversation === undefined) return path
    for (const name of names(conversation)) {
      if (isTypable(name) && isMeantAlone(conversation, name, meanings)) return name
    }
    const shown = oneLine(path)
    // A path that begins with a hyphen would be an option.
    return shown.startsWith('-') ? `./${shown}` : shown
  }
  return {
    nameOf: (path) => firstOf(path, shortestFirst),
    idOf: (path) => firstOf(path, ({ id, datedId }) => [oneLine(id), oneLine(datedId)]),
  }
}

/** A name that begins with a hyphen would be an option, and spaces at its ends are not read. */
function isTypable(name: string): boolean {
  return !name.startsWith('-') && name.trim() === name
}

/** What the names of the conversations of a workspace mean. */
interface Meanings {
  all: readonly Findable[]
  byPath: Map<string, Findable>
  /** The conversation with an exact name; `several` if there is more than one. */
  exact: Map<string, Findable | 'several'>
  /** The conversations with a number on a day (`11-21/3`). Made when the first name needs it, which few do. */
  sameDay?: Map<string, Findable[]>
}

function meaningsOf(all: readonly Findable[]): Meanings {
  const byPath = new Map(all.map((one) => [one.path, one]))
  const exact: Meanings['exact'] = new Map()
  for (const one of all)
    for (const name of exactNames(one)) {
      const before = exact.get(name)
      exact.set(name, before === undefined || before === one ? one : 'several')
    }
  for (const [path, one] of byPath) if (exact.has(oneLine(path))) exact.set(oneLine(path), one)
  return { all, byPath, exact }
}

/** Whether `namedExactly` finds this conversation and no other by this name. The maps save looking through all of them. */
function isMeantAlone(conversation: Findable, name: string, meanings: Meanings): boolean {
  const meant = meanings.exact.get(withoutZeros(name))
  if (meant !== undefined) return meant === conversation
  meanings.sameDay ??= bySameDay(meanings.all)
  const begun = begunWith(name, meanings.sameDay.get(dayNumberOf(conversation)!) ?? [])
  return begun.length === 1 && begun[0] === conversation
}

function bySameDay(all: readonly Findable[]): Map<string, Findable[]> {
  const sameDay = new Map<string, Findable[]>()
  for (const one of all) {
    const day = dayNumberOf(one)
    if (day !== undefined) sameDay.set(day, [...(sameDay.get(day) ?? []), one])
  }
  return sameDay
}

function* shortestFirst(conversation: Findable): Iterable<string> {
  const { id, datedId } = conversation
  const parts = numberIn(conversation)
  if (parts === undefined) yield oneLine(id)
  yield* numbersOf(conversation)
  if (parts !== undefined && parts.days.length > 0) {
    const { days, number, rest } = parts
    const words = rest.split('-')
    for (let count = 1; count <= words.length; count += 1)
      for (const day of days) yield `${day}/${number}-${words.slice(0, count).join('-')}`
  }
  yield oneLine(datedId)
}

/** The names of a conversation that are no beginnings of a longer one. They have no zeros before the number. */
function exactNames(conversation: Findable): string[] {
  const { id, datedId, key } = conversation
  const own = key === undefined ? [id, datedId] : [id, datedId, key]
  return [...own.map((name) => withoutZeros(oneLine(name))), ...numbersOf(conversation)]
}

/** The names that have only the number of a conversation, the shortest first; nothing for a folder without a number. */
function numbersOf(conversation: Findable): string[] {
  const parts = numberIn(conversation)
  return parts === undefined ? [] : [parts.number, ...parts.days.map((day) => `${day}/${parts.number}`)]
}

/** The number of a conversation with its day, `11-21/3`. Undefined if its folder has no number or no day. */
function dayNumberOf(conversation: Findable): string | undefined {
  return numbersOf(conversation)[1]
}

/** The number of a conversation, its day (`11-21`, `2026-11-21`), and the rest of its id. */
function numberIn({ id, datedId }: Findable): { number: string; days: string[]; rest: string } | undefined {
  const [, number, rest] = /^0*(\d+)-(.*)$/.exec(oneLine(id)) ?? []
  if (number === undefined) return undefined
  const [, year, day] = /^(\d{4}-)?(\d{2}-\d{2})\//.exec(datedId) ?? []
  const days = day === undefined ? [] : year === undefined ? [day] : [day, `${year}${day}`]
  return { number, days, rest: rest! }
}

/** The fields by which a conversation can be found, from its index entry. */
export function findableOf({ path, session }: { path: string; session: IndexEntry }): Findable {
  return {
    id: oneLine(session.conversation_id),
    path,
    datedId: path.split('/').slice(-2).join('/'),
    ...{ title: session.title, summary: session.context_summary, tags: session.tags ?? [] },
    ...(session.key === undefined ? {} : { key: session.key }),
  }
}
