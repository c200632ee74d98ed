import { currentEnvironment } from '../io/environment.ts'
import { mcp } from './verbs/mcp/index.ts'

// A client that has ended cannot read the answer. That is not a failure.
process.stdout.on('error', () => undefined)

/**
 * `cortext mcp` without the table of verbs. Clients start this program with each of their sessions and wait for it, and
 * loading the table would take a sixth of that time.
 */
void mcp(currentEnvironment())
