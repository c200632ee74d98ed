import { currentEnvironment } from '../io/environment.ts'
import { mcp } from './verbs/mcp/index.ts'

// A client that has gone reads no answer, and that is no failure.
process.stdout.on('error', () => undefined)

/**
 * `cortext mcp`, without the table of verbs: clients start it with each of their sessions and wait for it, and the table
 * would be a sixth of that time.
 */
void mcp(currentEnvironment())
