import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { MAX_TEXT } from '../io/inside.ts'
import { readText } from '../io/regular-file.ts'
import type { HookLanguage } from './contract/hooks.ts'
import { hookLanguages } from './hook-languages.ts'

/** This file is part of the hook bundle: it imports only node's modules and other files of the bundle. */

/** A hook of ours as a line or as a program with arguments, and without `--personal`: a home may be a workspace too. */
const OWN_HOOK = /cortext(?: |",\s*"args":\s*\[\s*")hook\b(?![^\]}]*--personal)/

/** The ids of the clients whose hooks are in force in a project, whatever this machine has noted of its set-up. */
export function clientsWithHooks(root: string): string[] {
  return Object.entries<HookLanguage>(hookLanguages).flatMap(([id, language]) =>
    hasOwnHooks(language, root) || hasPlugin(language, root) ? [id] : [],
  )
}

function hasPlugin({ projectPlugin }: HookLanguage, root: string): boolean {
  return projectPlugin !== undefined && existsSync(join(root, projectPlugin))
}

/**
 * Whether the settings of a project have hooks of ours for a client. They are searched as text, because they may have
 * comments.
 */
export function hasOwnHooks({ projectSettings = [] }: HookLanguage, folder: string): boolean {
  return projectSettings.some((path) => {
    try {
      return OWN_HOOK.test(readText(join(folder, path), MAX_TEXT) ?? '')
    } catch {
      return false // The client cannot read it either.
    }
  })
}
