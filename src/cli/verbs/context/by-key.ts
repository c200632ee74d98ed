import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { receiptLines } from '../../../context/receipt.ts'
import type { Environment } from '../../../io/environment.ts'
import { fileError } from '../../../io/file-error.ts'
import { contextByKey } from '../../../journeys/agent-loop/context-by-key.ts'
import { openWorkspace } from '../../../workspace/open.ts'
import { parseTokens } from '../../choose-budget.ts'
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

/**
 * Prints the messages of the context as one JSON document, because a program reads them. The receipt goes to stderr.
 */
export async function contextOfKey(
  environment: Environment,
  key: string,
  options: KeyedContextOptions,
): Promise<void> {
  const ws = openWorkspace(environment)
  const { budget, ...built } = await contextByKey(ws, key, {
    budget: tokensOf('budget', options.budget),
    model: options.model,
    window: tokensOf('window', options.window),
    systemPrompt: readOptional(environment, options.system),
    toolDefinitions: readOptional(environment, options.tools),
    strategy: options.strategy,
  })
  note(receiptLines(built.receipt))
  sayJson({ key, ...built, ...(budget === undefined ? {} : { budget }) })
}

function tokensOf(option: 'budget' | 'window', text: string | undefined): number | undefined {
  return text === undefined ? undefined : parseTokens(option, text)
}

function readOptional(environment: Environment, file: string | undefined): string | undefined {
  if (file === undefined) return undefined
  const path = resolve(environment.cwd, file)
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw fileError(error, path, 'read')
  }
}
