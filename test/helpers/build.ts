import { execFileSync } from 'node:child_process'

/** Builds the program once before the tests run, because they run `dist/` and not the sources. */
export default function build(): void {
  execFileSync(process.execPath, ['scripts/build.mjs'], { stdio: ['ignore', 'ignore', 'inherit'] })
}
