// `npm run worth`: see worth.ts.
import { runBundled } from './bundled.mjs'

await runBundled('worth.ts', { args: process.argv.slice(2) })
