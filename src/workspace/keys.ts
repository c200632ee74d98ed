import { createHmac } from 'node:crypto'
import { dirname, isAbsolute, join } from 'node:path'
import { writeFileAtomic } from '../io/atomic-write.ts'
import { makeFolders } from '../io/real-folder.ts'
import { readRegular, readText, statsOf } from '../io/regular-file.ts'
import type { Outside } from '../io/state-file.ts'
import { asWord } from '../text/paste.ts'
import { newIdentity, recipientOf, sealWith, unsealWith } from './places/age.ts'

/** The person's keys on this machine, with which places are sealed and opened. */
export interface Keys {
  /** None, if nobody has made or brought one. The first one is this person's own. */
  identities: string[]
  /** The file of the keys, sealed with a passphrase, if the person has chosen one. */
  withPassphrase?: Buffer
}

/** The path of the file with the keys, in the format of the age tool. */
export function keyFile({ home, env }: Outside): string {
  const { XDG_CONFIG_HOME: config = '' } = env
  return join(isAbsolute(config) ? config : join(home, '.config'), 'cortext', 'key.txt')
}

/** The folder of the keys, as a person types it in a shell. */
export function keyFolder(outside: Outside): string {
  const folder = dirname(keyFile(outside))
  return folder === join(outside.home, '.config', 'cortext') ? KEY_FOLDER : asWord(folder)
}

/** The same on another machine, of which the home folder is not known here. */
export const KEY_FOLDER = '~/.config/cortext'

/** Throws `unreadable` and `unsafe-path`. */
export function readKeys(outside: Outside): Keys {
  const path = keyFile(outside)
  const withPassphrase = readRegular(sealedBeside(path), LARGEST)
  return {
    identities: identitiesIn(readText(path, LARGEST) ?? ''),
    ...(withPassphrase && { withPassphrase }),
  }
}

const LARGEST = 64 * 1024

function identitiesIn(text: string): string[] {
  return text.split('\n').flatMap((line) => /^AGE-SECRET-KEY-1[0-9A-Z]{58}$/.exec(line.trim())?.[0] ?? [])
}

/** Makes a key if there is none. Returns all. Throws what files throw. */
export async function needKeys(outside: Outside): Promise<Keys> {
  const keys = readKeys(outside)
  if (keys.identities.length > 0) return keys
  const identity = await newIdentity()
  write(keyFile(outside), `# public key: ${await recipientOf(identity)}\n${identity}\n`)
  return { ...keys, identities: [identity] }
}

/** Takes keys over that were sealed with a passphrase. Returns false if it is not the right one. Throws what files throw. */
export async function takeKeys(outside: Outside, sealed: Buffer, passphrase: string): Promise<boolean> {
  const opened = await unsealWith(passphrase, sealed)
  const taken = identitiesIn(opened?.toString('utf8') ?? '')
  if (taken.length === 0) return false
  const path = keyFile(outside)
  const before = readText(path, LARGEST) ?? ''
  const more = taken.filter((identity) => !before.includes(identity))
  if (more.length > 0)
    write(path, [before.trimEnd(), ...more, ''].filter((part, at) => part || at > 0).join('\n'))
  return true
}

/** Seals the keys with a passphrase, so that they lie at the place too. Throws what files throw. */
export async function sealKeys(outside: Outside, passphrase: string): Promise<void> {
  const path = keyFile(outside)
  write(sealedBeside(path), await sealWith(passphrase, Buffer.from(readText(path, LARGEST) ?? '')))
}

/**
 * A name for a project that says nothing about it to those who do not have the key. Machines with the same first key
 * give it the same; one that knows the project from what it can open at the place takes the name that it has there.
 */
export function hiddenName({ identities }: Keys, project: string): string {
  return createHmac('sha256', identities[0]!).update(`project\n${project}`).digest('hex').slice(0, 32)
}

/** Whether other users of this machine can read the keys. Windows keeps a person's folders from others by other means. */
export function isOpenToOthers(outside: Outside): boolean {
  return process.platform !== 'win32' && ((statsOf(keyFile(outside))?.mode ?? 0) & 0o077) !== 0
}

function sealedBeside(path: string): string {
  return path.replace(/txt$/, 'age')
}

function write(path: string, content: string | Buffer): void {
  makeFolders(dirname(path), 0o700)
  writeFileAtomic(path, content, { mode: 0o600, refuseSymlink: true })
}
