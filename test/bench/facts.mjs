// `npm run facts -- <folder>`: see facts.ts.
import { runBundled } from './bundled.mjs'

await runBundled('facts.ts', { args: process.argv.slice(2) })
