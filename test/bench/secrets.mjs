// `npm run secrets -- [--cell 1] [--seed 1] [--cells] [--missed 20] [--group <name>]`: see secrets.ts.
import { join } from 'node:path'
import { runBundled } from './bundled.mjs'

await runBundled('secrets.ts', {
  args: [join(import.meta.dirname, '..', '..', 'dist', 'bin.cjs'), ...process.argv.slice(2)],
})
