import { basename, dirname, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { OwnSettings } from '../../clients/contract/settings.ts'
import { readBytesInside, readInside, removeInside, writeInside } from '../../io/inside.ts'
import { parseJson } from '../../text/json.ts'
import { editJson, parseCommented } from '../merge/json-edit.ts'
import { formatLike, type JsonObject, parseJsonObject } from '../merge/json-file.ts'
import { commandHash } from './commands.ts'
import { type FileChange, type Manifest, type SettingsEntry, writeInto } from './manifest.ts'

/** What a settings file will be. */
export interface SettingsPlan {
  client: string
  path: string
  before: string | undefined
  /** The new text; `before` when nothing changes. */
  after: string | undefined
}

/**
 * Adds our entries to a client's settings file, without writing it. Throws `corrupt` for a file that is not a JSON
 * object, and `refused` for settings of an unknown form.
 */
export function planSettings(root: string, client: string, own: OwnSettings): SettingsPlan {
  const path = own.file
  const before = readInside(root, path)
  const settings = before === undefined ? { ...own.blank } : parseSettings(own, before, join(root, path))
  const merged = own.add(settings)
  const after = isSame(settings, merged) ? before : withChanges(before, settings, merged)
  return { client, path, before, after }
}

/** The settings in a client's file; undefined when there is none. Throws `corrupt`. */
export function readSettings(root: string, path: string, own: OwnSettings): JsonObject | undefined {
  const text = readInside(root, path)
  return text === undefined ? undefined : parseSettings(own, text, join(root, path))
}

/**
 * Writes the planned file. Before the first write, keeps a copy of the original in the local folder, so that
 * removeSettings can restore it.
 */
export function applySettings(
  root: string,
  plan: SettingsPlan,
  manifest: Manifest,
  local: string,
): FileChange {
  const { client, path, before, after } = plan
  if (after === undefined || after === before) return { path, state: 'unchanged' }
  const noted = manifest.settings[path]
  const entry: SettingsEntry = {
    client,
    created: noted?.created ?? before === undefined,
    wrote: commandHash(after),
  }
  const original =
    noted === undefined ? keepOriginal(root, path, before, local) : originalIfUnedited(noted, before)
  if (original !== undefined) entry.original = original
  writeInto(root, path, after, manifest)
  manifest.settings[path] = entry
  return { path, state: before === undefined ? 'made' : 'updated' }
}

/**
 * Removes our entries from a settings file. If nobody has edited it after us and we have a copy of the original, it
 * gets its original bytes back. Otherwise only our entries are removed. If we made the file and nothing else is in it,
 * the file is removed. A file that is not valid JSON any more is kept and reported.
 */
export function removeSettings(
  root: string,
  path: string,
  own: OwnSettings,
  manifest: Manifest,
  local: string,
): FileChange {
  const entry = manifest.settings[path]
  const text = readInside(root, path)
  delete manifest.settings[path]
  if (text === undefined) return { path, state: 'unchanged' }
  const original = entry?.wrote === commandHash(text) ? readOriginal(entry, local) : undefined
  if (original !== undefined) return rewrite(root, path, original)
  const settings = settingsIn(own, text, join(root, path))
  if (settings === undefined)
    return {
      path,
      state: 'kept',
      note: 'it is not valid JSON; edit it and take out the entries that run cortext',
    }
  const left = own.remove(settings)
  const rest = isSame(settings, left) ? text : withChanges(text, settings, left)
  if (entry?.created && isBlank(own, left) && !isNotStrictJson(rest)) {
    removeInside(root, path)
    return { path, state: 'removed' }
  }
  return rest === text ? { path, state: 'unchanged' } : rewrite(root, path, rest)
}

function isBlank({ blank = {} }: OwnSettings, left: JsonObject): boolean {
  return Object.keys(left).length === 0 || isSame(left, blank)
}

function rewrite(root: string, path: string, text: string | Uint8Array): FileChange {
  writeInside(root, path, text)
  return { path, state: 'updated' }
}

function parseSettings(own: OwnSettings, text: string, path: string): JsonObject {
  if (!own.haveComments || !isNotStrictJson(text)) return parseJsonObject(text, path)
  return parseCommented(text, path, { allowTrailingComma: own.haveTrailingCommas === true })
}

function settingsIn(own: OwnSettings, text: string, path: string): JsonObject | undefined {
  try {
    return parseSettings(own, text, path)
  } catch {
    // Somebody has damaged the file after our last write. The caller reports it.
    return undefined
  }
}

/**
 * The text of the changed settings. A text that is not strict JSON is edited in place, because it may have comments,
 * and writing it again would lose them.
 */
function withChanges(text: string | undefined, before: JsonObject, after: JsonObject): string {
  return text !== undefined && isNotStrictJson(text) ? editJson(text, before, after) : formatLike(after, text)
}

/** Whether a text has content, but is not strict JSON. */
function isNotStrictJson(text: string): boolean {
  return text.trim() !== '' && parseJson(text.replace(/^\uFEFF/, '')) === undefined
}

/**
 * Copies a settings file into the local folder and returns its hash. Settings may contain secrets, so only this user
 * can read the copy.
 */
function keepOriginal(
  root: string,
  path: string,
  before: string | undefined,
  local: string,
): string | undefined {
  if (before === undefined) return undefined
  const hash = commandHash(before)
  const { folder, path: copy } = originalOf(hash, local)
  writeInside(folder, copy, readBytesInside(root, path) ?? '', { mode: 0o600, folderMode: 0o700 })
  return hash
}

function readOriginal(entry: SettingsEntry, local: string): Uint8Array | undefined {
  if (entry.original === undefined) return undefined
  const { folder, path } = originalOf(entry.original, local)
  const bytes = readBytesInside(folder, path)
  // The manifest, which may come from a clone, names the copy. We made the copy only if its content has the hash that
  // the manifest gives.
  return bytes !== undefined && commandHash(bytes.toString('utf8')) === entry.original ? bytes : undefined
}

function originalIfUnedited(noted: SettingsEntry, before: string | undefined): string | undefined {
  return before !== undefined && commandHash(before) === noted.wrote ? noted.original : undefined
}

function originalOf(hash: string, local: string): { folder: string; path: string } {
  return { folder: dirname(local), path: `${basename(local)}/originals/${hash.replace('sha256:', '')}` }
}

/** Whether two settings are equal. The order of keys does not count. */
function isSame(a: JsonObject, b: JsonObject): boolean {
  return isDeepStrictEqual(a, b)
}
