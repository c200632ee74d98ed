import type { Message } from '../../../session/schema.ts'

/** The MCP tools that were called, sorted. */
export function mcpToolsIn(messages: readonly Message[]): string[] {
  const names = messages.flatMap((message) => message.tool_calls ?? []).map(({ name }) => name)
  return [...new Set(names.filter((name) => name.startsWith('mcp__')))].sort()
}

/** The native ids of the first and the last message, events left out. */
export function rangeOf(messages: readonly Message[]): { from: string | undefined; to: string | undefined } {
  const messagesOnly = messages.filter(({ event }) => event === undefined)
  return { from: messagesOnly[0]?.native_id, to: messagesOnly.at(-1)?.native_id }
}

/** Omits the fields that are undefined. */
export function definedFields<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never
}

const MAX_TITLE_LENGTH = 120

/** The first line of a text, cut to the length of a title in a list. */
export function titleLine(text: string): string {
  const line = text.trim().split(/[\r\n]/, 1)[0] ?? ''
  const letters = [...line]
  return letters.length > MAX_TITLE_LENGTH ? `${letters.slice(0, MAX_TITLE_LENGTH - 1).join('')}…` : line
}
