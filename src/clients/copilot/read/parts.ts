import type { Attachment, ToolCall } from '../../../session/schema.ts'
import { attach, type Part } from '../../shared/transcript/body.ts'
import { type Fields, fieldsOf, listOf, plainText, textOf } from '../../shared/transcript/fields.ts'
import { answersText } from '../../shared/transcript/persons-words.ts'

/** The binary assets of a session, by their ids. Messages refer to them. */
export type Assets = Map<string, { bytes: Uint8Array; mediaType: string }>

/** Notes an asset of a `session.binary_asset` event. */
export function noteAsset(assets: Assets, fields: Fields): void {
  assets.set(textOf(fields.assetId), assetIn(fields))
}

function assetIn({ data, mimeType }: Fields) {
  return { bytes: Buffer.from(textOf(data), 'base64'), mediaType: textOf(mimeType) }
}

/**
 * The images and documents among the attachments of a message or the binary results of a tool. A file or folder that the
 * person attached, and whose bytes the session does not contain, is a part with its name.
 */
export function binariesIn(
  list: unknown,
  assets: Assets,
  blobs: Map<string, Uint8Array>,
): { parts: Part[]; attachments: Attachment[] } {
  const parts: Part[] = []
  const attachments: Attachment[] = []
  for (const item of listOf(list).map(fieldsOf)) {
    const asset = textOf(item.data) === '' ? assets.get(textOf(item.assetId)) : assetIn(item)
    const name = (textOf(item.displayName) || textOf(item.path)).replace(/^@/, '')
    if (asset === undefined) {
      if (name !== '') parts.push({ type: 'file', name })
      continue
    }
    const named = attach(asset.bytes, asset.mediaType, blobs, attachments, name)
    if (named.media_type.startsWith('image/')) parts.push({ type: 'image', ...named })
  }
  return { parts, attachments }
}

/** The calls of an answer. A tool of an MCP server is named as in the record. */
export function callsIn(toolRequests: unknown): ToolCall[] {
  return listOf(toolRequests)
    .map(fieldsOf)
    .map((request) => ({
      id: textOf(request.toolCallId),
      name: toolName(request, request.name),
      arguments: request.arguments ?? {},
    }))
}

/** `mcp__<server>__<tool>` for a tool of an MCP server, else the client's name. */
export function toolName({ mcpServerName, mcpToolName }: Fields, name: unknown): string {
  const [server, tool] = [textOf(mcpServerName), textOf(mcpToolName)]
  return server === '' || tool === '' ? textOf(name) : `mcp__${server}__${tool}`
}

/** What the model got from a tool. */
export function resultText({ result, error }: Fields): string {
  return error === undefined ? textOf(fieldsOf(result).content) : textOf(fieldsOf(error).message)
}

/** Whether a tool failed. A command that exits with another code than 0 counts as a success of the client's tool. */
export function hasFailed({ success, shellExecution }: Fields): boolean {
  const { exitCode } = fieldsOf(shellExecution)
  return success === false || (typeof exitCode === 'number' && exitCode !== 0)
}

/**
 * The name of the file into which the client moved a long output, which the result names. The client puts such files
 * into the folder for temporary files.
 */
export function movedOutput(text: string): string | undefined {
  return /^Output too large to read at once [^\n]* Saved to: [^\n]*?([0-9]+-copilot-tool-output-[0-9]+-[0-9a-f-]{36}\.txt)\n/.exec(
    text,
  )?.[1]
}

/** The person's answers to a question of the agent, or their words on its plan; '' where they said nothing. */
export function answerText({ response }: Fields): string {
  const { responseKind, content, message, question, answer, feedback } = fieldsOf(response)
  if (responseKind === 'exit_plan_mode') return textOf(feedback)
  if (responseKind === 'user_input')
    return answersText([{ question: textOf(question), answer: textOf(answer) }])
  const values = Object.entries(fieldsOf(content))
  const lines = values.map(([name, value]) =>
    values.length === 1 ? plainText(value) : `${name}: ${plainText(value)}`,
  )
  return answersText([{ question: textOf(message), answer: lines.join('\n') }])
}
