import type { Environment } from '../io/environment.ts'
import { ignoredAmong } from './git/index.ts'

/**
 * Returns those of the hidden folders (`conversations/`) of a private workspace in which git sees files all the same.
 * Git gives a `.gitignore` of the work tree, which a clone may bring, preference over our lines in `info/exclude`.
 * Rejects with git's error message.
 */
export async function seenByGit(
  root: string,
  { env, now }: Environment,
  folders: readonly string[],
): Promise<string[]> {
  const day = now().toISOString().slice(0, 10)
  const probes = folders.flatMap((folder) =>
    [
      `${folder}x.md`,
      `${folder}x.json`,
      `${folder}${day}/001-x/x.md`,
      `${folder}${day}/001-x/.session/x.jsonl`,
    ].map((path) => ({ folder, path })),
  )
  const paths = probes.map(({ path }) => path)
  const ignored = new Set(await ignoredAmong(root, env, paths))
  return [...new Set(probes.flatMap(({ folder, path }) => (ignored.has(path) ? [] : [folder])))]
}
