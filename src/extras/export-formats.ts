import type { Message, SessionFile } from '../session/schema.ts'

/** The values of `export --format`. `extras/page/` makes HTML, and exportConversation all others. */
export const EXPORT_FORMATS = ['markdown', 'html', 'json', 'atif', 'hf'] as const

/** The values of `export --for`: `pr` is Markdown for a pull request. */
export const EXPORT_PURPOSES = ['pr'] as const

export type ExportFormat = (typeof EXPORT_FORMATS)[number] | (typeof EXPORT_PURPOSES)[number]

/** The exported part of a conversation, as the formats receive it. */
export interface Part {
  session: SessionFile
  /** All messages of the conversation, published or not. Pruned messages are not among them. */
  all: readonly Message[]
  /** The exported messages, with events and with messages that were taken back. */
  ranged: readonly Message[]
  /** The exported messages on the live path. */
  live: readonly Message[]
}
