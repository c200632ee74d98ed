import { join } from 'node:path'
import type { PackCommand } from '../../clients/contract/pack.ts'
import { CortextError } from '../../errors.ts'
import { crypto } from '../../hash.ts'
import { isFileInside, readInside, writeInside } from '../../io/inside.ts'
import { paste } from '../../text/paste.ts'
import { shippedPack } from './shipped.ts'

/** A command of a workspace, and the file it came from. */
export interface LoadedCommand {
  command: PackCommand
  /** The file as it is on disk, front matter included. */
  text: string
  /** `sha256:<hex>`, see commandHash. */
  hash: string
  /** The absolute path of the file. */
  path: string
}

const COMMAND_NAME = /^[a-z][a-z0-9-]*(\.[a-z][a-z0-9-]*)*$/

/**
 * Loads a command by its name, with or without the slash: the workspace's own file, else the shipped one. Throws
 * `not-found`.
 */
export function loadCommand(root: string, command: string, pack = shippedPack()): LoadedCommand {
  const name = command.replace(/^\//, '')
  const places: [string, string][] = COMMAND_NAME.test(name)
    ? [
        [root, `.workspace/commands/${name}.md`],
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
 * Parses Markdown with a front matter that contains `description` and `argument-hint`, one line each, plain or quoted.
 * Other keys are skipped. A file without front matter is all body.
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

/** Whether a file of `commands/` is a command. README.md and similar files are not. */
export function isCommandName(name: string): boolean {
  return COMMAND_NAME.test(name)
}

/** `sha256:<hex>` of a command file. Line breaks are normalised, so that the hash is the same on every system. */
export function commandHash(text: string): string {
  return `sha256:${crypto().createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('hex')}`
}

/** Whether two versions of a command differ at most in white space. */
export function sameButSpace(a: string, b: string): boolean {
  return a.replace(/\s+/g, ' ').trim() === b.replace(/\s+/g, ' ').trim()
}

/**
 * Keeps a version of a command once, under its hash, so that a later change can be shown as a diff (S0-D5o). The kept
 * version never instructs an agent. Returns the path relative to the root.
 */
export function snapshotPrompt(root: string, text: string): string {
  const path = promptPath(commandHash(text))!
  if (!isFileInside(root, path)) writeInside(root, path, text.replaceAll('\r\n', '\n'))
  return path
}

/** The version of a command that has this hash; undefined when it was not kept here. */
export function readPrompt(root: string, hash: string): string | undefined {
  const path = promptPath(hash)
  return path === undefined ? undefined : readInside(root, path)
}

/** The folder with snapshots of the commands in use, relative to the root. */
export const PROMPTS = '.workspace/prompts'

/** The path of the version with this hash, relative to the root; undefined for a text that is not a hash. */
export function promptPath(hash: string): string | undefined {
  const hex = /^sha256:([0-9a-f]{64})$/.exec(hash)?.[1]
  return hex === undefined ? undefined : `${PROMPTS}/${hex}.md`
}

function frontValue(front: string, key: string): string {
  const line = front.split('\n').find((text) => text.startsWith(`${key}:`))
  const value = line?.slice(key.length + 1).trim() ?? ''
  const quoted = /^(["'])(.*)\1$/.exec(value)
  return quoted?.[2] ?? value
}
