import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { receiptLines } from '../../../context/receipt.ts'
import type { Place } from '../../../io/environment.ts'
import { fileError } from '../../../io/file-error.ts'
import { contextByKey } from '../../../journeys/agent-loop/context-by-key.ts'
import { openWorkspace } from '../../../workspace/open.ts'
import { parseTokens } from '../../budget.ts'
import { note, sayJson } from '../../print.ts'

export interface KeyedContextOptions {
  key?: string
  budget?: string
  model?: string
  window?: string
  system?: string
  tools?: string
  strategy?: string
}

/** The messages as one JSON document: whoever asks is a program. The receipt is told beside it. */
export async function contextOfKey(place: Place, key: string, options: KeyedContextOptions): Promise<void> {
  const ws = openWorkspace(place)
  const { budget, ...built } = await contextByKey(ws, key, {
    budget: tokensOf('budget', options.budget),
    model: options.model,
    window: tokensOf('window', options.window),
    systemPrompt: textOf(place, options.system),
    toolDefinitions: textOf(place, options.tools),
    strategy: options.strategy,
  })
  note(...receiptLines(built.receipt))
  sayJson({ key, ...built, ...(budget === undefined ? {} : { budget }) })
}

function tokensOf(option: 'budget' | 'window', text: string | undefined): number | undefined {
  return text === undefined ? undefined : parseTokens(option, text)
}

function textOf(place: Place, file: string | undefined): string | undefined {
  if (file === undefined) return undefined
  const path = resolve(place.cwd, file)
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw fileError(error, path, 'read')
  }
}
