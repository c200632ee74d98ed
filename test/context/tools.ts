import { toolVocabulary } from '../../src/clients/tool-vocabulary.ts'

/** What the clients' tools do, as commands hand it to what they build. */
export const TOOLS = toolVocabulary()
