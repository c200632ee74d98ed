import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { filesBelow } from './workspace-lab.ts'

/**
 * A service that keeps a folder of each machine equal, as Dropbox, iCloud and Syncthing do: in its own time, file by
 * file. `exchange` lets one machine send what is new or gone in its folder, and get what the others have sent.
 */
export class CopyingService {
  readonly folders: readonly string[]
  readonly #files = new Map<string, string>()
  readonly #seen: Set<string>[]

  constructor(folders: readonly string[]) {
    this.folders = folders
    this.#seen = folders.map(() => new Set())
    for (const folder of folders) mkdirSync(folder, { recursive: true })
  }

  /** `isChosen` says which files are copied this time. */
  exchange(machine: number, isChosen: (path: string) => boolean = () => true): void {
    const [folder, seen] = [this.folders[machine]!, this.#seen[machine]!]
    const here = existsSync(folder) ? filesBelow(folder) : {}
    for (const path of Object.keys(here).filter(isChosen)) {
      if (seen.has(path) && !this.#files.has(path)) {
        rmSync(join(folder, path))
        seen.delete(path)
        continue
      }
      this.#files.set(path, readFileSync(join(folder, path), 'latin1'))
      seen.add(path)
    }
    for (const path of [...seen].filter((one) => !(one in here) && isChosen(one))) {
      seen.delete(path)
      this.#files.delete(path)
    }
    for (const [path, bytes] of this.#files)
      if (!(path in here) && isChosen(path)) {
        mkdirSync(dirname(join(folder, path)), { recursive: true })
        writeFileSync(join(folder, path), bytes, 'latin1')
        seen.add(path)
      }
  }

  /** Lets all folders become equal. */
  settle(): void {
    for (let round = 0; round < 2; round += 1)
      for (const machine of this.folders.keys()) this.exchange(machine)
  }
}
