/** A made transcript of Claude Code, record by record, each the child of the one before it. */
export class MadeSession {
  readonly #records: Record<string, unknown>[] = []
  #parent: string | null = null
  #calls = 0
  branch = 'main'

  record(more: Record<string, unknown>): string {
    const uuid = `record-${this.#records.length}`
    this.#records.push({ uuid, parentUuid: this.#parent, sessionId: 'made', gitBranch: this.branch, ...more })
    this.#parent = uuid
    return uuid
  }

  typed(content: string): string {
    return this.record({ type: 'user', message: { role: 'user', content } })
  }

  said(text: string): string {
    return this.#answer({ type: 'text', text })
  }

  /** A call and its result; `copy` is the client's own copy of the result. */
  called(
    name: string,
    input: object,
    content: string,
    { failed = false, copy = {} as unknown } = {},
  ): string {
    this.#calls += 1
    const id = `call-${this.#calls}`
    this.#answer({ type: 'tool_use', id, name, input })
    const result = { type: 'tool_result', tool_use_id: id, content, is_error: failed }
    return this.record({ type: 'user', toolUseResult: copy, message: { role: 'user', content: [result] } })
  }

  /** The next record is the child of this one: what was said in between is rewound. */
  backTo(uuid: string): void {
    this.#parent = uuid
  }

  jsonl(): string {
    return this.#records.map((record) => `${JSON.stringify(record)}\n`).join('')
  }

  #answer(block: object): string {
    const message = { role: 'assistant', id: `answer-${this.#records.length}`, content: [block] }
    return this.record({ type: 'assistant', message })
  }
}
