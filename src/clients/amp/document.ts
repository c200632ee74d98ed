import { fieldsOf, jsonIn, listOf, textOf } from '../shared/transcript/fields.ts'

/**
 * Makes a transcript of a thread's document: a line about the thread, and a line for each message, whole, with the
 * thread's id and its time. Left out are the account of credits and notes for the makers of Amp. Undefined for any other
 * text.
 */
export function fromDocument(text: string): string | undefined {
  const { id, created, title, env, messages, usageLedger } = fieldsOf(jsonIn(text.replace(/^\ufeff/, '')))
  const thread = textOf(id)
  if (!thread.startsWith('T-') || !Array.isArray(messages)) return undefined
  // Only the account says when an answer came.
  const events = listOf(fieldsOf(usageLedger).events).map(fieldsOf)
  const answered = new Map(events.map(({ toMessageId, timestamp }) => [toMessageId, timestamp]))
  const lines = messages.map((message) => {
    const { messageId, meta } = fieldsOf(message)
    return { type: 'message', thread, time: fieldsOf(meta).sentAt ?? answered.get(messageId), message }
  })
  return [{ type: 'thread', thread, created, title, env }, ...lines]
    .map((record) => `${JSON.stringify(record)}\n`)
    .join('')
}
