import type { Keys } from '../keys.ts'
import { recipientOf, seal, unseal } from './age.ts'
import type { Files } from './files.ts'

/**
 * Files whose bytes are sealed at the place. There is a key. Beside them is the name of the project, sealed too, and
 * the person's key if it is sealed with a passphrase. Only the names of the files, which are hashes, and a page for
 * those who find them are open.
 */
export function sealedFiles(files: Files, { keys, project }: { keys: Keys; project: string }): Files {
  let there: readonly string[] = []
  const isDamaged = async () => {
    try {
      const sealed = await files.read(PROJECT)
      const opened = sealed && (await unseal(sealed, keys.identities).catch(() => undefined))
      return opened?.toString('utf8') !== project
    } catch {
      // It is no file, or nobody may read it.
      return false
    }
  }
  return {
    ...files,
    list: async () => {
      const all = await files.list()
      // One that is damaged is written anew with the next bundle: without it, no new machine finds the project.
      there = all.includes(PROJECT) && (await isDamaged()) ? all.filter((name) => name !== PROJECT) : all
      return all.filter((name) => SEALED.test(name)).map(opened)
    },
    read: async (name) => {
      const sealed = await files.read(closed(name))
      return sealed && unseal(sealed, keys.identities)
    },
    write: async (name, bytes, how) => {
      // What is at the place takes none of these away.
      const own = await Promise.all(keys.identities.map(recipientOf))
      const readers = [...new Set([...own, ...how.readers])]
      await files.write(closed(name), await seal(bytes, readers), how)
      const isMissing = (one: string) => how.isAnew || !there.includes(one)
      if (isMissing(PROJECT)) await files.write(PROJECT, await seal(Buffer.from(project), readers), how)
      if (isMissing(PAGE)) await files.write(PAGE, Buffer.from(HOW_TO_OPEN), how)
      if (keys.withPassphrase !== undefined && isMissing(KEY))
        await files.write(KEY, keys.withPassphrase, how)
    },
    where: (name) => files.where(closed(name)),
    remove: (name) => files.remove(closed(name)),
  }
}

/** The file with the name of the project. */
export const PROJECT = 'project.age'
/** The file with the person's key, sealed with a passphrase. */
export const KEY = 'key.age'
const PAGE = 'README.txt'

const HOW_TO_OPEN = `Conversations, sealed with age (https://age-encryption.org). With the key in key.txt, age and git open them:

mkdir opened && git init conversations
for part in *.part01; do
  if [ -e "$part" ]; then cat "\${part%01}"* > "\${part%.part01}"; fi
done
for file in [0-9a-f]*.age; do age --decrypt --identity key.txt --output "opened/\${file%.age}.bundle" "$file"; done
cd conversations
for round in ../opened/*; do for file in ../opened/*; do
  git fetch --quiet "$file" "+refs/heads/conversations:refs/heads/$(basename "$file" .bundle)"
done; done 2>/dev/null
git checkout "$(git for-each-ref --sort=-committerdate --count=1 --format='%(refname:short)' refs/heads)"

If there is a key.age here: age --decrypt --output key.txt key.age asks for the passphrase.
`

const SEALED = /^[0-9a-f]{32}\.age$/

function opened(name: string): string {
  return name.replace(/\.age$/, '.bundle')
}

function closed(name: string): string {
  return name.replace(/\.bundle$/, '.age')
}
