import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { tempBase } from './repository.ts'

/** A copy of a folder, as a person makes it. What is in one of the `others` is not in it, and stays when it is restored. */
export class Backup {
  readonly #folder: string
  readonly #others: readonly string[]
  readonly #copy = mkdtempSync(join(tempBase(), 'cortext-backup-'))

  constructor(folder: string, others: readonly string[] = []) {
    this.#folder = folder
    this.#others = others
    const filter = (path: string) => !others.includes(path)
    cpSync(folder, this.#copy, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true, filter })
  }

  restore(): void {
    this.#clear(this.#folder)
    cpSync(this.#copy, this.#folder, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true })
  }

  remove(): void {
    rmSync(this.#copy, { recursive: true })
  }

  #clear(folder: string): void {
    for (const name of readdirSync(folder)) {
      const path = join(folder, name)
      if (this.#others.includes(path)) continue
      if (this.#others.some((one) => one.startsWith(`${path}/`))) this.#clear(path)
      else rmSync(path, { recursive: true })
    }
  }
}
