// `npm run locomo -- <folder>`: see locomo.ts.
import { runBundled } from './bundled.mjs'

await runBundled('locomo.ts', {
  args: process.argv.slice(2),
  // The package is found from where the sources lie.
  define: { 'import.meta.url': JSON.stringify(import.meta.url) },
})
