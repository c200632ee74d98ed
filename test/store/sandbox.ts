import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'
import { onTestFinished } from 'vitest'

/** A fresh folder, removed when the test is over. */
export function tempFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'cortext-store-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/**
 * A program of a few lines of TypeScript, bundled so that Node 20 runs it; imports are relative to `src/`.
 * Its arguments are in `process.argv.slice(2)`.
 */
export function program(folder: string, code: string): string {
  const file = join(folder, `program-${Math.random().toString(36).slice(2)}.mjs`)
  const built = buildSync({
    stdin: {
      contents: code,
      resolveDir: join(dirname(fileURLToPath(import.meta.url)), '../../src'),
      loader: 'ts',
    },
    bundle: true,
    platform: 'node',
    format: 'esm',
    write: false,
    logLevel: 'error',
  })
  writeFileSync(file, built.outputFiles[0]!.text)
  return file
}

export function start(file: string, args: string[] = [], wrap: string[] = []): ChildProcess {
  const [command, ...rest] = [...wrap, process.execPath, file, ...args]
  return spawn(command!, rest, { stdio: ['ignore', 'pipe', 'pipe'] })
}

/** Runs a program to its end. */
export async function run(file: string, args: string[] = [], wrap: string[] = []) {
  const child = start(file, args, wrap)
  let stdout = ''
  let stderr = ''
  child.stdout?.on('data', (chunk) => {
    stdout += chunk
  })
  child.stderr?.on('data', (chunk) => {
    stderr += chunk
  })
  const [code] = await once(child, 'close')
  return { code, stdout, stderr }
}

/** Waits until the program has printed something. */
export async function firstWords(child: ChildProcess): Promise<string> {
  const [chunk] = await once(child.stdout!, 'data')
  return String(chunk).trim()
}

/**
 * Runs a few lines of TypeScript (imports are relative to `src/`; `process.argv[2]` is the folder) and returns what they
 * fsynced and renamed there, in order: `synced messages.jsonl`. The folder itself is `.`, a temporary file `*`.
 */
export async function syncsOf(folder: string, code: string): Promise<string[]> {
  const child = spawn(process.execPath, ['--require', SYNCED, program(tempFolder(), code), folder], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let stderr = ''
  child.stderr.on('data', (chunk) => {
    stderr += chunk
  })
  const [status] = await once(child, 'close')
  if (status !== 0) throw new Error(stderr)
  const relative = (path: string) => path.slice(folder.length + 1).replace(/[^/]*\.cortext-tmp$/, '*') || '.'
  return stderr
    .trim()
    .split('\n')
    .map((line) => line.split(' '))
    .map(([what, ...paths]) => [what, ...paths.map(relative)].join(' '))
}

const SYNCED = fileURLToPath(new URL('../helpers/synced.cjs', import.meta.url))
