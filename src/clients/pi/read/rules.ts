import { type Fields, fieldsOf, textOf } from '../../shared/transcript/fields.ts'

/** The `customType` of the entries that our extension writes. */
const OURS = 'cortext'

/** Whether an entry is a line of our seed, or a note of our extension to the agent. */
export function isOurs(record: Fields): boolean {
  if (fieldsOf(record.cortext).seed === true) return true
  return record.type === 'custom_message' && record.customType === OURS
}

/**
 * What the person typed, from the entry that our extension writes before a prompt that Pi has expanded. Undefined for
 * any other entry.
 */
export function typedIn(record: Fields): string | undefined {
  if (record.type !== 'custom' || record.customType !== OURS) return undefined
  return textOf(fieldsOf(record.data).typed) || undefined
}

/** Kinds of entries that say nothing of the talk. */
export const LEFT_OUT: Record<string, string> = {
  __proto__: null as never,
  session: 'client-state',
  model_change: 'client-state',
  thinking_level_change: 'client-state',
  custom: 'client-state',
  label: 'client-state',
  // It hides an earlier entry from the model. The entry stays.
  context_edit: 'client-state',
  usage: 'usage',
}

/**
 * The call of a skill as the person typed it, and the skill's text that Pi put in its place. Undefined for any other
 * prompt. A session that our extension did not see has only this (1.5.2).
 */
export function skillCall(text: string): { typed: string; body: string } | undefined {
  const [whole, name, args = ''] =
    /^<skill name="([^"\n]+)" location="[^"\n]*">\n[\s\S]*?\n<\/skill>(?:\n\n([\s\S]*))?$/.exec(text) ?? []
  if (whole === undefined) return undefined
  const body = args === '' ? whole : whole.slice(0, -args.length)
  return { typed: `/skill:${name}${args === '' ? '' : ` ${args}`}`, body }
}
