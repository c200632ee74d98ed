import { basename, relative } from 'node:path'
import { toolVocabulary } from '../../clients/all-tools.ts'
import {
  type BuiltContext,
  buildContext,
  type ContextRequest,
  compareStrategies,
} from '../../context/build.ts'
import { recapOf } from '../../context/recap.ts'
import type { Receipt } from '../../context/receipt.ts'
import { o200k } from '../../context/tokens/index.ts'
import { nameAmong } from '../../conversation/author.ts'
import type { Conversation } from '../../conversation/read.ts'
import { isFileInside } from '../../io/inside.ts'
import { relevanceOf } from '../../search/relevance.ts'
import { resumeBlock } from '../../session/resume-block.ts'
import { whoseTalk, withoutOwnName } from '../../session/sharing/authors.ts'
import { readSummaries } from '../../store/record/summaries.ts'
import { documentPath } from '../../workspace/folder.ts'
import type { Workspace } from '../../workspace/open.ts'
import { type Change, instructionsOf } from './current-command.ts'
import { type Elsewhere, elsewhereNote, heldElsewhere } from './elsewhere.ts'
import { missingAttachments } from './missing-attachments.ts'
import { type Since, sinceItems, sinceLine, sinceThen } from './since.ts'

export interface ContextOptions {
  /** The tokens that the resume block and the history may take. */
  budget: number
  /** The strategy to begin with. Undefined: the first one that fits. */
  strategy?: string | undefined
  /** The topic of the history: a question, or words. */
  about?: string | undefined
  /** Gives times as dates, for a reader that does not know the present time. */
  dates?: boolean
  /** The MCP tools that the conversation used and the client lacks. */
  missing?: readonly string[]
}

/** Builds the resume block and the history of a conversation within a budget, and the receipt. */
export async function contextOf(
  ws: Workspace,
  conversation: Conversation,
  wanted: ContextOptions,
): Promise<BuiltContext> {
  return buildContext(await contextRequest(ws, conversation, wanted))
}

/** Returns the receipt of each strategy for the conversation, so that the person can choose. */
export async function compareContexts(
  ws: Workspace,
  conversation: Conversation,
  wanted: ContextOptions,
): Promise<{ strategy: string; receipt: Receipt | undefined }[]> {
  return compareStrategies(await contextRequest(ws, conversation, wanted))
}

/** Returns the paths of cached summaries that cannot be read, relative to the workspace's root. */
export function brokenSummaries({ folder, path }: Conversation): string[] {
  return readSummaries(folder).problems.map((problem) => `${path}/${relative(folder, problem.path)}`)
}

/** The input of a conversation's context, with facts that the person sees too. */
export interface ContextInput extends ContextRequest {
  /** The changes in git since the conversation was left. */
  since: Since | undefined
  /** The authors, in words. Undefined if the record names nobody but this person. */
  whose: string | undefined
  /** How many attachments this machine lacks, such as `2 images of this conversation`. Undefined when it has all. */
  away: string | undefined
  /** Where it was held last, if not here. */
  elsewhere: Elsewhere | undefined
}

/** Collects the input of a conversation's context, its cached summaries included. */
export async function contextRequest(
  ws: Workspace,
  conversation: Conversation,
  { budget, strategy, about, dates = false, missing = [] }: ContextOptions,
): Promise<ContextInput> {
  const { session, messages, path, folder } = conversation
  const document = documentOf(ws, conversation)
  const since = await sinceThen(ws, conversation)
  const changed = since && sinceLine(since)
  const me = await nameAmong(ws, messages)
  const whose = whoseTalk(messages, me)
  const away = missingAttachments(conversation)
  const elsewhere = await heldElsewhere(ws, conversation)
  const notes = [
    ...(whose === undefined ? [] : [`Whose: ${whose}${me === undefined ? '' : `; now with ${me}`}`]),
    ...(away === undefined ? [] : [`Not on this machine: ${away}`]),
    ...(elsewhere === undefined ? [] : [elsewhereNote(ws, elsewhere)]),
    ...(missing.length === 0 ? [] : [`Tools missing: ${missing.join(', ')}`]),
  ]
  return {
    ...{ since, whose, away, elsewhere },
    messages: withoutOwnName(messages, me),
    budget,
    strategy,
    about: about === undefined ? undefined : { question: about, relevance: relevanceOf },
    summaries: readSummaries(folder).summaries,
    tokenizer: await o200k(),
    record: `${path}/.session/messages.jsonl`,
    project: basename(ws.root),
    tools: toolVocabulary(),
    block: (history, exchanges) =>
      resumeBlock(session, {
        exchanges,
        now: dates ? undefined : ws.environment.now(),
        history,
        document,
        since: changed,
        notes,
      }),
  }
}

function documentOf(ws: Workspace, { path, session }: Conversation): string | undefined {
  const document = documentPath(path, session.conversation_type)
  return isFileInside(ws.root, document) ? document : undefined
}

/** Builds the first thing that a person sees after a handoff, as markdown. */
export function recapFor(
  ws: Workspace,
  { session }: Conversation,
  { tokenizer, since }: ContextInput,
  { history }: BuiltContext,
  change: Change | undefined,
): string {
  const changed = [
    ...(change === undefined ? [] : [`the ${instructionsOf(session)}`]),
    ...(since === undefined ? [] : sinceItems(since)),
  ]
  return recapOf({ session, history, now: ws.environment.now(), changed }, tokenizer.count)
}
