import { appendFileSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

let clock = Date.UTC(2026, 0, 2)
let items = 0

/** Writes threads as Codex CLI does (0.169.0): turns, forks, and one more file for each rewind. */
export class CodexThread {
  /** Paths of the files, oldest first. */
  readonly files: string[] = []
  readonly id: string
  readonly #home: string
  readonly #cwd: string
  #ordinal = 0
  /** The id of the newest file. */
  #file: string

  constructor(home: string, cwd: string, more: { of?: CodexThread; meta?: object } = {}) {
    this.#home = home
    this.#cwd = cwd
    this.id = uuid7()
    this.#file = this.id
    const { of } = more
    const base = of?.place()
    if (base !== undefined) this.#ordinal = base.end_ordinal_exclusive
    this.#begin(`${this.id}`, {
      ...(base === undefined ? {} : { forked_from_id: of!.id, history_base: base }),
      ...more.meta,
    })
  }

  /** The newest file. */
  get transcript(): string {
    return this.files.at(-1)!
  }

  /** The current end of the thread, for `rewind`. */
  place() {
    return {
      thread_id: this.#file,
      end_ordinal_exclusive: this.#ordinal,
      end_byte_offset: statSync(this.transcript).size,
    }
  }

  say(prompt: string, answer = `answer to ${prompt}`): void {
    const turn = uuid7()
    this.line('event_msg', { type: 'task_started', turn_id: turn })
    this.item({ type: 'UserMessage', id: uuid7(), content: [{ type: 'text', text: prompt }] })
    this.item({ type: 'AgentMessage', id: `msg_${++items}`, content: [{ type: 'Text', text: answer }] })
    this.line('event_msg', { type: 'task_complete', turn_id: turn })
  }

  /** Continues in a new file from an earlier place of the thread. */
  rewind(place: ReturnType<CodexThread['place']>): void {
    this.#ordinal = place.end_ordinal_exclusive
    const file = uuid7()
    this.#begin(`${this.id}_${file}`, { history_base: place }, file)
  }

  item(item: object): void {
    this.line('event_msg', { type: 'item_completed', item })
  }

  line(type: string, payload: object): void {
    const timestamp = new Date(++clock).toISOString()
    appendFileSync(
      this.transcript,
      `${JSON.stringify({ timestamp, ordinal: this.#ordinal++, type, payload })}\n`,
    )
  }

  #begin(name: string, meta: object, file = this.id): void {
    const time = new Date(clock)
    const day = time.toISOString().slice(0, 10).split('-')
    const stamp = time.toISOString().slice(0, 19).replaceAll(':', '-')
    const path = join(this.#home, '.codex', 'sessions', ...day, `rollout-${stamp}-${name}.jsonl`)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, '')
    this.files.push(path)
    this.#file = file
    const timestamp = new Date(Number.parseInt(file.replace('-', '').slice(0, 12), 16)).toISOString()
    this.line('session_meta', {
      session_id: this.id,
      id: this.id,
      timestamp,
      cwd: this.#cwd,
      cli_version: '0.169.0',
      source: 'cli',
      thread_source: 'user',
      history_mode: 'paginated',
      ...meta,
    })
  }
}

function uuid7(): string {
  const time = (++clock).toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${(++items).toString(16).padStart(12, '0')}`
}
