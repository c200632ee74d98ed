import { recordOpenCode1 } from './opencode-1.ts'
import { recordOpenCode2 } from './opencode-2.ts'

/**
 * The plugin that `cortext init` puts into a workspace, in the shape that OpenCode 1.18 (`server`) and OpenCode 2
 * (`setup`) both load. 1.18 calls `setup` too, with a context that has no sessions, and there it does nothing. It runs in
 * the client's process (Bun): it imports a few modules that Bun has as well, and does nothing when it is loaded.
 */
export default { id: 'cortext', server: recordOpenCode1, setup: recordOpenCode2 }
