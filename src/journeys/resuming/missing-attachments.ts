import type { Conversation } from '../../conversation/read.ts'
import { hasAttachment } from '../../store/record/attachments.ts'

/**
 * Says how many long outputs, images and files of a conversation are not on this machine. Git does not transfer them,
 * and the setting `capture.toolOutput` can keep long outputs from being stored. Undefined if nothing is missing.
 */
export function missingAttachments({
  folder,
  messages,
  segments = [],
}: Pick<Conversation, 'folder' | 'messages'> & Partial<Pick<Conversation, 'segments'>>): string | undefined {
  const unpublished = new Set(segments.flatMap(({ content }) => [...content.blobs.keys()]))
  const isMissing = (sha256: string) => !unpublished.has(sha256) && !hasAttachment(folder, sha256)
  const count = (hashes: readonly string[]) => new Set(hashes.filter(isMissing)).size
  const outputs = count(messages.flatMap(({ truncated }) => truncated?.sha256 ?? []))
  const attached = messages.flatMap(({ attachments = [] }) => attachments)
  const images = attached.filter(({ media_type: type }) => type.startsWith('image/'))
  const files = attached.filter((one) => !images.includes(one))
  const parts = [
    counted(outputs, 'long output'),
    counted(count(images.map(({ sha256 }) => sha256)), 'image'),
    counted(count(files.map(({ sha256 }) => sha256)), 'file'),
  ].flat()
  if (parts.length === 0) return undefined
  const last = parts.pop()!
  const what = parts.length === 0 ? last : `${parts.join(', ')} and ${last}`
  return `${what} of this conversation`
}

function counted(count: number, what: string): string[] {
  return count === 0 ? [] : [`${count} ${what}${count === 1 ? '' : 's'}`]
}
