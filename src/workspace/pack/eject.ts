import { CortextError } from '../../errors.ts'
import { readInside, statInside } from '../../io/inside.ts'
import { commandHash } from './commands.ts'
import { type FileChange, type Manifest, noteWritten, writeInto } from './manifest.ts'
import { placeInWorkspace, shippedCommands, shippedFile } from './shipped-files.ts'

/**
 * Copies files of the package into `.workspace/`, where the person's version counts from then on. The name of a type
 * means its prompt and its template, `workspace.plan` the prompt, `templates/plan` the template; `constitution` and
 * `registry` are files of their own. A file that is there stays. Throws `not-found`; the fix lists the names.
 */
export function ejectFiles(root: string, name: string, manifest: Manifest, pack: string): FileChange[] {
  const origins = originsOf(name, pack)
  if (origins.length === 0)
    throw new CortextError(
      'not-found',
      `there is no prompt, template or type ${JSON.stringify(name)} in the package`,
      {
        fix: `use one of: ${ejectable(pack).join(', ')}`,
      },
    )
  return origins.map((origin): FileChange => {
    const path = placeInWorkspace(origin)
    if (statInside(root, path) !== undefined)
      return { path, state: 'kept', note: 'it is here already, and counts' }
    const { content } = shippedFile(pack, origin)
    writeInto(root, path, content, manifest)
    noteWritten(manifest, manifest.ejected, path, commandHash(content))
    return { path, state: 'made' }
  })
}

/** The names that ejectFiles takes: types and commands in short, and the two further files. */
function ejectable(pack: string): string[] {
  const commands = shippedCommands(pack).map((file) => file.replace(/^workspace\.|\.md$/g, ''))
  return [...commands, 'constitution', 'registry'].sort()
}

function originsOf(name: string, pack: string): string[] {
  const candidates =
    name === 'constitution'
      ? ['templates/constitution.md']
      : name === 'registry'
        ? ['templates/registry.json']
        : NAME.test(name)
          ? [
              `commands/${name}.md`,
              `commands/workspace.${name}.md`,
              `templates/${name.replace(/^templates\//, '')}.md`,
            ]
          : []
  return candidates.filter((path) => readInside(pack, path) !== undefined)
}

const NAME = /^(?:templates\/)?[a-z][a-z0-9-]*(?:\.[a-z][a-z0-9-]*)*$/
