import { currentEnvironment } from '../io/environment.ts'
import { mcp } from './verbs/mcp/index.ts'

// A client that has ended cannot read the answer. That is not a failure.
process.stdout.on('error', () => undefined)

/**
 * Runs `cortext mcp` without the table of verbs. A client starts this program in each session and waits for it; loading
 * the table would be a sixth of the wait.
 */
void mcp(currentEnvironment())
