import { join } from 'node:path'
import type { PackCommand } from '../../clients/contract/pack.ts'
import { CortextError } from '../../errors.ts'
import { crypto } from '../../hash.ts'
import { isFileInside, readInside, writeInside } from '../../io/inside.ts'
import { paste } from '../../text/paste.ts'
import { shippedPack } from './shipped.ts'

/** A command of a workspace, and its file. */
export interface LoadedCommand {
  command: PackCommand
  /** The whole text of the file, with its front matter. */
  text: string
  /** `sha256:<hex>`, see commandHash. */
  hash: string
  /** The absolute path of the file. */
  path: string
}

const COMMAND_NAME = /^[a-z][a-z0-9-]*(\.[a-z][a-z0-9-]*)*$/

/**
 * Loads a command by its name, with or without a slash in front. Reads the workspace's file; if there is none, or no
 * workspace, the shipped one. Throws `not-found`.
 */
export function loadCommand(root: string | undefined, command: string, pack = shippedPack()): LoadedCommand {
  const name = command.replace(/^\//, '')
  const places: [string, string][] = COMMAND_NAME.test(name)
    ? [
        ...(root === undefined ? [] : [[root, `.workspace/commands/${name}.md`] as [string, string]]),
        [pack, `commands/${name}.md`],
      ]
    : []
  for (const [folder, path] of places) {
    const text = readInside(folder, path)
    if (text === undefined) continue
    return { command: parseCommand(name, text), text, hash: commandHash(text), path: join(folder, path) }
  }
  throw new CortextError('not-found', `there is no command /${name}`, {
    fix: paste`write .workspace/commands/${name}.md, or run: cortext init`,
  })
}

/**
 * Parses a command file: Markdown with a front matter. Reads `description` and `argument-hint` from the front matter.
 * Each is one line, with or without quotes. A file without front matter is all body.
 */
export function parseCommand(name: string, text: string): PackCommand {
  const normal = text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n')
  const match = /^---[ \t]*\n([\s\S]*?)^---[ \t]*(?:\n|$)/m.exec(normal)
  const front = match?.index === 0 ? (match[1] ?? '') : ''
  return {
    name,
    description: frontValue(front, 'description'),
    argumentHint: frontValue(front, 'argument-hint'),
    body: match?.index === 0 ? normal.slice(match[0].length) : normal,
  }
}

/** Whether a file of `commands/` with this name (without `.md`) is a command. `README`, for example, is not. */
export function isCommandName(name: string): boolean {
  return COMMAND_NAME.test(name)
}

/** `sha256:<hex>` of a command file. `\r\n` counts as `\n`, so the hash is the same on every system. */
export function commandHash(text: string): string {
  return `sha256:${crypto().createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('hex')}`
}

/** Whether two versions of a command are the same except for white space. */
export function sameButSpace(a: string, b: string): boolean {
  return a.replace(/\s+/g, ' ').trim() === b.replace(/\s+/g, ' ').trim()
}

/**
 * Writes a version of a command into a file named after its hash, if there is none. When somebody changes the command
 * later, cortext can show how it differs from this version. No agent gets this file as instructions. Returns
 * its path relative to the root.
 */
export function snapshotPrompt(root: string, text: string): string {
  const path = promptPath(commandHash(text))!
  if (!isFileInside(root, path)) writeInside(root, path, text.replaceAll('\r\n', '\n'))
  return path
}

/** The version of a command with this hash; undefined when this workspace does not have it. */
export function readPrompt(root: string, hash: string): string | undefined {
  const path = promptPath(hash)
  return path === undefined ? undefined : readInside(root, path)
}

/** The folder with the versions of commands that conversations have used, relative to the root. */
export const PROMPTS = '.workspace/prompts'

/** The path of the version with this hash, relative to the root; undefined if `hash` is not a hash. */
export function promptPath(hash = ''): string | undefined {
  const hex = /^sha256:([0-9a-f]{64})$/.exec(hash)?.[1]
  return hex === undefined ? undefined : `${PROMPTS}/${hex}.md`
}

function frontValue(front: string, key: string): string {
  const line = front.split('\n').find((text) => text.startsWith(`${key}:`))
  const value = line?.slice(key.length + 1).trim() ?? ''
  const quoted = /^(["'])(.*)\1$/.exec(value)
  return quoted?.[2] ?? value
}
