// `node test/bench/clients.mjs [client…] [--runs=5] [--before=<checkout>] [--online | --offline]`: how long the real clients
// take to start in a workspace with cortext and in one without, and in one of another built checkout, in turns, so that all
// see the machine in the same mood. It uses the labs
// of the end-to-end tests; their set-up must have installed the clients. Asserts nothing.
import { join } from 'node:path'
import { runBundled } from './bundled.mjs'

await runBundled('starts.ts', {
  args: process.argv.slice(2),
  // The labs look for their helpers beside themselves.
  define: { 'import.meta.dirname': JSON.stringify(join(import.meta.dirname, '../e2e')) },
})
