import { toolVocabulary } from '../../src/clients/all-tools.ts'

/** What the clients' tools do, as commands hand it to what they build. */
export const TOOLS = toolVocabulary()
