import { execFileSync } from 'node:child_process'

/** Tests run the built program, so it is built once before them: a stale `dist/` would test yesterday's code. */
export default function build(): void {
  execFileSync(process.execPath, ['scripts/build.mjs'], { stdio: ['ignore', 'ignore', 'inherit'] })
}
