/** For the verbs `why` and `log`: which conversation wrote a line, and what a conversation changed. */
export { agentTrace } from './agent-trace.ts'
export type { CommittedIn } from './commits.ts'
export { type ConversationLog, logOf } from './log.ts'
export type { Place } from './record-files.ts'
export { fileAndLine } from './trace.ts'
export { type Mention, type WhyFile, type WhyLine, whyFile, whyLine } from './why.ts'
