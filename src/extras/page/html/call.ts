import { contentOf } from '../../../session/live-path.ts'
import type { Message, ToolCall } from '../../../session/schema.ts'
import { commandOf, pathOf, resultOf, type ToolVocabulary } from '../../../session/tool-use.ts'
import { shortLine } from '../../../text/line.ts'
import { cutResult, type PageAllowance } from './bounds.ts'
import { countsOf, diffBlock, EDIT_ARGUMENTS, editsIn, linesOf } from './diff.ts'
import type { CallWithResults } from './entries.ts'
import { highlightCode, languageOfFile } from './highlight.ts'
import { type Html, html } from './html.ts'
import type { Images } from './images.ts'

/** The data that is needed to show calls. */
export interface Calls {
  tools: ToolVocabulary
  budget: PageAllowance
  images: Images
}

/** Shows a call, folded to one line. Its arguments and results are inside. */
export function callBlock({ call, results }: CallWithResults, { client }: Message, calls: Calls): Html {
  const path = pathOf(calls.tools, call, client)
  const edits = editsIn(call.arguments).map(linesOf)
  const state = stateOf(results)
  const counts = edits.length > 0 && countsOf(edits.flat())
  const kind = resultOf(calls.tools, call.name, client)
  return html`<details class="call${state !== '' && ` ${state}`}"><summary><span class="tool">${shortLine(
    call.name.split('__').join(' · '),
    80,
  )}</span> <span class="what" dir="auto">${about(call, client, calls.tools)}</span>${
    counts &&
    html` <span class="counts"><span class="added">+${counts.added}</span> <span class="removed">−${counts.removed}</span></span>`
  }${state !== '' && html` <span class="state">${state}</span>`}</summary><div class="inside">${edits.map(
    diffBlock,
  )}${argumentBlocks(call, edits.length > 0, path, client, calls)}${results.map((result) =>
    resultBlock(result, kind === 'reads' && path !== undefined ? languageOfFile(path) : undefined, calls),
  )}${results.length === 0 && html`<p class="left">No result was recorded.</p>`}</div></details>`
}

/** Shows a result without its call. */
export function looseResult(message: Message, calls: Calls): Html {
  const state = stateOf([message])
  return html`<details class="call${state !== '' && ` ${state}`}"><summary><span class="tool">${shortLine(
    message.tool_name ?? 'A tool',
    80,
  )}</span> <span class="what">result without its call</span></summary><div class="inside">${resultBlock(
    message,
    undefined,
    calls,
  )}</div></details>`
}

function stateOf(results: readonly Message[]): 'refused' | 'failed' | '' {
  if (results.some(({ refused }) => refused === true)) return 'refused'
  return results.some(({ is_error: failed }) => failed === true) ? 'failed' : ''
}

/** A call in a few words: its file, its command, or its first text argument. */
function about(call: ToolCall, client: string | undefined, tools: ToolVocabulary): string {
  const text = commandOf(tools, call, client) ?? pathOf(tools, call, client) ?? firstText(call.arguments)
  return shortLine(text ?? '', 160)
}

function firstText(given: unknown): string | undefined {
  if (typeof given !== 'object' || given === null) return undefined
  return Object.values(given).find((value): value is string => typeof value === 'string' && value !== '')
}

/** Shows the arguments of a call, except those that a diff shows. */
function argumentBlocks(
  call: ToolCall,
  edited: boolean,
  path: string | undefined,
  client: string | undefined,
  { tools, budget }: Calls,
): Html | undefined {
  if (typeof call.arguments !== 'object' || call.arguments === null)
    return call.arguments === undefined
      ? undefined
      : block('Given', String(call.arguments), undefined, budget)
  const command = commandOf(tools, call, client)
  const isInDiff = (name: string, value: unknown) =>
    edited && (EDIT_ARGUMENTS.includes(name) || value === path)
  const rest = Object.entries(call.arguments).filter(
    ([name, value]) => !isInDiff(name, value) && value !== command,
  )
  const code = rest.find(([name, value]) => name === 'content' && typeof value === 'string')
  const others = Object.fromEntries(rest.filter((one) => one !== code))
  const [first, ...more] = Object.values(others)
  // The line of the call has the path.
  const isOnlyPath = first === path && more.length === 0
  const json = Object.keys(others).length > 0 && !isOnlyPath
  return html`${command !== undefined && block('Command', command, 'bash', budget)}${
    json && block('Given', JSON.stringify(others, null, 2), 'json', budget)
  }${code !== undefined && block('Content', String(code[1]), path === undefined ? undefined : languageOfFile(path), budget)}`
}

function resultBlock(message: Message, language: string | undefined, { budget, images }: Calls): Html {
  const text = contentOf(message)
  const whole = message.truncated
  return html`${
    text === '' ? html`<p class="left">The result is empty.</p>` : block('Result', text, language, budget)
  }${
    whole !== undefined &&
    html`<p class="left">The result had ${whole.bytes.toLocaleString('en')} bytes; the record has only its beginning and end.</p>`
  }${images.of(message)}`
}

function block(name: string, text: string, language: string | undefined, budget: PageAllowance): Html {
  const { head, left, tail } = cutResult(text, budget)
  const shown =
    left === 0
      ? highlightCode(head, language, budget)
      : html`${head}
<span class="left">… ${left.toLocaleString('en')} characters left out …</span>
${tail}`
  return html`<p class="name">${name}</p><pre class="out" dir="auto">${shown}</pre>`
}
