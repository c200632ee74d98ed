import { recordOpenCode1 } from './opencode-1.ts'
import { recordOpenCode2 } from './opencode-2.ts'

/**
 * The plugin that `cortext init` puts into a workspace, in the shape that OpenCode 1.18 (`server`) and OpenCode 2
 * (`setup`) both load. 1.18 also calls `setup`, with a context that has no sessions, and then `setup` does nothing. The
 * plugin runs in the client's process (Bun). It imports only modules that Bun has as well, and loading it does nothing.
 */
export default { id: 'cortext', server: recordOpenCode1, setup: recordOpenCode2 }
